import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLodeError, logStart, type RecordedEvent } from '#kernel';
import { openLogReader, openSqliteEventStore } from '#event-store/sqlite';
import { readWal } from '#event-store/sqlite/testing';
import { checkLog, everything, startWriting } from '#event-store/testing';

const STEP = 512;
const TAIL = 16 * 1_024;
const FLIPS = 300;
/** Events that were moved into the database before what stands in the write-ahead log. */
const SETTLED = 20;
const APPENDS = 60;

/**
 * What the power going off leaves: the database and a write-ahead log whose end was written in part. The events that each
 * commit in it ended with are known, so it is known exactly what must be found again.
 */
describe('after the power went off', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lode-torn-'));
  const file = join(folder, 'events.sqlite');
  let original: readonly RecordedEvent[];
  let database: Buffer;
  let wal: Buffer;
  /** Where each commit ends in the write-ahead log, and how many events the log then holds. */
  let ends: readonly { readonly offset: number; readonly events: number }[];

  beforeAll(async () => {
    const writing = startWriting();
    const settled = await openSqliteEventStore({ file });
    for (let n = 0; n < SETTLED; n++) await writing.append(settled, `stream-${n % 5}`);
    await settled.close();
    const store = await openSqliteEventStore({ file });
    const counts: number[] = [];
    for (let n = 0; n < APPENDS; n++) {
      await writing.append(store, `stream-${n % 7}`, 1 + (n % 3), (n % 4) * 1_500);
      counts.push(Number(await store.head()));
    }
    original = await everything(store);
    [database, wal] = [readFileSync(file), readFileSync(`${file}-wal`)];
    const commits = readWal(`${file}-wal`).filter((frame) => frame.isCommit);
    expect(commits).toHaveLength(APPENDS);
    ends = commits.map(({ end }, n) => ({ offset: end, events: counts[n] ?? 0 }));
    await store.close();
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Events that a log must hold whose write-ahead log is whole up to an offset. */
  const eventsBefore = (offset: number) => ends.findLast((end) => end.offset <= offset)?.events ?? SETTLED;

  /** Puts a database and a write-ahead log into a place of their own. */
  function put(name: string, log: Buffer): string {
    const place = join(folder, `${name}.sqlite`);
    writeFileSync(place, database);
    writeFileSync(`${place}-wal`, log);
    return place;
  }

  test.each(Array.from({ length: TAIL / STEP + 1 }, (_, n) => [n * STEP]))(
    'with the last %d bytes missing, every whole commit is there and the log goes on from it',
    async (missing) => {
      const cut = wal.subarray(0, wal.length - missing);
      const store = await openSqliteEventStore({ file: put(`cut-${missing}`, cut) });
      expect(await everything(store)).toEqual(original.slice(0, eventsBefore(cut.length)));
      await startWriting('after').append(store, 'after', 3);
      expect((await checkLog(store)).at(-1)?.position).toBe(String(eventsBefore(cut.length) + 3));
      await store.close();
    },
  );

  test('with the last sectors full of zeros, every whole commit is there', async () => {
    for (const sectors of [1, 8, 20]) {
      const zeroed = Buffer.from(wal).fill(0, wal.length - sectors * STEP);
      const events = await read(put(`zero-${sectors}`, zeroed));
      expect(events).toEqual(original.slice(0, eventsBefore(wal.length - sectors * STEP)));
    }
  });

  test('with a bit flipped anywhere in it, the history before the bit is there and nothing else, or it is refused', async () => {
    const offsets = [
      0,
      3,
      8,
      10,
      16,
      24,
      31,
      ...Array.from({ length: FLIPS }, (_, n) => scattered(n) % wal.length),
    ];
    for (const [n, offset] of offsets.entries()) {
      const flipped = Buffer.from(wal);
      flipped.writeUInt8(flipped.readUInt8(offset) ^ (1 << (n % 8)), offset);
      const place = put(`flip-${n}`, flipped);
      const events = await read(place).catch((error: unknown) => {
        if (!isLodeError(error) || error.code !== 'storage_failed') throw error;
        return undefined;
      });
      const intact = original.slice(0, eventsBefore(offset));
      if (events !== undefined) expect({ offset, events }).toEqual({ offset, events: intact });
      for (const end of ['', '-wal', '-shm']) rmSync(place + end, { force: true });
    }
  });

  test('without the write-ahead log, what was settled in the database is there', async () => {
    const place = join(folder, 'alone.sqlite');
    writeFileSync(place, database);
    expect(await read(place)).toEqual(original.slice(0, SETTLED));
  });

  test('a copy of both files while nothing is written is the whole log', async () => {
    const place = put('whole', wal);
    copyFileSync(place, join(folder, 'copy.sqlite'));
    copyFileSync(`${place}-wal`, join(folder, 'copy.sqlite-wal'));
    expect(await read(join(folder, 'copy.sqlite'))).toEqual(original);
  });

  /** Everything in the log of a file, or why it is refused. */
  async function read(place: string): Promise<readonly RecordedEvent[]> {
    const reader = openLogReader(place);
    try {
      return reader.readAll(logStart, 1_000);
    } finally {
      reader.close();
    }
  }
});

/** Numbers that look random and are the same in every run. */
function scattered(n: number): number {
  return Math.imul(n + 1, 0x9e3779b1) >>> 0;
}
