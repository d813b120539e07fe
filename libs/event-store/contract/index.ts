import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  comparePositions,
  eventText,
  type LodeError,
  type Position,
  type RecordedEvent,
  type SealedEvent,
} from '#kernel';
import { limits, type Appended, type EventStore } from '#event-store';
import { freshStream, sealedEvents } from '#event-store/testing';

/** What a test needs of an adapter: a store, and a way to stop it and open it again on the same data. */
export type EventStoreFixture = {
  readonly open: () => Promise<EventStore>;
  /** Called with the store that is open; answers with a new one over the same data. */
  readonly reopen: (store: EventStore) => Promise<EventStore>;
  readonly cleanUp: () => Promise<void>;
  /** What a log that begins on this engine is made for. */
  readonly partitions: number;
  /** Others use the same log afterwards: nothing is done to it that can't be taken back. */
  readonly isKept?: true;
};

const WRITERS = 16;
const ROUNDS = 25;
const HEADER_CHANGES = 6;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The promises of the event store port, run against an adapter. */
export function describeEventStore(name: string, fixture: () => Promise<EventStoreFixture>): void {
  describe(`event store contract: ${name}`, () => {
    let engine: EventStoreFixture;
    let store: EventStore;
    /** What the engine held before, which may be much and somebody else's. */
    let before: Position;

    beforeAll(async () => {
      engine = await fixture();
      store = await engine.open();
      before = await store.head();
    });
    afterAll(async () => {
      await store.close();
      await engine.cleanUp();
    });

    const append = (stream: string, from: number, count: number, note?: string) =>
      store.append({
        stream,
        expected: from === 0 ? 'no-stream' : from - 1,
        events: sealedEvents(stream, from, count, note === undefined ? {} : { note }),
      });

    describe('appending', () => {
      test('answers with the last revision and a position that grows', async () => {
        const stream = freshStream();
        const first = await append(stream, 0, 3);
        const second = await append(stream, 3, 1);
        expect(first.revision).toBe(2);
        expect(second.revision).toBe(3);
        expect(comparePositions(first.position, second.position)).toBeLessThan(0);
      });

      test('is atomic: a refused append of many leaves none', async () => {
        const stream = freshStream();
        await append(stream, 0, 1);
        await expect(
          store.append({ stream, expected: 5, events: sealedEvents(stream, 6, 3) }),
        ).rejects.toMatchObject({ code: 'conflict' });
        expect(await store.readStream(stream, { limit: 10 })).toHaveLength(1);
      });

      test.each([
        ['no-stream on a stream that exists', 2, 'no-stream', 0],
        ['a revision before the last', 2, 0, 1],
        ['a revision after the last', 2, 7, 8],
        ['a revision on a stream that does not exist', 0, 3, 4],
        ['stream-exists on a stream that does not exist', 0, 'stream-exists', 0],
      ] as const)('refuses %s', async (_, existing, expected, from) => {
        const stream = freshStream();
        if (existing > 0) await append(stream, 0, existing);
        const head = await store.head();
        await expect(
          store.append({ stream, expected, events: sealedEvents(stream, from, 1) }),
        ).rejects.toMatchObject({ code: 'conflict' });
        expect(await store.head()).toBe(head);
      });

      test('takes stream-exists on a stream that exists', async () => {
        const stream = freshStream();
        await append(stream, 0, 2);
        const events = sealedEvents(stream, 2, 1);
        const done = await store.append({ stream, expected: 'stream-exists', events });
        expect(done.revision).toBe(2);
        await append(stream, 3, 1);
        expect(await store.append({ stream, expected: 'stream-exists', events })).toEqual(done);
        expect(await store.readStream(stream, { limit: 10 })).toHaveLength(4);
      });

      test.each([2, 5])(
        'refuses stream-exists when the events are for another revision: %i',
        async (from) => {
          const stream = freshStream();
          await append(stream, 0, 4);
          await expect(
            store.append({ stream, expected: 'stream-exists', events: sealedEvents(stream, from, 1) }),
          ).rejects.toMatchObject({ code: 'conflict' });
          expect(await store.readStream(stream, { limit: 10 })).toHaveLength(4);
        },
      );

      test.each(['no-stream', 'revision'] as const)(
        'lets exactly one of many racers through: %s',
        async (kind) => {
          const stream = freshStream();
          if (kind === 'revision') await append(stream, 0, 1);
          const from = kind === 'revision' ? 1 : 0;
          const tries = await Promise.allSettled(
            Array.from({ length: WRITERS }, (_, n) => append(stream, from, 1, `racer ${n}`)),
          );
          const won = tries.filter((one) => one.status === 'fulfilled');
          const lost = tries.filter((one) => one.status === 'rejected');
          expect(won).toHaveLength(1);
          expect(lost.map((one) => (one.reason as { code?: string }).code)).toEqual(
            Array.from({ length: WRITERS - 1 }, () => 'conflict'),
          );
          expect(await store.readStream(stream, { limit: 10 })).toHaveLength(from + 1);
        },
      );

      test('writes the same append once and answers it the same, also after later events', async () => {
        const stream = freshStream();
        const events = sealedEvents(stream, 0, 2);
        const first = await store.append({ stream, expected: 'no-stream', events });
        const again = await store.append({ stream, expected: 'no-stream', events });
        await append(stream, 2, 1);
        const later = await store.append({ stream, expected: 'no-stream', events });
        expect([again, later]).toEqual([first, first]);
        expect(await store.readStream(stream, { limit: 10 })).toHaveLength(3);
      });

      test('refuses events of the same ids that were sealed again: they are others', async () => {
        const stream = freshStream();
        const commandId = randomUUID();
        await store.append({
          stream,
          expected: 'no-stream',
          events: sealedEvents(stream, 0, 2, { note: 'first', commandId }),
        });
        const again = sealedEvents(stream, 0, 2, { note: 'again', commandId });
        await expect(store.append({ stream, expected: 'no-stream', events: again })).rejects.toMatchObject({
          code: 'conflict',
        });
        expect((await store.readStream(stream, { limit: 10 })).map((event) => event.data['note'])).toEqual([
          'first',
          'first',
        ]);
      });

      test('tells either the position of every event or only of the last', async () => {
        const stream = freshStream();
        const start = await store.head();
        const { position, positions } = await append(stream, 0, 3);
        const told = positions ?? [position];
        const stored = (await everything(store, start, 100)).filter((event) => event.stream === stream);
        expect(told).toEqual(stored.slice(-told.length).map((event) => event.position));
      });

      test.each([
        [
          'a gap between their revisions',
          (stream: string) => [0, 2].map((at) => sealedEvents(stream, at, 1)[0]!),
        ],
        ['a revision twice', (stream: string) => [0, 0].map((at) => sealedEvents(stream, at, 1)[0]!)],
        ['an event of another stream', () => sealedEvents(freshStream(), 0, 1)],
        ['nothing', () => []],
      ])('refuses an append of %s as a bug', async (_, eventsOf) => {
        const stream = freshStream();
        const events = eventsOf(stream);
        await expect(store.append({ stream, expected: 'no-stream', events })).rejects.toMatchObject({
          code: 'internal',
        });
        expect(await store.readStream(stream, { limit: 10 })).toEqual([]);
      });

      test('writes an append once when it is sent many times at once', async () => {
        const stream = freshStream();
        const events = sealedEvents(stream, 0, 2);
        const answers = await Promise.all(
          Array.from({ length: 4 }, () => store.append({ stream, expected: 'no-stream', events })),
        );
        expect(new Set(answers.map((one) => one.position)).size).toBe(1);
        expect(await store.readStream(stream, { limit: 10 })).toHaveLength(2);
      });

      test('fails each of the appends sent together by itself', async () => {
        const [good, bad] = [freshStream(), freshStream()];
        const [one, two] = await Promise.allSettled([
          append(good, 0, 1),
          store.append({ stream: bad, expected: 4, events: sealedEvents(bad, 5, 1) }),
        ]);
        expect([one?.status, two?.status]).toEqual(['fulfilled', 'rejected']);
      });

      test('takes an append as large as the limits allow', async () => {
        const stream = freshStream();
        const bare = sealedEvents(stream, 0, limits.eventsPerAppend, { note: '' });
        const room =
          limits.bytesPerAppend - Buffer.byteLength(bare.map((one) => JSON.stringify(one)).join(''));
        const note = 'x'.repeat(Math.floor(room / limits.eventsPerAppend));
        const done = await append(stream, 0, limits.eventsPerAppend, note);
        expect(done.revision).toBe(limits.eventsPerAppend - 1);
      });

      test('refuses an append of no events and one beyond the limits, and writes nothing', async () => {
        const stream = freshStream();
        const head = await store.head();
        await expect(store.append({ stream, expected: 'no-stream', events: [] })).rejects.toThrow();
        await expect(append(stream, 0, 1_025)).rejects.toThrow();
        await expect(append(stream, 0, 1, 'x'.repeat(1_000_001))).rejects.toThrow();
        expect(await store.head()).toBe(head);
      });
    });

    describe('reading a stream', () => {
      const revisions = (events: readonly SealedEvent[]) => events.map((event) => event.revision);

      test.each([
        ['events', () => ({})],
        [
          'events and their texts',
          (events: readonly SealedEvent[]) => ({ texts: events.map((event) => eventText(event)) }),
        ],
      ])('gives back what was written as %s, to the byte', async (_, texts) => {
        const stream = freshStream();
        const events = sealedEvents(stream, 0, 2, { note: 'ünïcödé \u2028 "quoted" \\ 金' });
        const written = await store.append({ stream, expected: 'no-stream', events, ...texts(events) });
        const read = await store.readStream(stream, { limit: 10 });
        expect(read.map(withoutPosition)).toEqual(events);
        expect(await store.append({ stream, expected: 'no-stream', events })).toMatchObject(written);
      });

      test('pages forwards and backwards, inclusive of where it starts', async () => {
        const stream = freshStream();
        await append(stream, 0, 7);
        expect(revisions(await store.readStream(stream, { limit: 3 }))).toEqual([0, 1, 2]);
        expect(revisions(await store.readStream(stream, { from: 3, limit: 3 }))).toEqual([3, 4, 5]);
        expect(revisions(await store.readStream(stream, { from: 6, limit: 3 }))).toEqual([6]);
        expect(revisions(await store.readStream(stream, { from: 7, limit: 3 }))).toEqual([]);
        expect(revisions(await store.readStream(stream, { direction: 'backwards', limit: 3 }))).toEqual([
          6, 5, 4,
        ]);
        expect(
          revisions(await store.readStream(stream, { direction: 'backwards', from: 2, limit: 9 })),
        ).toEqual([2, 1, 0]);
      });

      test('is empty for a stream that does not exist', async () => {
        expect(await store.readStream(freshStream(), { limit: 5 })).toEqual([]);
        expect(await store.readStream(freshStream(), { direction: 'backwards', limit: 5 })).toEqual([]);
      });
    });

    describe('reading many streams', () => {
      test('gives for each what a read of it alone gives, in the order asked for', async () => {
        const streams = Array.from({ length: 5 }, freshStream);
        for (const [n, stream] of streams.entries()) if (n !== 3) await append(stream, 0, n + 1);
        const asked = [streams[4], streams[0], streams[3], streams[1], streams[2], streams[0]].map(String);
        const alone = await Promise.all(asked.map((stream) => store.readStream(stream, { limit: 3 })));
        expect(alone.map((events) => events.length)).toEqual([3, 1, 0, 2, 3, 1]);
        expect(await store.readStreams(asked, 3)).toEqual(alone);
        expect(await store.readStreams([], 3)).toEqual([]);
      });

      test('takes as many as the limit says and no more', async () => {
        const streams = Array.from({ length: limits.streamsPerRead + 1 }, freshStream);
        expect(await store.readStreams(streams.slice(1), 1)).toHaveLength(limits.streamsPerRead);
        await expect(store.readStreams(streams, 1)).rejects.toMatchObject({ code: 'internal' });
      });
    });

    describe('appending to many streams', () => {
      test('answers for each as an append by itself does, whatever becomes of the others', async () => {
        const [fresh, longer, behind, twice] = Array.from({ length: 4 }, freshStream) as [
          string,
          string,
          string,
          string,
        ];
        await append(longer, 0, 2);
        await append(behind, 0, 2);
        const again = { stream: twice, expected: 'no-stream', events: sealedEvents(twice, 0, 2) } as const;
        await store.append(again);
        const answers = await store.appendMany([
          { stream: fresh, expected: 'no-stream', events: sealedEvents(fresh, 0, 3) },
          { stream: behind, expected: 0, events: sealedEvents(behind, 1, 1) },
          { stream: longer, expected: 1, events: sealedEvents(longer, 2, 1) },
          again,
          { stream: freshStream(), expected: 'no-stream', events: [] },
        ]);
        const brief = answers.map((answer) =>
          answer.status === 'fulfilled' ? answer.value.revision : (answer.reason as LodeError).code,
        );
        expect(brief).toEqual([2, 'conflict', 2, 1, 'internal']);
        const streams = await store.readStreams([fresh, behind, longer, twice], 10);
        expect(streams.map((events) => events.length)).toEqual([3, 2, 3, 2]);
        expect(await store.appendMany([])).toEqual([]);
      });
    });

    describe('reading the log', () => {
      test('is in order, exclusive of where it starts, and ends at the head', async () => {
        const stream = freshStream();
        const start = await store.head();
        await append(stream, 0, 5);
        const all = await everything(store, start, 2);
        expect(all.map((event) => event.revision)).toEqual([0, 1, 2, 3, 4]);
        expect(all.at(-1)?.position).toBe(await store.head());
        expect(await store.readAll(await store.head(), 10)).toEqual([]);
        expect(await store.last()).toEqual(all.at(-1));
      });

      test('skips no event while many write', async () => {
        const start = await store.head();
        const streams = Array.from({ length: WRITERS }, freshStream);
        let writing = true;
        const seen: RecordedEvent[] = [];
        const reader = (async () => {
          let after = start;
          for (;;) {
            const last = !writing;
            const page = await store.readAll(after, 64);
            seen.push(...page);
            after = page.at(-1)?.position ?? after;
            if (page.length === 0 && last) return;
            // An engine in the process may answer without ever giving up the turn: let the writers have theirs.
            await new Promise((resolve) => setImmediate(resolve));
          }
        })();
        await Promise.all(
          streams.map(async (stream) => {
            for (let round = 0; round < ROUNDS; round++) await append(stream, round, 1);
          }),
        );
        writing = false;
        await reader;
        expect(seen).toHaveLength(WRITERS * ROUNDS);
        expect(seen.every((event, n) => n === 0 || isAfter(event.position, seen[n - 1]?.position))).toBe(
          true,
        );
        for (const stream of streams) {
          const own = seen.filter((event) => event.stream === stream);
          expect(own.map((event) => event.revision)).toEqual(Array.from({ length: ROUNDS }, (_, n) => n));
        }
      });

      test('answers an append with a position that the log then holds', async () => {
        const stream = freshStream();
        const start = await store.head();
        const { position } = await append(stream, 0, 3);
        const all = await everything(store, start, 100);
        expect(all.find((event) => event.position === position)?.revision).toBe(2);
      });

      test('tells the positions that reads of a stream tell, if they tell any', async () => {
        const stream = freshStream();
        const start = await store.head();
        await append(stream, 0, 3);
        const told = (await store.readStream(stream, { limit: 10 })).map(({ position }) => position);
        const positions = (await everything(store, start, 100)).map(({ position }) => position);
        expect([positions, positions.map(() => undefined)]).toContainEqual(told);
      });

      test('gives the events of some types only, and says how far it looked', async () => {
        const start = await store.head();
        const [wanted, others] = [freshStream(), freshStream()];
        const ofType = (stream: string, from: number, type: string) =>
          store.append({
            stream,
            expected: from === 0 ? 'no-stream' : from - 1,
            events: sealedEvents(stream, from, 1, { type }),
          });
        for (let n = 0; n < 5; n++) {
          await ofType(wanted, n, n % 2 === 0 ? 'Even' : 'Odd');
          await ofType(others, n, 'Other');
        }
        const found: RecordedEvent[] = [];
        let after = start;
        let count = 0;
        for (;;) {
          const { events, scanned, passed } = await store.readTypes(['Even', 'Odd'], after, 2);
          found.push(...events);
          count += passed;
          expect(events.length).toBeLessThanOrEqual(2);
          for (const event of events)
            expect(comparePositions(event.position, scanned)).toBeLessThanOrEqual(0);
          if (scanned === after) break;
          after = scanned;
        }
        expect(found).toEqual(
          (await everything(store, start, 100)).filter(({ stream }) => stream === wanted),
        );
        expect(after).toBe(await store.head());
        expect(count).toBe((await everything(store, start, 100)).length);
        expect(await store.readTypes(['Even'], after, 10)).toEqual({ events: [], scanned: after, passed: 0 });
      });

      test('calls its listeners after an append', async () => {
        const rung = new Promise<void>((resolve) => {
          const stop = store.onAppended(() => {
            stop();
            resolve();
          });
        });
        await append(freshStream(), 0, 1);
        await expect(rung).resolves.toBeUndefined();
      });
    });

    test('has one header, whoever asks first, which is no event and stays', async () => {
      const start = await store.head();
      const made = await Promise.all(Array.from({ length: 3 }, () => store.ensureHeader()));
      expect(made[0]).toEqual({ logId: expect.stringMatching(UUID), partitions: engine.partitions });
      expect(new Set(made.map(({ logId }) => logId)).size).toBe(1);
      expect(await store.header()).toEqual(made[0]);
      expect(await store.head()).toBe(start);
      expect(await store.readAll(start, 10)).toEqual([]);
      store = await engine.reopen(store);
      expect(await store.header()).toEqual(made[0]);
      expect(await store.ensureHeader()).toEqual(made[0]);
    });

    test('says in its header what it was told last, and keeps its events', async () => {
      if (engine.isKept) return;
      const { logId, partitions } = await store.ensureHeader();
      const start = await store.head();
      await append(freshStream(), 0, 1);
      const head = await store.head();
      await store.changeHeader({ filling: true });
      expect(await store.header()).toEqual({ logId, partitions, filling: true });
      await store.changeHeader({ filling: false });
      await store.changeHeader({ movedTo: 'there' });
      expect(await store.header()).toEqual({ logId, partitions, filling: false, movedTo: 'there' });
      expect(await store.head()).toBe(head);
      store = await engine.reopen(store);
      expect(await store.ensureHeader()).toEqual({ logId, partitions, filling: false, movedTo: 'there' });
      expect((await store.readAll(start, 10)).length).toBe(1);
    });

    test('says which log its events were moved to, until that is taken back', async () => {
      if (engine.isKept) return;
      const { logId, partitions } = await store.ensureHeader();
      await store.changeHeader({ movedTo: 'there', movedToLog: 'another', filling: true });
      const moved = { logId, partitions, movedTo: 'there', movedToLog: 'another' };
      expect(await store.header()).toEqual({ ...moved, filling: true });
      store = await engine.reopen(store);
      await store.changeHeader({ filling: false });
      expect(await store.header()).toEqual({ ...moved, filling: false });
      await store.changeHeader({ movedTo: null });
      expect(await store.header()).toEqual({ logId, partitions, filling: false });
    });

    test('makes each of the changes of its header that are made at once', async () => {
      if (engine.isKept) return;
      await store.changeHeader({ movedTo: null });
      const changes = Array.from({ length: HEADER_CHANGES }, () =>
        store.changeHeader(({ movedTo = '' }) => ({ movedTo: `${movedTo}+` })),
      );
      await Promise.all(changes);
      expect((await store.header())?.movedTo).toBe('+'.repeat(HEADER_CHANGES));
      const refused = store.changeHeader(() => {
        throw new Error('not this one');
      });
      await expect(refused).rejects.toThrow('not this one');
      expect((await store.header())?.movedTo).toBe('+'.repeat(HEADER_CHANGES));
    });

    test('says which program had it last', async () => {
      if (engine.isKept) return;
      const { program: _, ...header } = await store.ensureHeader();
      await store.changeHeader({ program: '1.2.0' });
      await store.changeHeader({ program: '1.10.0' });
      store = await engine.reopen(store);
      expect(await store.header()).toEqual({ ...header, program: '1.10.0' });
    });

    test('keeps the newest version of each type that was written, and its header as it is', async () => {
      const header = await store.ensureHeader();
      const before = await store.kinds();
      const [one, other] = [`One${randomUUID()}`, `Other${randomUUID()}`];
      const write = async (type: string, version: number) => {
        const stream = freshStream();
        const events = sealedEvents(stream, 0, 2, { type }).map((event) => ({ ...event, version }));
        await store.append({ stream, expected: 'no-stream', events });
      };
      // At once, as several streams do.
      await Promise.all([write(one, 1), write(one, 3), write(one, 2), write(other, 1), write(one, 1)]);
      expect(await store.kinds()).toEqual({ ...before, [one]: 3, [other]: 1 });
      await write(other, 4);
      store = await engine.reopen(store);
      expect(await store.kinds()).toEqual({ ...before, [one]: 3, [other]: 4 });
      await write(other, 1);
      expect(await store.kinds()).toEqual({ ...before, [one]: 3, [other]: 4 });
      expect(await store.header()).toEqual(header);
    });

    test('holds everything after it was stopped and opened again', async () => {
      const stream = freshStream();
      const events = sealedEvents(stream, 0, 3);
      const first: Appended = await store.append({ stream, expected: 'no-stream', events });
      const written = await everything(store, before, 1_000);
      store = await engine.reopen(store);
      expect(await everything(store, before, 1_000)).toEqual(written);
      expect(await store.append({ stream, expected: 'no-stream', events })).toEqual(first);
      await expect(append(stream, 0, 1)).rejects.toMatchObject({ code: 'conflict' });
      expect((await append(stream, 3, 1)).revision).toBe(3);
    });
  });
}

async function everything(store: EventStore, after: Position, page: number): Promise<RecordedEvent[]> {
  const all: RecordedEvent[] = [];
  for (;;) {
    const events = await store.readAll(all.at(-1)?.position ?? after, page);
    if (events.length === 0) return all;
    all.push(...events);
  }
}

function isAfter(position: Position, before: Position | undefined): boolean {
  return before !== undefined && comparePositions(before, position) < 0;
}

function withoutPosition<E extends { position?: Position }>(event: E): Omit<E, 'position'> {
  const { position: _, ...rest } = event;
  return rest;
}
