import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openLogReader, openSqliteEventStore } from '#event-store/sqlite';
import { canMount, mountTmpfs } from '#event-store/sqlite/testing';
import { checkLog, startWriting } from '#event-store/testing';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lode-open-'));
  file = join(folder, 'events.sqlite');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A database that some program made. */
function make(sql: string): void {
  const db = new DatabaseSync(file);
  db.exec(sql);
  db.close();
}

async function makeLog(): Promise<void> {
  const store = await openSqliteEventStore({ file });
  await startWriting().append(store, 'a');
  await store.close();
}

const refusal = (sentence: string) => ({ name: 'LodeError', code: 'storage_failed', message: sentence });

describe('a file that can not be the log is refused in one sentence and left as it is', () => {
  test.each<[string, () => void | Promise<void>, (path: string) => string]>([
    [
      'text',
      () => writeFileSync(file, 'This is my diary. '.repeat(100)),
      (path) => `${path} is damaged: restore it from a backup.`,
    ],
    [
      "another program's database",
      () => make('CREATE TABLE diary (day TEXT)'),
      (path) => `${path} is not a Lode log.`,
    ],
    [
      "another program's database that holds nothing yet",
      () => make('PRAGMA application_id = 7'),
      (path) => `${path} is not a Lode log.`,
    ],
    [
      'a database that only counts its versions as we do',
      () => make('PRAGMA user_version = 1; CREATE TABLE events (position INTEGER PRIMARY KEY)'),
      (path) => `${path} is not a Lode log.`,
    ],
    [
      'a log of a newer Lode',
      async () => {
        await makeLog();
        make('PRAGMA user_version = 4');
      },
      (path) => `${path} was written by a newer Lode (layout 4; this one knows 3): start that one.`,
    ],
    [
      'a log that was cut short',
      async () => {
        await makeLog();
        writeFileSync(file, readFileSync(file).subarray(0, 4_096 + 100));
      },
      (path) => `${path} is damaged: restore it from a backup.`,
    ],
    [
      'a folder',
      () => mkdirSync(file),
      (path) => `${path} can't be opened for writing: look at the folder's rights.`,
    ],
  ])('%s', async (_, prepare, sentence) => {
    await prepare();
    const before = contentOf(file);
    await expect(openSqliteEventStore({ file })).rejects.toMatchObject(refusal(sentence(file)));
    expect(contentOf(file)).toEqual(before);
    expect(() => openLogReader(file)).toThrow(expect.objectContaining({ code: 'storage_failed' }));
  });

  test('a folder that is a file', async () => {
    writeFileSync(join(folder, 'data'), '');
    const inside = join(folder, 'data', 'events.sqlite');
    await expect(openSqliteEventStore({ file: inside })).rejects.toMatchObject(
      refusal(`${join(folder, 'data')} can't be written: look at its rights.`),
    );
  });

  test('a reader of a log that is not there, which it does not make', () => {
    expect(() => openLogReader(file)).toThrow(expect.objectContaining({ code: 'storage_failed' }));
    expect(() => readFileSync(file)).toThrow(expect.objectContaining({ code: 'ENOENT' }));
  });
});

/** The bytes of a file; undefined for a folder. */
function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'base64');
  } catch {
    return undefined;
  }
}

describe('a folder that can not be written', () => {
  // Rights do not stop the superuser; a file system that is mounted read-only does.
  const isRoot = process.getuid?.() === 0;
  const canRun = !isRoot || canMount('an unwritable folder');

  (canRun ? test : test.skip)('is named in one sentence', async () => {
    const mounted = isRoot ? mountTmpfs('size=1m,ro') : undefined;
    const place = mounted?.folder ?? join(folder, 'locked');
    if (mounted === undefined) mkdirSync(place, { mode: 0o500 });
    const there = join(place, 'events.sqlite');
    await expect(openSqliteEventStore({ file: there })).rejects.toMatchObject(
      refusal(`${there} can't be opened for writing: look at the folder's rights.`),
    );
    const below = join(place, 'data', 'events.sqlite');
    await expect(openSqliteEventStore({ file: below })).rejects.toMatchObject(
      refusal(`${join(place, 'data')} can't be written: look at its rights.`),
    );
    mounted?.unmount();
  });
});

describe('a file that can be the log', () => {
  test('is an empty one, or none in folders that are not there yet', async () => {
    writeFileSync(file, '');
    for (const path of [file, join(folder, 'deep', 'down', 'events.sqlite')]) {
      const store = await openSqliteEventStore({ file: path });
      await startWriting().append(store, 'a', 3);
      expect(await checkLog(store)).toHaveLength(3);
      await store.close();
    }
  });

  test.each([
    ['from before logs had an id', 'DROP TABLE header; PRAGMA user_version = 2'],
    ['that was copied without its id', 'DELETE FROM header'],
  ])('is one %s, which gets one and keeps its events', async (_, older) => {
    const written = await openSqliteEventStore({ file });
    await startWriting().append(written, 'a', 3);
    const [before, events] = [await written.header(), await checkLog(written)];
    await written.close();
    make(older);
    const reader = openLogReader(file);
    expect(reader.header()).toBeUndefined();
    const store = await openSqliteEventStore({ file });
    const header = await store.header();
    expect(header).toEqual({ logId: expect.any(String), partitions: 1 });
    expect(header?.logId).not.toBe(before?.logId);
    expect(reader.header()).toEqual(header);
    expect(await checkLog(store)).toEqual(events);
    reader.close();
    await store.close();
  });

  test('is closed more than once without harm, and then takes nothing', async () => {
    const store = await openSqliteEventStore({ file });
    const writing = startWriting();
    const sent = writing.append(store, 'a');
    await Promise.all([store.close(), store.close()]);
    await expect(sent).resolves.toMatchObject({ revision: 0 });
    await expect(writing.append(store, 'a')).rejects.toMatchObject({ code: 'unavailable' });
  });
});
