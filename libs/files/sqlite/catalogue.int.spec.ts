import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describeFileCatalogue } from '#files/contract';
import { openSqliteFileCatalogue } from '#files/sqlite';

const newFolder = () => mkdtempSync(join(tmpdir(), 'lode-catalogue-'));

describeFileCatalogue('SQLite', async () => {
  const folder = newFolder();
  return {
    open: () => openSqliteFileCatalogue({ file: join(folder, 'files.sqlite') }),
    cleanUp: async () => rmSync(folder, { recursive: true }),
  };
});

describe('the catalogue’s file', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = newFolder();
    file = join(folder, 'files.sqlite');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('is for its owner only', async () => {
    const catalogue = await openSqliteFileCatalogue({ file });
    expect(statSync(file).mode & 0o077).toBe(0);
    await catalogue.close();
  });

  test.each([
    [
      'is no database',
      'is damaged or is not a database',
      () => writeFileSync(file, 'not a database '.repeat(900)),
    ],
    [
      'is another program’s',
      'belongs to another program',
      () => new DatabaseSync(file).exec('CREATE TABLE x (y)'),
    ],
    ['is in no folder', "can't be opened", () => void (file = join(folder, 'missing', 'files.sqlite'))],
    ['is a folder', "can't be opened", () => mkdirSync(file)],
  ])('that %s is refused, and named', async (_, why, spoil) => {
    spoil();
    await expect(openSqliteFileCatalogue({ file })).rejects.toMatchObject({
      code: 'storage_failed',
      message: `The catalogue of files ${file} ${why}.`,
    });
  });

  test('of a newer program is refused, and left as it is', async () => {
    await (await openSqliteFileCatalogue({ file })).close();
    const db = new DatabaseSync(file);
    db.exec('PRAGMA user_version = 99');
    db.close();
    const before = readFileSync(file);
    await expect(openSqliteFileCatalogue({ file })).rejects.toMatchObject({
      code: 'storage_failed',
      message: expect.stringContaining('was written by a newer Lode (schema 99, this one knows 1)'),
    });
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test('that another program holds for long is unavailable, and works afterwards', async () => {
    const catalogue = await openSqliteFileCatalogue({ file });
    const other = new DatabaseSync(file);
    other.exec('BEGIN IMMEDIATE');
    await expect(catalogue.abandon('A'.repeat(35), 1)).rejects.toMatchObject({ code: 'unavailable' });
    other.exec('ROLLBACK');
    other.close();
    expect(await catalogue.abandon('A'.repeat(35), 1)).toBe(false);
    await catalogue.close();
  });
});
