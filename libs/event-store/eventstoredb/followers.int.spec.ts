import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { logStart, type Position } from '#kernel';
import { shareReads, type EventStore } from '#event-store';
import { freshStream, sealedEvents, startWriting } from '#event-store/testing';
import { startDouble, type EventStoreDbDouble } from './double/index.js';
import { openEventStoreDb } from './index.js';

const FOLLOWERS = 6;
const APPENDS = 200;

let server: EventStoreDbDouble;
let store: EventStore;

beforeEach(async () => {
  server = await startDouble();
  store = shareReads(await openEventStoreDb({ url: server.url }));
});
afterEach(async () => {
  await store.close();
  await server.stop();
});

/** Follows the log from a position on, by wake-ups, with pages of its own size. `seen` grows. */
function follow(from: Position, page: number) {
  const seen: Position[] = [];
  let at = from;
  let wakes = 0;
  let reading = Promise.resolve();
  const look = async () => {
    for (let woken = -1; woken !== wakes;) {
      woken = wakes;
      const { events, scanned } = await store.readTypes(['ContractExample', 'Written'], at, page);
      seen.push(...events.map(({ position }) => position));
      if (scanned !== at) wakes++;
      at = scanned;
    }
  };
  const stop = store.onAppended(() => {
    wakes++;
    reading = reading.then(look);
  });
  return { seen, stop, done: () => reading };
}

test('those who follow the log (double) at its end read each page once', async () => {
  const stream = freshStream();
  // They have followed it to its end.
  expect(await store.readAll(logStart, 500)).toEqual([]);
  await store.append({ stream, expected: 'no-stream', events: sealedEvents(stream, 0, 10) });
  const reads = server.logReads();
  const pages = await Promise.all(
    Array.from({ length: FOLLOWERS }, (_, n) => store.readAll(logStart, 500 + n)),
  );
  expect(server.logReads() - reads).toBe(1);
  for (const page of pages) expect(page).toEqual(pages[0]);
  // Who comes later gets what was read.
  expect((await store.readTypes(['ContractExample'], logStart, 500)).events).toHaveLength(10);
  expect(server.logReads() - reads).toBe(1);
});

test('the server (double) sends each event once, however many follow, and has one subscription for them', async () => {
  const writing = startWriting();
  const { position: start } = await writing.append(store, 'before');
  expect(await store.readAll(start, 500)).toEqual([]);
  const followers = Array.from({ length: FOLLOWERS }, (_, n) => follow(start, 500 + n));
  while (server.subscriptions() === 0) await new Promise((resolve) => setImmediate(resolve));
  const [reads, events] = [server.logReads(), server.eventsRead()];
  let last: Position = logStart;
  for (let n = 0; n < APPENDS; n++) last = (await writing.append(store, `followed-${n % 7}`)).position;
  while (followers.some(({ seen }) => seen.at(-1) !== last))
    await new Promise((resolve) => setImmediate(resolve));
  expect(server.subscriptions()).toBe(1);
  for (const { stop } of followers) stop();
  await Promise.all(followers.map(({ done }) => done()));
  for (const { seen } of followers) expect(seen).toHaveLength(APPENDS);
  // A reading begins with the event that it goes on from.
  const begun = server.logReads() - reads;
  expect(server.eventsRead() - events - begun).toBeLessThanOrEqual(APPENDS);
});
