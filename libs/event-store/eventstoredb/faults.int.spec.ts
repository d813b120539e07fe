import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { logStart, type Position, type RecordedEvent, type SealedEvent } from '#kernel';
import type { EventStore } from '#event-store';
import { freshStream, sealedEvents } from '#event-store/testing';
import { until } from '#kernel/testing';
import { startDouble, type AppendFault, type EventStoreDbDouble } from './double/index.js';
import { openEventStoreDb } from './index.js';
import type { RetryLimits } from './retry-limits.js';
import { toStored } from './records.js';

/** Waits that are short, and long for a server that answers; `attempts` stays what it is in production. */
const impatient: Partial<RetryLimits> = {
  attemptMs: 2_000,
  appendMs: 120_000,
  silenceMs: 1_000,
  readMs: 120_000,
  pauseMs: 4,
  pauseMaxMs: 32,
};
/** For what is to be given up. */
const hasty: Partial<RetryLimits> = { ...impatient, attemptMs: 250, appendMs: 2_500 };

let server: EventStoreDbDouble;
let store: EventStore;

beforeEach(async () => {
  server = await startDouble();
  store = await openEventStoreDb({ url: server.url, retry: impatient });
});
afterEach(async () => {
  await store.close();
  await server.stop();
});

const append = (stream: string, from: number, count = 1, note?: string) =>
  store.append({
    stream,
    expected: from === 0 ? 'no-stream' : from - 1,
    events: sealedEvents(stream, from, count, note === undefined ? {} : { note }),
  });

/** How often the server holds each of the events. */
const held = (events: readonly SealedEvent[]) =>
  events.map((event) => server.all().filter(({ id }) => id === toStored(event).id).length);

async function everything(page = 100, after: Position = logStart): Promise<readonly RecordedEvent[]> {
  const all: RecordedEvent[] = [];
  for (;;) {
    const events = await store.readAll(all.at(-1)?.position ?? after, page);
    if (events.length === 0) return all;
    all.push(...events);
  }
}

const faults: readonly AppendFault[] = [
  'cut-before-write',
  'cut-after-write',
  'no-answer-unwritten',
  'no-answer-written',
  'timeout-written',
  'busy',
  'not-leader',
  'unavailable',
];

describe('an append whose answer does not come (double)', () => {
  test.each(faults)('is acknowledged once and written once: %s', async (fault) => {
    const stream = freshStream();
    await append(stream, 0);
    const events = sealedEvents(stream, 1, 3);
    server.failNextAppend(fault);
    const answer = await store.append({ stream, expected: 0, events });
    expect(answer.revision).toBe(3);
    expect(held(events)).toEqual([1, 1, 1]);
    expect(await store.append({ stream, expected: 0, events })).toEqual(answer);
    expect((await everything()).at(-1)?.position).toBe(answer.position);
  });

  test.each(faults)('does not harm the appends beside it: %s', async (fault) => {
    const streams = Array.from({ length: 60 }, freshStream);
    server.failNextAppend(...Array.from({ length: 3 }, () => fault));
    server.refuseReads(1);
    const [answers] = await Promise.all([
      Promise.all(streams.map((stream) => append(stream, 0, 2))),
      everything(),
    ]);
    expect(new Set(answers.map((answer) => answer.position)).size).toBe(60);
    const all = await everything();
    expect(all.map((event) => `${event.stream}/${event.revision}`).toSorted()).toEqual(
      streams.flatMap((stream) => [`${stream}/0`, `${stream}/1`]).toSorted(),
    );
  });

  test.each(['cut-before-write', 'cut-after-write', 'not-leader', 'unavailable'] as const)(
    'does not break the chain that was sent after it when the connection broke: %s',
    async (fault) => {
      const stream = freshStream();
      await append(freshStream(), 0);
      server.failNextAppend(fault);
      const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => append(stream, n)));
      expect(answers.map((answer) => answer.revision)).toEqual(Array.from({ length: 40 }, (_, n) => n));
      expect(await store.readStream(stream, { limit: 100 })).toHaveLength(40);
    },
  );

  test('is a conflict when somebody else took its place meanwhile', async () => {
    const stream = freshStream();
    await append(freshStream(), 0);
    server.failNextAppend('no-answer-unwritten');
    const [late, quick] = await Promise.allSettled([
      append(stream, 0, 1, 'late'),
      append(stream, 0, 1, 'quick'),
    ]);
    expect(quick).toMatchObject({ status: 'fulfilled' });
    expect(late).toMatchObject({ status: 'rejected', reason: { code: 'conflict', details: { actual: 0 } } });
  });

  test('ends as an unknown outcome, and the same append again is safe', async () => {
    const stream = freshStream();
    await append(freshStream(), 0);
    const events = sealedEvents(stream, 0, 2);
    server.failNextAppend(
      'no-answer-written',
      'no-answer-written',
      'cut-after-write',
      'timeout-written',
      'busy',
    );
    const request = { stream, expected: 'no-stream', events } as const;
    await expect(store.append(request)).rejects.toMatchObject({ code: 'unknown_outcome' });
    expect(await store.append(request)).toMatchObject({ revision: 1 });
    expect(held(events)).toEqual([1, 1]);
  });

  test('is never reported as a conflict while an earlier attempt may still arrive', async () => {
    const stream = freshStream();
    await append(stream, 0);
    // Expects a revision that the stream has not reached: refused on its first attempt, undecided after an unknown one.
    await expect(append(stream, 5)).rejects.toMatchObject({ code: 'conflict' });
    server.failNextAppend('no-answer-unwritten');
    await expect(append(stream, 5)).rejects.toMatchObject({ code: 'unknown_outcome' });
  });

  test('is written once although its first attempt arrives after the wire was silent', async () => {
    const stream = freshStream();
    await append(stream, 0);
    server.freeze();
    const events = sealedEvents(stream, 1, 1);
    const appending = store.append({ stream, expected: 0, events });
    await expect(store.readStream(stream, { limit: 1 })).rejects.toMatchObject({ code: 'unavailable' });
    server.thaw();
    expect(await appending).toMatchObject({ revision: 1 });
    expect(held(events)).toEqual([1]);
  });

  test('is an unknown outcome when the wire stays silent', async () => {
    await store.close();
    store = await openEventStoreDb({ url: server.url, retry: hasty });
    await append(freshStream(), 0);
    server.freeze();
    await expect(append(freshStream(), 0)).rejects.toMatchObject({ code: 'unknown_outcome' });
    server.cut();
    server.thaw();
  });

  test('does not end the process when a wire that is full breaks', async () => {
    await store.close();
    // Only the breaking ends an attempt here.
    store = await openEventStoreDb({ url: server.url, retry: { ...impatient, attemptMs: 120_000 } });
    await append(freshStream(), 0);
    server.freeze();
    const streams = Array.from({ length: 40 }, freshStream);
    const appending = streams.map((stream) => append(stream, 0, 1, 'x'.repeat(100_000)));
    await expect(store.head()).rejects.toMatchObject({ code: 'unavailable' });
    server.thaw();
    server.cut();
    expect(await Promise.all(appending)).toHaveLength(40);
    expect(await everything()).toHaveLength(41);
  });
});

describe('a leader that changes (double)', () => {
  test('loses nothing that is under way, and is followed by reads', async () => {
    const streams = Array.from({ length: 64 }, freshStream);
    for (let round = 0; round < 3; round++) {
      const appending = streams.map((stream) => append(stream, round));
      await Promise.race(appending);
      await server.changeLeader();
      const answers = await Promise.all(appending);
      expect(answers.every(({ revision }) => revision === round)).toBe(true);
      expect(await store.head()).toBe((await everything()).at(-1)?.position);
    }
    expect(await everything()).toHaveLength(3 * streams.length);
    expect(new Set(server.all().map(({ id }) => id)).size).toBe(server.all().length);
  });
});

describe('the first event of a type (double)', () => {
  const kept = async () => Object.keys(await store.kinds());

  test.each(faults)('is written once its kind is kept, also after: %s', async (fault) => {
    server.failNextAppend(fault);
    const stream = freshStream();
    expect(await append(stream, 0)).toMatchObject({ revision: 0 });
    expect(await kept()).toEqual(['ContractExample']);
    expect(await store.readStream(stream, { limit: 5 })).toHaveLength(1);
  });

  test('is not written, and known to be so, where it is not known whether its kind was kept', async () => {
    await store.ensureHeader();
    server.failNextAppend('no-answer-written', 'denied');
    const stream = freshStream();
    await expect(append(stream, 0)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await store.readStream(stream, { limit: 5 })).toEqual([]);
    expect(await append(stream, 0)).toMatchObject({ revision: 0 });
    expect(await kept()).toEqual(['ContractExample']);
  });
});

describe('an append that the server’s access control lists refuse (double)', () => {
  test('was not written, and the next one is when they allow it again', async () => {
    const stream = freshStream();
    await append(stream, 0);
    server.failNextAppend('denied');
    await expect(append(stream, 1)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await store.readStream(stream, { limit: 5 })).toHaveLength(1);
    expect(await append(stream, 1)).toMatchObject({ revision: 1 });
  });

  test('is an unknown outcome where an earlier attempt of it may have been written', async () => {
    const stream = freshStream();
    const events = sealedEvents(stream, 0, 1);
    await append(freshStream(), 0);
    server.failNextAppend('no-answer-written', 'denied');
    const request = { stream, expected: 'no-stream', events } as const;
    await expect(store.append(request)).rejects.toMatchObject({ code: 'unknown_outcome' });
    expect(await store.append(request)).toMatchObject({ revision: 0 });
    expect(held(events)).toEqual([1]);
  });
});

describe('a server that is away (double)', () => {
  test('is unavailable for appends and reads, and then is there again', async () => {
    const stream = freshStream();
    await append(stream, 0);
    await server.stop();
    await expect(store.head()).rejects.toMatchObject({ code: 'unavailable' });
    await expect(append(stream, 1)).rejects.toMatchObject({ code: 'unavailable' });
    await server.start();
    expect(await append(stream, 1)).toMatchObject({ revision: 1 });
    expect(await store.readStream(stream, { limit: 5 })).toHaveLength(2);
  });

  test('wrote nothing when it refused from the start', async () => {
    server.refuseAll(true);
    await expect(append(freshStream(), 0)).rejects.toMatchObject({ code: 'unavailable' });
    server.refuseAll(false);
    expect(await everything()).toEqual([]);
  });

  test('can restart in the middle of a chain', async () => {
    const stream = freshStream();
    for (let revision = 0; revision < 30; revision++) {
      const restart = revision % 10 === 5 ? server.stop().then(() => server.start()) : undefined;
      await append(stream, revision);
      await restart;
    }
    const revisions = (await everything(7)).map((event) => event.revision);
    expect(revisions).toEqual(Array.from({ length: 30 }, (_, n) => n));
  });

  test('does not keep a store from closing, which first finishes what is under way', async () => {
    const stream = freshStream();
    server.failNextAppend('cut-after-write');
    const appending = append(stream, 0);
    await store.close();
    expect(await appending).toMatchObject({ revision: 0 });
    await expect(append(stream, 1)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(store.head()).rejects.toMatchObject({ code: 'unavailable' });
    expect(server.openReads()).toBe(0);
  });
});

describe('reading (double)', () => {
  test('is tried again when the server is not ready, for a while', async () => {
    const stream = freshStream();
    await append(stream, 0, 3);
    server.refuseReads(2);
    expect(await store.readStream(stream, { limit: 5 })).toHaveLength(3);
    server.refuseReads(2);
    expect(await everything()).toHaveLength(3);
    server.refuseReads(100);
    await expect(store.readStream(stream, { limit: 5 })).rejects.toMatchObject({ code: 'unavailable' });
  });

  test.each([
    ['refused', 'unavailable'],
    ['cut off', 'cut'],
    ['left hanging', 'silence'],
  ] as const)('is begun again, and gives each event once, when it is %s in the middle', async (_, then) => {
    const stream = freshStream();
    await append(stream, 0, 10);
    const all = await everything();
    server.breakNextRead({ after: 7, then }, { after: 1, then });
    expect(await everything()).toEqual(all);
    expect(all).toHaveLength(10);
    server.breakNextRead({ after: 0, then });
    expect(await store.readStream(stream, { limit: 100 })).toHaveLength(10);
  });

  test('is given up when its time is over, however many tries are left', async () => {
    const stream = freshStream();
    await append(stream, 0, 3);
    await store.close();
    const readMs = 300;
    store = await openEventStoreDb({ url: server.url, retry: { ...impatient, readMs, attempts: 1_000 } });
    server.breakNextRead(...Array.from({ length: 10 }, () => ({ after: 1, then: 'silence' as const })));
    await expect(store.readStream(stream, { limit: 5 })).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('leaves the connection of the appends alone when it fails', async () => {
    await append(freshStream(), 0);
    server.refuseReads(2);
    await store.head();
    await append(freshStream(), 0);
    expect(server.appendStreams()).toBe(1);
  });

  test('passes over what is not ours, however much of it there is', async () => {
    const streams = [freshStream(), freshStream()];
    for (let revision = 0; revision < 3; revision++) {
      for (const stream of streams) {
        await append(stream, revision);
        server.writeOthers(700, 'system');
        server.writeOthers(30, 'foreign');
      }
    }
    const expected = [0, 1, 2].flatMap((revision) => streams.map((stream) => `${stream}/${revision}`));
    for (const page of [1, 2, 1_000]) {
      const all = await everything(page);
      expect(all.map((event) => `${event.stream}/${event.revision}`)).toEqual(expected);
      expect(all.at(-1)?.position).toBe(await store.head());
    }
  });

  test('finds what comes after a long stretch that held nothing of ours', async () => {
    await append(freshStream(), 0);
    const head = await store.head();
    server.writeOthers(600, 'system');
    expect(await store.readAll(head, 10)).toEqual([]);
    server.writeOthers(600, 'foreign');
    expect(await store.readAll(head, 10)).toEqual([]);
    await append(freshStream(), 0, 3);
    expect(await store.readAll(head, 2)).toHaveLength(2);
    expect(await store.readAll(head, 10)).toHaveLength(3);
  });

  test('looks for the head once in a long stretch that held nothing of ours', async () => {
    await append(freshStream(), 0);
    server.writeOthers(5_000, 'system');
    const head = await store.head();
    const read = server.eventsRead();
    expect(read).toBeGreaterThan(5_000);
    expect(await store.head()).toBe(head);
    server.writeOthers(10, 'foreign');
    expect(await store.head()).toBe(head);
    // The server sends a little ahead of what is taken.
    expect(server.eventsRead() - read).toBeLessThan(1_000);
    const { position } = await append(freshStream(), 0);
    expect(await store.head()).toBe(position);
  });

  test('finds the head of another log in the place of the one before', async () => {
    await append(freshStream(), 0, 100);
    expect(await store.head()).not.toBe(logStart);
    await server.stop();
    server = await startDouble({ port: server.port });
    expect(await store.head()).toBe(logStart);
    const { position } = await append(freshStream(), 0);
    expect(await store.head()).toBe(position);
  });

  test('says so when a log holds nothing of ours', async () => {
    server.writeOthers(300, 'foreign');
    expect(await store.head()).toBe(logStart);
    expect(await store.readAll(logStart, 10)).toEqual([]);
  });

  test('takes large pages', async () => {
    await store.close();
    store = await openEventStoreDb({ url: server.url });
    const stream = freshStream();
    for (let from = 0; from < 3_000; from += 1_000) await append(stream, from, 1_000);
    expect(await store.readStream(stream, { limit: 10_000 })).toHaveLength(3_000);
    expect(await store.readAll(logStart, 2_500)).toHaveLength(2_500);
    await expect(store.readAll(logStart, 10_001)).rejects.toMatchObject({ code: 'internal' });
    await expect(store.readStream(stream, { limit: 0 })).rejects.toMatchObject({ code: 'internal' });
  });

  test('leaves no call open on the server', async () => {
    const stream = freshStream();
    await append(stream, 0, 1_000);
    await store.readAll(logStart, 1);
    await store.readStream(stream, { limit: 1 });
    await store.readStream(freshStream(), { limit: 1 });
    await store.head();
    await until(() => server.openReads() === 0);
  });

  test('refuses a stream that was deleted, and one that others have written to', async () => {
    const [tombstoned, revived, shared] = [freshStream(), freshStream(), freshStream()];
    for (const stream of [tombstoned, revived, shared]) await append(stream, 0);
    server.tombstone(tombstoned);
    const deleted = { code: 'internal', message: expect.stringContaining('deleted') };
    await expect(store.readStream(tombstoned, { limit: 1 })).rejects.toMatchObject(deleted);
    await expect(append(tombstoned, 1)).rejects.toMatchObject(deleted);
    server.softDelete(revived);
    expect(await store.readStream(revived, { limit: 1 })).toEqual([]);
    await expect(append(revived, 0)).rejects.toMatchObject(deleted);
    server.writeOthers(1, 'foreign', shared);
    await expect(store.readStream(shared, { limit: 5 })).rejects.toMatchObject({
      code: 'internal',
      message: expect.stringContaining('not written by Lode'),
    });
  });
});

describe('a listener (double)', () => {
  /** Counts calls; `next` waits for one that has not come yet. */
  const listen = () => {
    let calls = 0;
    const stop = store.onAppended(() => calls++);
    const next = async () => {
      const before = calls;
      await until(() => calls > before);
    };
    return { stop, next };
  };

  test('is called for what other programs write', async () => {
    const { stop, next } = listen();
    await next();
    server.writeOthers(1, 'foreign');
    await next();
    stop();
  });

  test.each([
    ['was too slow', async () => server.endSubscriptions('too-slow')],
    ['was ended', async () => server.endSubscriptions('quietly')],
    ['was cut', async () => server.cut()],
    ['lost its server', () => server.stop().then(() => server.start())],
  ])('is called again after the subscription %s', async (_, fault) => {
    const { stop, next } = listen();
    await next();
    const again = next();
    await fault();
    await again;
    await until(() => server.subscriptions() === 1);
    server.writeOthers(1, 'foreign');
    await next();
    stop();
  });

  test('is called again, after a while, when the subscription has stalled', async () => {
    await store.close();
    store = await openEventStoreDb({ url: server.url, retry: { ...impatient, quietMs: 100 } });
    const { stop, next } = listen();
    await next();
    server.stallSubscriptions(true);
    server.writeOthers(1, 'foreign');
    await next();
    stop();
  });

  test('is called for what comes after a checkpoint past the last event, and that is read', async () => {
    const { stop, next } = listen();
    await append(freshStream(), 0);
    const head = await store.head();
    await until(() => server.subscriptions() === 1);
    const called = next();
    server.checkpoint(BigInt(head) + 100_000n);
    server.writeOthers(1, 'foreign');
    await called;
    const { position } = await append(freshStream(), 0);
    expect((await store.readAll(head, 10)).map((event) => event.position)).toEqual([position]);
    stop();
  });

  test('is called again after it took events too slowly', async () => {
    const { stop, next } = listen();
    await next();
    server.freeze();
    // More than the subscription holds, on the wire and in the server.
    server.writeOthers(20_000, 'foreign');
    await until(() => server.subscriptions() === 0);
    const again = next();
    server.thaw();
    await again;
    await until(() => server.subscriptions() === 1);
    stop();
  });

  test('listens only while somebody does', async () => {
    const [one, two] = [listen(), listen()];
    await until(() => server.subscriptions() === 1);
    one.stop();
    two.stop();
    await until(() => server.subscriptions() === 0 && server.openReads() === 0);
    const { next } = listen();
    await next();
  });
});

describe('opening (double)', () => {
  test('is refused while the thread has another store', async () => {
    await expect(openEventStoreDb({ url: server.url })).rejects.toMatchObject({
      code: 'internal',
      message: expect.stringContaining('already'),
    });
    await store.close();
    store = await openEventStoreDb({ url: server.url });
    expect(await append(freshStream(), 0)).toMatchObject({ revision: 0 });
  });

  test('is refused for a connection string that hides conflicts, or that nobody can read', async () => {
    await store.close();
    await expect(
      openEventStoreDb({ url: `${server.url}&throwOnAppend-Failure=false` }),
    ).rejects.toMatchObject({ message: expect.stringContaining('throwOnAppendFailure') });
    const unreadable = openEventStoreDb({ url: 'http://admin:changeit@localhost' });
    await expect(unreadable).rejects.toMatchObject({ message: expect.not.stringContaining('changeit') });
  });
});
