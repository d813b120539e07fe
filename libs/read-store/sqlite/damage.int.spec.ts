import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { positionOf } from '#kernel';
import { buildName, idIndex, type Build, type Collection, type Document } from '#read-store';
import { openSqliteReadStore, openSqliteReadStoreReader } from '#read-store/sqlite';

const purses: Collection = {
  name: 'purses',
  version: 1,
  indexes: [{ name: 'owner', equals: ['owner'], order: ['created'] }],
};
const purse = (name: string, n: number): Document => ({
  amount: `1000.0${n}`,
  created: '2026',
  id: name,
  owner: `${name} herself`,
  position: positionOf(n),
});
const everything = { index: idIndex, equals: {}, direction: 'ascending', limit: 10 } as const;

let folder: string;
let file: string;
let build: Build;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lode-damage-'));
  file = join(folder, 'read-models.sqlite');
  const store = openSqliteReadStore({ file });
  build = await store.begin(purses, { bulk: false });
  const put = [purse('ann', 1), purse('bob', 2), purse('eve', 3)];
  await store.write([{ build, checkpoint: { position: positionOf(3), ordinal: 3 }, put, remove: [] }]);
  await store.activate(build);
  await store.close();
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Changes the file beside whoever has it open. */
function change(sql: string): void {
  const db = new DatabaseSync(file);
  db.exec(sql.replaceAll('PURSES', `"${buildName(build)}"`));
  db.close();
}

/** Makes the file one of before there were checksums. */
function withoutChecksums(): void {
  change('ALTER TABLE PURSES DROP COLUMN checksum; PRAGMA user_version = 3; VACUUM');
}

/** Flips a bit of the first digit that Bob has, in the closed file. */
function flipOnDisk(): void {
  const bytes = readFileSync(file);
  const at = bytes.indexOf('1000.02');
  expect(at).toBeGreaterThan(0);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 8, at);
  writeFileSync(file, bytes);
}

const refusal = (ids: readonly string[]) =>
  expect.objectContaining({
    code: 'storage_failed',
    details: { build: buildName(build), documents: ids },
  });

describe('a bit that was flipped in a document on the disk', () => {
  test('is refused by each way of reading it, and by no other', async () => {
    flipOnDisk();
    const store = openSqliteReadStore({ file });
    await expect(store.get('purses', 'bob')).rejects.toEqual(refusal(['bob']));
    await expect(store.getMany('purses', ['ann', 'bob'])).rejects.toEqual(refusal(['bob']));
    await expect(store.list('purses', everything)).rejects.toEqual(refusal(['bob']));
    await expect(store.read(build, ['eve', 'bob'])).rejects.toEqual(refusal(['bob']));
    expect(await store.getMany('purses', ['ann', 'eve'])).toEqual([purse('ann', 1), purse('eve', 3)]);
    await store.close();
  });

  test('is gone once the document is written again', async () => {
    flipOnDisk();
    const store = openSqliteReadStore({ file });
    await store.write([{ build, put: [purse('bob', 2)], remove: [] }]);
    expect(await store.get('purses', 'bob')).toEqual(purse('bob', 2));
    await store.close();
  });

  // What the checksum is for: without it nothing else would tell.
  test('is served where rows have no checksum, as in a file of before', async () => {
    withoutChecksums();
    flipOnDisk();
    const reader = openSqliteReadStoreReader({ file });
    expect(await reader.get('purses', 'bob')).toEqual({ ...purse('bob', 2), amount: '9000.02' });
    await reader.close();
  });
});

test('a file of before is read as it is, and a document has its checksum once it is written again', async () => {
  withoutChecksums();
  const reader = openSqliteReadStoreReader({ file });
  expect(await reader.get('purses', 'ann')).toEqual(purse('ann', 1));
  const store = openSqliteReadStore({ file });
  expect(await store.list('purses', everything)).toHaveLength(3);
  await store.write([{ build, put: [purse('bob', 2)], remove: [] }]);
  change(`UPDATE PURSES SET document = replace(document, '1000.0', '9000.0')`);
  await expect(reader.get('purses', 'bob')).rejects.toEqual(refusal(['bob']));
  expect(await reader.get('purses', 'ann')).toMatchObject({ amount: '9000.01' });
  await Promise.all([store.close(), reader.close()]);
});

test('a row of another table, or with another id than its document, is refused', async () => {
  change(`UPDATE PURSES SET id = 'bobby' WHERE id = 'bob'`);
  const store = openSqliteReadStore({ file });
  await expect(store.get('purses', 'bobby')).rejects.toEqual(refusal(['bobby']));
  const other = await store.begin({ ...purses, version: 2 }, { bulk: false });
  await store.close();
  change(`INSERT INTO "${buildName(other)}" SELECT * FROM PURSES WHERE id = 'ann'`);
  const again = openSqliteReadStore({ file });
  await expect(again.read(other, ['ann'])).rejects.toMatchObject({
    details: { build: buildName(other), documents: ['ann'] },
  });
  await again.close();
});

test('a list never gives what an index has under a wrong name', async () => {
  change(`UPDATE PURSES SET k_owner = 'ann herself' WHERE id = 'bob'`);
  const store = openSqliteReadStore({ file });
  const ofAnn = { ...everything, index: 'owner', equals: { owner: 'ann herself' } };
  await expect(store.list('purses', ofAnn)).rejects.toEqual(refusal([]));
  await store.close();
});
