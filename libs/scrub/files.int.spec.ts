import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { truncate, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { complaintAboutFile, type FileStore } from '#files';
import { openS3FileStore } from '#files/s3';
import { findVersitygw, startVersitygw, type TestBucket, type Versitygw } from '#files/s3/testing';
import { openSqliteFileCatalogue } from '#files/sqlite';
import { describeWhere, lacking } from '#kernel/testing';
import { lookAtFiles } from '#scrub';

const OWNER = { ownerId: 'ann', purpose: 'evidence' } as const;
/** The content of a document, another for each number. */
const pdf = (n: number) => Buffer.from(`%PDF-1.7\n% ${n}\n%%EOF\n`);

/** What a look at all files of a store finds, and how many it has seen. */
async function lookedAt(
  files: FileStore,
): Promise<{ readonly looked: number; readonly found: readonly string[] }> {
  const look = lookAtFiles(files, (id, facts) => complaintAboutFile(() => files.open(id), facts));
  const found: string[] = [];
  let looked = 0;
  let place: string | undefined;
  do {
    const some = await look(place);
    found.push(...some.found.map(({ what }) => what));
    looked += some.looked;
    place = some.next;
  } while (place !== undefined);
  return { looked, found };
}

describeWhere(findVersitygw() !== undefined, 'a look at files on versitygw', lacking('s3'), () => {
  const folder = mkdtempSync(join(tmpdir(), 'lode-look-'));
  let server: Versitygw;
  let bucket: TestBucket;
  let close: () => Promise<void>;
  let files: FileStore;
  beforeAll(async () => {
    server = await startVersitygw();
    bucket = await server.createBucket();
    const catalogue = await openSqliteFileCatalogue({ file: join(folder, 'files.sqlite') });
    const store = await openS3FileStore({ url: bucket.url(), catalogue, spool: join(folder, 'spool') });
    files = store;
    close = async () => {
      await store.close();
      await catalogue.close();
    };
  });
  afterAll(async () => {
    await close();
    await server.close();
    rmSync(folder, { recursive: true });
  });

  test('finds the one that was cut and the one that is gone', async () => {
    const stored = [];
    for (const n of [1, 2, 3]) stored.push((await files.put(pdf(n), OWNER)).fileId);
    expect(await lookedAt(files)).toEqual({ looked: 3, found: [] });
    const [whole, cut, gone] = stored as [string, string, string];
    await truncate(bucket.fileOf(cut), 5);
    await rm(bucket.fileOf(gone));
    const { looked, found } = await lookedAt(files);
    expect(looked).toBe(3);
    const told = (id: string, what: string) =>
      expect.stringMatching(new RegExp(`^The stored file ${id} can't be read: .+ is ${what}\\.$`));
    expect(found).toHaveLength(2);
    expect(found).toEqual(expect.arrayContaining([told(cut, 'damaged'), told(gone, 'missing')]));
    expect(found.join()).not.toContain(whole);
  });
});
