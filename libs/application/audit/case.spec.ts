import { describe, expect, test } from '@jest/globals';
import { createMemoryEventStore } from '#event-store/memory';
import type { EventStore } from '#event-store';
import type { RecordedEvent } from '#kernel';
import { recorded, worldOf } from '#projections/testing';
import { ReadCase, ReadCaseHandler } from './case.js';

const log: readonly RecordedEvent[] = [
  recorded(1, 'platform', 'PlatformFounded', {}),
  recorded(2, 'account-ann', 'AccountOpened', {}),
  recorded(3, 'access-ann', 'SignedIn', {}),
  recorded(4, 'account-bob', 'AccountOpened', {}),
  recorded(5, 'access-ann', 'SignedIn', {}, 1),
  recorded(6, 'account-ann', 'TermsAccepted', {}, 1),
  recorded(7, 'notes-ann', 'NoteAdded', {}),
  recorded(8, 'account-ann', 'MoneyOutDelayed', {}, 2),
];
const ofAnn = log.filter(({ stream }) => stream.endsWith('-ann'));
const end = { position: '8', streams: { 'access-ann': 1, 'account-ann': 2, 'notes-ann': 0 } };

/** A log whose engine does not tell where in it the events of a stream are. */
function withoutPlaces(store: EventStore): EventStore {
  return {
    ...store,
    readStream: async (...asked) =>
      (await store.readStream(...asked)).map(({ position: _, ...event }) => event),
  };
}

/** A log, and read models that stopped after so many of its events. */
async function stopped(after: number, change: (store: EventStore) => EventStore = (store) => store) {
  const { readStore } = await worldOf(log.slice(0, after));
  return new ReadCaseHandler({ eventStore: change(createMemoryEventStore([...log])), readStore });
}

/** Every page of a case, one after the other. */
async function pagesOf(handler: ReadCaseHandler, limit: number) {
  const first = await handler.execute(new ReadCase('ann', { cursor: undefined, limit }));
  const pages = [first];
  for (let { next } = first; next !== null;) {
    const page = await handler.execute(new ReadCase('ann', { cursor: next, limit }));
    pages.push(page);
    ({ next } = page);
  }
  return pages;
}

describe('a case file', () => {
  test.each([1, 2, 10])('has everything while the projector stands still, in pages of %d', async (limit) => {
    const pages = await pagesOf(await stopped(3), limit);
    expect(pages.flatMap(({ items }) => items)).toEqual(ofAnn);
    expect(pages.map((page) => page.end)).toEqual(pages.map(() => end));
    expect(pages.map(({ first }) => first)).toEqual(pages.map((_, n) => 1 + n * limit));
  });

  test.each([1, 2, 10])(
    'is placed by the read model where streams tell no places, in pages of %d',
    async (limit) => {
      const pages = await pagesOf(await stopped(log.length, withoutPlaces), limit);
      expect(pages.flatMap(({ items }) => items)).toEqual(ofAnn);
      expect(pages[0]?.end).toEqual(end);
    },
  );

  test('is refused where streams tell no places and the read model lacks one of its events', async () => {
    const handler = await stopped(log.length - 1, withoutPlaces);
    const asked = new ReadCase('ann', { cursor: undefined, limit: 10 });
    await expect(handler.execute(asked)).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('ends where its first page said, and at a place where none of its streams had more', async () => {
    const more = recorded(9, 'notes-ann', 'NoteAdded', {}, 1);
    const events = [...log];
    const store = createMemoryEventStore(events);
    let isFirst = true;
    const growing: EventStore = {
      ...store,
      head: async () => {
        const head = await store.head();
        if (isFirst) await store.append({ stream: more.stream, expected: 0, events: [more] });
        isFirst = false;
        return head;
      },
    };
    const { readStore } = await worldOf(log);
    const handler = new ReadCaseHandler({ eventStore: growing, readStore });
    const first = await handler.execute(new ReadCase('ann', { cursor: undefined, limit: 4 }));
    expect(first.end).toEqual({ position: '9', streams: { ...end.streams, 'notes-ann': 1 } });
    const after = recorded(10, 'account-ann', 'TermsAccepted', {}, 3);
    await store.append({ stream: after.stream, expected: 2, events: [after] });
    const last = await handler.execute(new ReadCase('ann', { cursor: first.next ?? '', limit: 4 }));
    expect([...first.items, ...last.items].map(({ position }) => position)).toEqual([
      '2',
      '3',
      '5',
      '6',
      '7',
      '8',
      '9',
    ]);
    expect([last.end, last.next]).toEqual([first.end, null]);
  });
});
