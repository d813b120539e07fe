import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { checkCatalog, openFolderFiles } from '#files/folder';
import { describeFileStore } from '#files/contract';
import { pdf } from '../contract/samples.js';
import { UNFINISHED_STALE_MS } from './store.js';

const NOW = Date.parse('2026-01-01T00:00:00.000Z');
const OWNER = { ownerId: 'ann', purpose: 'evidence' } as const;
/** What is in the folder beside its catalog, sorted. */
const namesIn = async (folder: string) =>
  (await readdir(folder)).filter((name) => !name.startsWith('catalog.sqlite')).sort();
const ID = 'A'.repeat(35);
const newFolder = () => join(mkdtempSync(join(tmpdir(), 'lode-files-')), 'data', 'files');
const remove = (folder: string) => rmSync(join(folder, '..', '..'), { recursive: true });

describeFileStore('folder', async () => {
  const folder = newFolder();
  const open = () => openFolderFiles({ folder, clock: () => NOW });
  return {
    open,
    reopen: async (store) => {
      await store.close();
      return open();
    },
    at: new Date(NOW).toISOString(),
    kept: async () => (await namesIn(folder)).filter((name) => name !== 'unfinished'),
    cleanUp: async () => remove(folder),
  };
});

describe('the folder of files', () => {
  let folder: string;
  beforeEach(() => void (folder = newFolder()));
  afterEach(() => remove(folder));
  const unfinished = () => readdir(join(folder, 'unfinished'));
  /** Opened at a time when all that is unfinished now is old. */
  const openLater = () => openFolderFiles({ folder, clock: () => Date.now() + UNFINISHED_STALE_MS });

  test('holds the content and what is known of it, for its owner only, without the name it had', async () => {
    const store = await openFolderFiles({ folder });
    const metadata = await store.put(pdf, OWNER);
    const { fileId } = metadata;
    expect(await namesIn(folder)).toEqual([fileId, `${fileId}.json`, 'unfinished'].sort());
    expect(JSON.parse(await readFile(join(folder, `${fileId}.json`), 'utf8'))).toEqual(metadata);
    for (const name of [fileId, `${fileId}.json`])
      expect((await stat(join(folder, name))).mode & 0o077).toBe(0);
    expect(await unfinished()).toEqual([]);
  });

  test('its catalog is for its owner only', async () => {
    const store = await openFolderFiles({ folder });
    await store.put(pdf, OWNER);
    const catalog = (await readdir(folder)).filter((name) => name.startsWith('catalog.sqlite'));
    for (const name of catalog) expect((await stat(join(folder, name))).mode & 0o077).toBe(0);
    expect(catalog).toContain('catalog.sqlite');
    await store.close();
  });

  test('files from before there were purposes and a catalog are evidence, and count', async () => {
    const before = await openFolderFiles({ folder });
    const { purpose, ...old } = await before.put(pdf, OWNER);
    await before.close();
    await writeFile(join(folder, `${old.fileId}.json`), JSON.stringify(old));
    for (const name of await readdir(folder))
      if (name.startsWith('catalog.sqlite')) await rm(join(folder, name));
    writeFileSync(join(folder, 'notes.json'), 'not a file of Lode');
    const store = await openFolderFiles({ folder });
    expect(await store.stat(old.fileId)).toEqual({ ...old, purpose });
    expect(await store.list({ limit: 10 })).toEqual([{ ...old, purpose }]);
    expect(await store.usage(OWNER)).toEqual({ files: 1, bytes: pdf.length });
    await store.close();
  });

  const catalog = () => join(folder, 'catalog.sqlite');
  const opened = async () => {
    let remade = 0;
    const store = await openFolderFiles({ folder, onRemade: () => (remade += 1) });
    return { store, remade: () => remade };
  };

  test.each([
    ['is no database', () => writeFile(catalog(), 'not a database at all, '.repeat(1_000))],
    ['was cut short', () => truncate(catalog(), 5_000)],
    [
      'has other tables',
      async () => {
        await rm(catalog());
        const db = new DatabaseSync(catalog());
        db.exec('CREATE TABLE files (name TEXT)');
        db.close();
      },
    ],
  ])('a catalog that %s is told, and made anew from the folder', async (_, spoil) => {
    const { store: before, remade: never } = await opened();
    const kept = [await before.put(pdf, OWNER), await before.put(pdf, OWNER)];
    await before.close();
    expect(never()).toBe(0);
    expect(() => checkCatalog({ folder })).not.toThrow();
    await spoil();
    expect(() => checkCatalog({ folder })).toThrow(
      expect.objectContaining({ code: 'storage_failed', message: expect.stringContaining(catalog()) }),
    );
    const { store, remade } = await opened();
    expect(remade()).toBe(1);
    expect(await store.usage(OWNER)).toEqual({ files: 2, bytes: 2 * pdf.length });
    expect((await store.list({ limit: 10 })).map(({ fileId }) => fileId)).toEqual(
      kept.map(({ fileId }) => fileId).sort(),
    );
    expect(() => checkCatalog({ folder })).not.toThrow();
    await store.close();
  });

  test('a catalog that is found damaged while it is used is made anew at the next opening', async () => {
    const { store: before } = await opened();
    for (let n = 0; n < 60; n += 1) await before.put(pdf, OWNER);
    await before.close();
    const bytes = await readFile(catalog());
    // The schema is in the first page; the rows are in the others.
    await writeFile(catalog(), bytes.fill(0xa5, 4_096));
    const { store: hurt, remade } = await opened();
    expect(remade()).toBe(0);
    await expect(hurt.list({ limit: 100 })).rejects.toMatchObject({ code: 'storage_failed' });
    await hurt.close();
    expect(() => checkCatalog({ folder })).toThrow('was found to be damaged');
    const { store, remade: anew } = await opened();
    expect(anew()).toBe(1);
    expect(await store.list({ limit: 100 })).toHaveLength(60);
    await store.close();
    expect((await opened()).remade()).toBe(0);
  });

  test('a catalog that can’t be opened is named', async () => {
    await mkdir(catalog(), { recursive: true });
    for (const look of [opened, async () => checkCatalog({ folder })])
      await expect(look()).rejects.toMatchObject({
        code: 'storage_failed',
        message: expect.stringContaining(catalog()),
      });
  });

  test('a catalog that may have lost the newest files is made whole', async () => {
    const before = await openFolderFiles({ folder });
    const [kept, lost] = [await before.put(pdf, OWNER), await before.put(pdf, OWNER)];
    await before.close();
    const catalog = new DatabaseSync(join(folder, 'catalog.sqlite'));
    catalog.prepare('DELETE FROM files WHERE file_id = ?').run(lost.fileId);
    catalog.exec('PRAGMA user_version = 1');
    catalog.close();
    const store = await openFolderFiles({ folder });
    const listed = await store.list({ ownerId: 'ann', limit: 10 });
    expect(new Set(listed)).toEqual(new Set([kept, lost]));
    await store.close();
  });

  test('what the catalog has and the folder lost is forgotten when it is deleted', async () => {
    const store = await openFolderFiles({ folder });
    const { fileId } = await store.put(pdf, OWNER);
    await rm(join(folder, `${fileId}.json`));
    await store.delete(fileId);
    expect(await store.list({ limit: 10 })).toEqual([]);
    await store.close();
  });

  test('a refused upload leaves nothing behind', async () => {
    const store = await openFolderFiles({ folder });
    for (const content of ['', 'text'])
      await expect(store.put(Buffer.from(content), OWNER)).rejects.toThrow();
    expect(await unfinished()).toEqual([]);
  });

  test('a program that is killed while it stores leaves nothing visible, and later nothing at all', async () => {
    const program = `
      import { openFolderFiles } from '#files/folder';
      const store = await openFolderFiles({ folder: process.argv[1] });
      await store.put((async function* () {
        yield Buffer.from('%PDF-1.7\\n'.padEnd(200_000));
        process.stdout.write('written');
        await new Promise(() => setInterval(() => undefined, 1_000));
      })(), { ownerId: 'ann', purpose: 'evidence' });`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, folder]);
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(await namesIn(folder)).toEqual(['unfinished']);
    expect(await unfinished()).toHaveLength(1);
    await openFolderFiles({ folder });
    expect(await unfinished()).toHaveLength(1);
    await openLater();
    expect(await unfinished()).toEqual([]);
  });

  test('what a program left that was killed is gone at once where nobody else has the folder', async () => {
    await mkdir(join(folder, 'unfinished'), { recursive: true });
    const [half, moved] = [ID, 'B'.repeat(35)];
    writeFileSync(join(folder, 'unfinished', half), pdf);
    // Between its two moves.
    writeFileSync(join(folder, moved), pdf);
    writeFileSync(join(folder, 'unfinished', `${moved}.json`), '{}');
    const store = await openFolderFiles({ folder, isAlone: true });
    expect([await namesIn(folder), await unfinished()]).toEqual([['unfinished'], []]);
    await store.close();
  });

  test('a crash between the two moves of an upload leaves nothing visible, and later nothing at all', async () => {
    await mkdir(join(folder, 'unfinished'), { recursive: true });
    writeFileSync(join(folder, ID), pdf);
    writeFileSync(join(folder, 'unfinished', `${ID}.json`), '{}');
    const store = await openFolderFiles({ folder });
    await expect(store.stat(ID)).rejects.toMatchObject({ code: 'file_not_found' });
    expect(existsSync(join(folder, ID))).toBe(true);
    await openLater();
    expect([await namesIn(folder), await unfinished()]).toEqual([['unfinished'], []]);
  });

  test('a crash in the middle of a deletion finishes it later', async () => {
    const store = await openFolderFiles({ folder });
    const [gone, kept] = [await store.put(pdf, OWNER), await store.put(pdf, OWNER)];
    await rename(join(folder, `${gone.fileId}.json`), join(folder, 'unfinished', `${gone.fileId}.json`));
    const later = await openLater();
    await expect(later.open(gone.fileId)).rejects.toMatchObject({ code: 'file_not_found' });
    expect(await namesIn(folder)).toEqual([kept.fileId, `${kept.fileId}.json`, 'unfinished'].sort());
    expect(await later.stat(kept.fileId)).toEqual(kept);
  });

  test('a deletion that was cut off is finished by the next one, and can be found until then', async () => {
    const store = await openFolderFiles({ folder });
    const { fileId } = await store.put(pdf, OWNER);
    await rename(join(folder, `${fileId}.json`), join(folder, 'unfinished', `${fileId}.json`));
    expect(await store.list({ ownerId: 'ann', limit: 10 })).toMatchObject([{ fileId }]);
    expect(await store.delete(fileId)).toBe(false);
    expect([await namesIn(folder), await unfinished()]).toEqual([['unfinished'], []]);
    expect(await store.list({ limit: 10 })).toEqual([]);
    await store.close();
  });

  test('an old trace never takes a file that is whole with it', async () => {
    const store = await openFolderFiles({ folder });
    const { fileId } = await store.put(pdf, OWNER);
    writeFileSync(join(folder, 'unfinished', `${fileId}.json`), '{}');
    writeFileSync(join(folder, 'unfinished', '..json'), '{}');
    const later = await openLater();
    const { stream } = await later.open(fileId);
    expect(Buffer.concat(await stream.toArray()).equals(pdf)).toBe(true);
    expect(await unfinished()).toEqual([]);
  });

  test('a sweep finishes what is old and not this program’s, and goes on past what can not be removed', async () => {
    let now = Date.now();
    const store = await openFolderFiles({ folder, clock: () => now });
    const gone = await store.put(pdf, OWNER);
    await rename(join(folder, `${gone.fileId}.json`), join(folder, 'unfinished', `${gone.fileId}.json`));
    await writeFile(join(folder, 'unfinished', ID), pdf);
    expect(await store.sweep()).toEqual({ finished: 0, failed: 0 });
    now += UNFINISHED_STALE_MS;
    // A name that comes first, and that is not removed as a file is.
    await mkdir(join(folder, 'unfinished', '0'));
    const [whole, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const storing = store.put(
      (async function* () {
        yield pdf;
        begun.resolve();
        await whole.promise;
      })(),
      OWNER,
    );
    await begun.promise;
    now += UNFINISHED_STALE_MS;
    expect(await store.sweep()).toEqual({ finished: 2, failed: 1 });
    expect(await unfinished()).toHaveLength(2);
    expect(await store.list({ limit: 10 })).toEqual([]);
    await rm(join(folder, 'unfinished', '0'), { recursive: true });
    whole.resolve();
    const stored = await storing;
    expect(await store.list({ limit: 10 })).toEqual([stored]);
    expect(await store.sweep()).toEqual({ finished: 0, failed: 0 });
    await store.close();
  });

  test('a file that was cut off or whose facts are damaged is told to be damaged', async () => {
    const store = await openFolderFiles({ folder });
    const [cut, garbled] = [await store.put(pdf, OWNER), await store.put(pdf, OWNER)];
    await truncate(join(folder, cut.fileId), 10);
    await truncate(join(folder, `${garbled.fileId}.json`), 10);
    for (const { fileId } of [cut, garbled])
      await expect(store.open(fileId)).rejects.toMatchObject({
        code: 'storage_failed',
        message: `The stored file ${fileId} is damaged.`,
      });
  });

  test('a disk that fails in the middle of an upload leaves nothing', async () => {
    const program = `
      import { openFolderFiles } from '#files/folder';
      const store = await openFolderFiles({ folder: process.argv[1] });
      const error = await store.put(Buffer.from('%PDF-1.7\\n'.padEnd(200_000)), { ownerId: 'ann', purpose: 'evidence' }).catch((e) => e);
      process.stdout.write(error.code);`;
    // A limit on the size of files is the failing disk that needs no special rights.
    const command = `trap '' XFSZ; ulimit -f 100; exec "$0" --input-type=module -e "$1" "$2"`;
    const { stdout } = await promisify(execFile)('bash', ['-c', command, process.execPath, program, folder]);
    expect(stdout).toBe('storage_failed');
    expect([await namesIn(folder), await unfinished()]).toEqual([['unfinished'], []]);
  });

  test('a folder that went away is told in one sentence', async () => {
    const store = await openFolderFiles({ folder });
    await rm(folder, { recursive: true });
    await expect(store.put(pdf, OWNER)).rejects.toMatchObject({
      code: 'storage_failed',
      message: expect.stringMatching(/^The folder of uploaded files can't be used: /),
    });
  });
});
