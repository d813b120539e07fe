import { createHash } from 'node:crypto';
import { PassThrough, type Readable } from 'node:stream';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { FileMetadata } from '#files';
import type { Timers } from '#kernel';
import { until } from '#kernel/testing';
import { download } from './download.js';

const CHUNK = Buffer.alloc(100_000, 7);
const CHUNKS = 4;
const file: FileMetadata = {
  fileId: 'A'.repeat(35),
  ownerId: 'ann',
  purpose: 'evidence',
  mediaType: 'application/pdf',
  bytes: CHUNK.length * CHUNKS,
  sha256: createHash('sha256')
    .update(Buffer.alloc(CHUNK.length * CHUNKS, 7))
    .digest('hex'),
  createdAt: '2026-01-01T00:00:00.000Z',
};

describe('a download', () => {
  let body: PassThrough;
  let stream: Readable;
  /** What was set to happen if nothing comes. */
  let waiting: Set<() => void>;
  beforeEach(() => {
    waiting = new Set();
    const timers: Timers = {
      after: (_, done) => {
        waiting.add(done);
        return () => waiting.delete(done);
      },
      yieldNow: () => Promise.resolve(),
    };
    body = new PassThrough({ highWaterMark: file.bytes });
    stream = download(body, { file, range: undefined }, { stalledMs: 1, timers, bucket: 'lode' });
  });
  const send = (chunks: number) => {
    for (let n = 0; n < chunks; n += 1) body.write(CHUNK);
  };

  let received: number;
  /** Reads to the end; says how many bytes came, and what it failed with. */
  async function read(): Promise<{ readonly bytes: number; readonly failed?: unknown }> {
    received = 0;
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) received += chunk.length;
      return { bytes: received };
    } catch (failed) {
      return { bytes: received, failed };
    }
  }

  /** Lets everything go on until something holds. */
  test('gives what came', async () => {
    send(CHUNKS);
    body.end();
    expect(await read()).toEqual({ bytes: file.bytes });
    expect([waiting.size, body.destroyed]).toEqual([0, true]);
  });

  test('keeps the last bytes back until all of them were compared', async () => {
    const reading = read();
    for (let n = 0; n < CHUNKS; n += 1) {
      send(1);
      await until(() => body.readableLength === 0 && received === n * CHUNK.length && waiting.size === 1);
    }
    // All of it has come but its end, which does not come.
    for (const done of waiting) done();
    expect(await reading).toMatchObject({
      bytes: file.bytes - CHUNK.length,
      failed: { code: 'unavailable' },
    });
  });

  test.each([
    ['ends early', (n: number) => n === CHUNKS - 1 && body.end(), 'unavailable'],
    ['is longer', (n: number) => n === CHUNKS && body.end(CHUNK), 'storage_failed'],
    [
      'is another one',
      (n: number) => n === CHUNKS - 1 && body.end(Buffer.alloc(CHUNK.length, 8)),
      'storage_failed',
    ],
    ['breaks off', (n: number) => n === CHUNKS && body.destroy(new Error('socket hang up')), 'unavailable'],
  ])('that %s fails, and never has all bytes', async (_, end, code) => {
    for (let n = 0; n <= CHUNKS; n += 1) {
      if (end(n) !== false) break;
      send(1);
    }
    const { bytes, failed } = await read();
    expect(failed).toMatchObject({ code });
    expect(bytes).toBeLessThan(file.bytes);
    expect(body.destroyed).toBe(true);
  });

  test('waits as long as its reader likes', async () => {
    send(CHUNKS);
    body.end();
    const chunks: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]();
    let bytes = 0;
    for (;;) {
      // Once it has read ahead as far as it does, it asks for nothing, and no time runs.
      await until(() => waiting.size === 0);
      const next = await chunks.next();
      if (next.done === true) break;
      bytes += next.value.length;
    }
    expect(bytes).toBe(file.bytes);
  });

  test('that its reader leaves ends what it comes from', async () => {
    send(1);
    const closed = new Promise((resolve) => body.once('close', resolve));
    stream.on('error', () => undefined).destroy();
    await closed;
    expect(body.destroyed).toBe(true);
  });
});
