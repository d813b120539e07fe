import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { quantile } from './client.mjs';

const KIB = 1_024;
const MIB = 1_024 * KIB;
/** What a picture that was encoded anew has, and a long PDF. */
const SIZES = [
  [100 * KIB, '100 KiB'],
  [5 * MIB, '5 MiB'],
];
const UNDER_WAY = 16;
/** Below every quota. */
const FILES_OF_ONE = 100;
const BEGINNING = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n', 'latin1');

/**
 * Files a second into a bucket and out of it, on a versitygw of its own on this machine, which shares the cores and waits
 * for the disk or not as it likes. Undefined when there is no versitygw here.
 */
export async function measureFiles(root, folder, seconds) {
  const dist = (...path) => import(join(root, 'dist', 'libs', 'files', ...path, 'index.js'));
  const { findVersitygw, startVersitygw } = await dist('s3', 'testing');
  if (findVersitygw() === undefined) return undefined;
  const { openS3FileStore } = await dist('s3');
  const { openSqliteFileCatalogue } = await dist('sqlite');
  mkdirSync(folder, { recursive: true });
  const server = await startVersitygw();
  const bucket = await server.createBucket();
  const catalogue = await openSqliteFileCatalogue({ file: join(folder, 'files.sqlite') });
  const store = await openS3FileStore({ url: bucket.url(), catalogue, spool: join(folder, 'spool') });
  const rows = [];
  for (const [size, words] of SIZES) {
    const content = Buffer.concat([BEGINNING, randomBytes(size - BEGINNING.length)]);
    const stored = [];
    const put = async (n) => {
      // As an upload comes: in chunks, of a length that is not known before.
      const ownerId = `person-${n % UNDER_WAY}-${Math.floor(n / UNDER_WAY / FILES_OF_ONE)}`;
      const { fileId } = await store.put(inChunks(content), { ownerId, purpose: 'evidence' });
      stored.push(fileId);
    };
    const read = async (n) => {
      const { stream } = await store.open(stored[n % stored.length]);
      await once(stream.resume(), 'end');
    };
    rows.push({ name: `S3: files of ${words} stored`, ...(await rate(seconds, size, put)) });
    rows.push({ name: `S3: files of ${words} read and compared`, ...(await rate(seconds, size, read)) });
    for (const fileId of stored) await store.delete(fileId);
  }
  await store.close();
  await catalogue.close();
  await server.close();
  return rows;
}

async function* inChunks(content) {
  for (let at = 0; at < content.length; at += 64 * KIB) yield content.subarray(at, at + 64 * KIB);
}

/** Does something again and again, `UNDER_WAY` at once. */
async function rate(seconds, size, work) {
  const latencies = [];
  const start = performance.now();
  let begun = 0;
  const lane = async () => {
    for (let from = performance.now(); from - start < seconds * 1_000; from = performance.now()) {
      await work(begun++);
      latencies.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: UNDER_WAY }, lane));
  const perSecond = latencies.length / ((performance.now() - start) / 1_000);
  latencies.sort((a, b) => a - b);
  return {
    perSecond,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    note: `files, ${UNDER_WAY} under way; ${((perSecond * size) / 1e6).toFixed(1)} MB/s`,
  };
}
