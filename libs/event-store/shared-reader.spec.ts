import { beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { LodeError, logStart, positionOf, type Position, type RecordedEvent } from '#kernel';
import { describeEventStore } from '#event-store/contract';
import { createMemoryEventStore } from '#event-store/memory';
import { startWriting } from '#event-store/testing';
import type { EventStore } from './port.js';
import { shareReads, sharedLimits } from './shared-reader.js';

type Read = { readonly after: Position; readonly limit: number };

let store: EventStore;
let reads: Read[];
/** Awaited by each read before it is carried out. */
let gate: (read: Read) => Promise<unknown>;
let shared: EventStore;
let write: (count: number, bytes?: number) => Promise<void>;

beforeEach(async () => {
  store = createMemoryEventStore();
  const writing = startWriting();
  write = async (count, bytes) => {
    for (let left = count; left > 0; left -= 1_000)
      await writing.append(store, 'one', Math.min(left, 1_000), bytes);
  };
  reads = [];
  gate = async () => undefined;
  shared = sharing();
  // They follow the log from its start on.
  await catchUp();
  reads = [];
});

/** The log for some who begin to follow it now. */
function sharing(): EventStore {
  const noted = async <T>(read: Read, work: () => Promise<T>): Promise<T> => {
    reads.push(read);
    const page = await work();
    await gate(read);
    return page;
  };
  return shareReads({
    ...store,
    readAll: (after, limit) => noted({ after, limit }, () => store.readAll(after, limit)),
    readTypes: (types, after, limit) => noted({ after, limit }, () => store.readTypes(types, after, limit)),
  });
}

const positions = (events: readonly RecordedEvent[]) => events.map(({ position }) => Number(position));
const from = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, n) => first + n);

/** Reads the log to its end, by pages, as whoever follows it does. */
async function catchUp(page = 1_000, start = logStart): Promise<Position> {
  for (let after = start; ;) {
    const events = await shared.readAll(after, page);
    after = events.at(-1)?.position ?? after;
    if (events.length < page) return after;
  }
}

describeEventStore('memory, shared by those who follow it', async () => {
  const log: RecordedEvent[] = [];
  const header = { logId: randomUUID(), partitions: 1 };
  return {
    open: async () => shareReads(createMemoryEventStore(log, header)),
    reopen: async (store) => shareReads(createMemoryEventStore(log, await store.header())),
    partitions: 1,
    cleanUp: async () => undefined,
  };
});

describe('those who follow the log', () => {
  test('read a page once when they come together, each as much as was asked for', async () => {
    await write(10);
    const [all, few, some] = await Promise.all([
      shared.readAll(logStart, 100),
      shared.readAll(logStart, 3),
      shared.readTypes(['Written'], logStart, 5),
    ]);
    expect([all, few, some.events].map(positions)).toEqual([from(1, 10), from(1, 3), from(1, 5)]);
    expect(some).toMatchObject({ scanned: '5', passed: 5 });
    expect(reads).toEqual([{ after: logStart, limit: 100 }]);
  });

  test('read a page once where none of them wants all types', async () => {
    await write(10);
    const { scanned } = await shared.readTypes(['Other'], logStart, 100);
    expect(await shared.readTypes(['Other'], scanned, 100)).toEqual({ events: [], scanned: '10', passed: 0 });
    await write(3);
    reads = [];
    const both = ['Other', 'Written'].map((type) => shared.readTypes([type], scanned, 100));
    expect((await Promise.all(both)).map(({ events }) => events.length)).toEqual([0, 3]);
    expect(reads).toEqual([{ after: '10', limit: 100 }]);
  });

  test('read it once when they come one after the other', async () => {
    await write(10);
    const end = await catchUp();
    await write(5);
    reads = [];
    expect(positions(await shared.readAll(end, 100))).toEqual(from(11, 15));
    expect(positions((await shared.readTypes(['Written'], end, 100)).events)).toEqual(from(11, 15));
    expect(await shared.readTypes(['Other'], end, 2)).toEqual({ events: [], scanned: '12', passed: 2 });
    expect(positions(await shared.readAll(positionOf(12), 3))).toEqual(from(13, 15));
    expect(reads).toEqual([{ after: end, limit: 100 }]);
  });

  test('are not told that there is no more by a reading from before they asked', async () => {
    await write(1);
    const open = Promise.withResolvers<undefined>();
    gate = () => open.promise;
    const early = shared.readAll(logStart, 100);
    while (reads.length === 0) await setImmediate();
    await write(1);
    const late = [shared.readAll(logStart, 100), shared.readAll(logStart, 10)];
    open.resolve(undefined);
    expect(positions(await early)).toEqual([1]);
    expect((await Promise.all(late)).map(positions)).toEqual([
      [1, 2],
      [1, 2],
    ]);
    expect(reads).toHaveLength(2);
    // Nor is somebody who finds what is kept.
    await write(1);
    expect(positions(await shared.readAll(logStart, 100))).toEqual([1, 2, 3]);
  });

  test('wait for nobody who is further behind, and one of those reads for himself', async () => {
    await write(1_000);
    const end = await catchUp(600);
    const slow = Promise.withResolvers<undefined>();
    gate = async ({ after }) => (after === logStart ? slow.promise : undefined);
    const behind = shared.readAll(logStart, 100);
    await write(1);
    expect(positions(await shared.readAll(end, 100))).toEqual([1_001]);
    slow.resolve(undefined);
    expect(positions(await behind)).toEqual(from(1, 100));
    // What he read is not what the others want.
    reads = [];
    await shared.readTypes([], end, 100);
    expect(reads).toEqual([]);
  });

  test('get what the log has, wherever they are in it and however they ask', async () => {
    for (let round = 0; round < 20; round++) {
      await write(7);
      for (const after of [0, 3, 7 * round, 7 * round + 5]) {
        const read = await shared.readAll(positionOf(after), 50);
        expect(positions(read)).toEqual(from(after + 1, Math.min(after + 50, 7 * round + 7)));
      }
    }
  });
});

describe('what is kept', () => {
  /** Where a reading has to begin for what was written from the log's start on, which was followed to its end. */
  const isRead = async (after: number) => {
    reads = [];
    await shared.readTypes([], positionOf(after), 1);
    return reads.length > 0;
  };

  test('is so many events at most, and the last', async () => {
    let end = logStart;
    for (let round = 0; round < 6; round++) {
      await write(1_000);
      end = await catchUp(10_000, end);
    }
    const oldest = 6_000 - sharedLimits.events;
    expect(await isRead(oldest)).toBe(false);
    expect(await isRead(oldest - 1)).toBe(true);
  });

  test('is so many bytes at most', async () => {
    let end = logStart;
    for (let round = 0; round < 20; round++) {
      await write(1, 900_000);
      end = await catchUp(100, end);
    }
    const held = Math.floor(sharedLimits.bytes / 900_500);
    expect(await isRead(20 - held)).toBe(false);
    expect(await isRead(20 - held - 1)).toBe(true);
  });

  test('is nothing of what somebody reads who catches up', async () => {
    await write(3_000);
    shared = sharing();
    await shared.readAll(logStart, 1_000);
    expect(await isRead(0)).toBe(true);
    expect(await isRead(500)).toBe(true);
  });

  test('is nothing after a failure, which everyone hears who waits for that reading', async () => {
    await write(10);
    await catchUp();
    gate = () => Promise.reject(new LodeError('unavailable', 'away'));
    const both = [shared.readAll(positionOf(10), 5), shared.readAll(positionOf(10), 50)];
    for (const { status } of await Promise.allSettled(both)) expect(status).toBe('rejected');
    gate = async () => undefined;
    expect(await isRead(0)).toBe(true);
  });
});
