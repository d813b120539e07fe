import { afterAll, beforeAll } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeFileStore } from '#files/contract';
import { openS3FileStore } from '#files/s3';
import { openSqliteFileCatalogue } from '#files/sqlite';
import { describeWhere, lacking } from '#kernel/testing';
import { findVersitygw, startVersitygw, type Versitygw } from './testing/index.js';

const NOW = Date.parse('2026-01-01T00:00:00.000Z');

describeWhere(findVersitygw() !== undefined, 'file store contract on versitygw', lacking('s3'), () => {
  let server: Versitygw;
  beforeAll(async () => void (server = await startVersitygw()));
  afterAll(() => server.close());

  describeFileStore('S3', async () => {
    const bucket = await server.createBucket();
    const folder = mkdtempSync(join(tmpdir(), 'lode-s3-files-'));
    const openCatalogue = () => openSqliteFileCatalogue({ file: join(folder, 'files.sqlite') });
    let catalogue = await openCatalogue();
    const open = () =>
      openS3FileStore({ url: bucket.url(), catalogue, spool: join(folder, 'spool'), clock: () => NOW });
    return {
      open,
      reopen: async (store) => {
        await store.close();
        await catalogue.close();
        catalogue = await openCatalogue();
        return open();
      },
      at: new Date(NOW).toISOString(),
      kept: async () => {
        const entries = [
          ...(await catalogue.list({ limit: 1_000 })),
          ...(await catalogue.stale(NOW + 1)).map(({ file }) => file),
        ];
        return [...new Set([...(await bucket.keys()), ...entries.map(({ fileId }) => fileId)])].sort();
      },
      cleanUp: async () => {
        await catalogue.close();
        rmSync(folder, { recursive: true });
      },
    };
  });
});
