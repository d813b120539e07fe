import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { logStart } from '#kernel';
import type { EventStore } from '#event-store';
import { freshStream, sealedEvents } from '#event-store/testing';
import { WINDOW_BYTES } from './append-queue.js';
import { startDouble, type EventStoreDbDouble } from './double/index.js';
import { openEventStoreDb } from './index.js';
import { toStored } from './records.js';

const AT_ONCE = 256;
const LATENCY_MS = 5;
const ROUNDS = 2;

let server: EventStoreDbDouble;
let store: EventStore;

beforeEach(async () => {
  server = await startDouble();
  store = await openEventStoreDb({ url: server.url });
});
afterEach(async () => {
  await store.close();
  await server.stop();
});

/** An event for a stream of its own, stored as this many bytes of data and metadata. */
function eventOf(bytes: number) {
  const stream = freshStream();
  const storedBytes = (note: string) => {
    const [event] = sealedEvents(stream, 0, 1, { note }).map(toStored);
    return Buffer.byteLength(JSON.stringify(event?.data) + JSON.stringify(event?.metadata));
  };
  const events = sealedEvents(stream, 0, 1, { note: 'x'.repeat(bytes - storedBytes('')) });
  return { stream, expected: 'no-stream', events } as const;
}

describe('the window of appends (double)', () => {
  test('takes four round trips for 256 appends of 500 bytes, the first of a connection among them', async () => {
    // The kind of the events is kept beside the log with the first of them that there ever is.
    await store.append(eventOf(500));
    await store.close();
    store = await openEventStoreDb({ url: server.url });
    server.holdAnswers(LATENCY_MS);
    await Promise.all(Array.from({ length: AT_ONCE }, () => store.append(eventOf(500))));
    const { roundTrips, unansweredMax } = server.traffic();
    expect(roundTrips).toBeLessThanOrEqual(4);
    expect(unansweredMax).toBeGreaterThan(WINDOW_BYTES / 2);
    expect(unansweredMax).toBeLessThanOrEqual(WINDOW_BYTES);
  });

  test.each([500, 4_000, 30_000])('never has more bytes unanswered: events of %i bytes', async (bytes) => {
    server.holdAnswers(1);
    await Promise.all(Array.from({ length: 100 }, () => store.append(eventOf(bytes))));
    expect(server.traffic().unansweredMax).toBeLessThanOrEqual(WINDOW_BYTES);
  });

  test('lets an append that is larger go alone, and the others go on after it', async () => {
    server.holdAnswers(1);
    const sizes = [500, 500, 200_000, 500, 500];
    await Promise.all(sizes.map((bytes) => store.append(eventOf(bytes))));
    const { unansweredMax } = server.traffic();
    expect(unansweredMax).toBeGreaterThan(200_000);
    expect(unansweredMax).toBeLessThan(200_700);
  });

  // What the client rejects where nobody can catch it is an unhandled rejection, by which this test fails.
  test.each([500, 4_000])(
    'leaves nothing in the client that nobody can catch, frozen and killed: %i bytes',
    async (bytes) => {
      await store.close();
      store = await openEventStoreDb({
        url: server.url,
        retry: { attemptMs: 1_000, appendMs: 120_000, silenceMs: 400 },
      });
      for (let round = 0; round < ROUNDS; round++) {
        await store.append(eventOf(bytes));
        server.freeze();
        const appending = Array.from({ length: 2 * AT_ONCE }, () => store.append(eventOf(bytes)));
        // The attempts were given up and their connection disposed of long before this is.
        await expect(store.head()).rejects.toMatchObject({ code: 'unavailable' });
        await server.stop();
        await server.start();
        await Promise.all(appending);
      }
      expect(new Set(server.all().map(({ id }) => id)).size).toBe(server.all().length);
      expect(await store.readAll(logStart, 10_000)).toHaveLength(ROUNDS * (2 * AT_ONCE + 1));
    },
  );
});
