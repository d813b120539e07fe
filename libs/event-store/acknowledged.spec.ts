import { describe, expect, test } from '@jest/globals';
import { logStart, positionOf } from '#kernel';
import { watchAppends, type Append, type EventStore } from '#event-store';
import { createMemoryEventStore } from './memory/index.js';

/** A log that answers appends with the positions it is told, and stands still otherwise. */
function frozen() {
  const state = { position: 0, now: 1_000 };
  const appended = () => ({ revision: 0, position: positionOf(state.position) });
  const store: EventStore = {
    ...createMemoryEventStore(),
    append: async () => appended(),
    appendMany: async (appends) => appends.map(() => ({ status: 'fulfilled', value: appended() })),
  };
  const { eventStore, acknowledged } = watchAppends(store, () => state.now);
  const append = async (position: number, now: number) => {
    Object.assign(state, { position, now });
    await eventStore.append(one);
  };
  return {
    state,
    eventStore,
    unseen: (position: number) => acknowledged.unseen(positionOf(position)),
    append,
  };
}

const one: Append = { stream: 's', expected: 'no-stream', events: [] };
const nothing = { events: 0, since: undefined };

describe('a log whose appends are watched', () => {
  test('tells since when the first event is known that somebody has not', async () => {
    const { unseen, append } = frozen();
    expect(unseen(0)).toEqual(nothing);
    await append(10, 1_000);
    await append(20, 2_000);
    await append(15, 3_000);
    expect([0, 10, 19, 20, 30].map((position) => unseen(position).since)).toEqual([
      1_000,
      2_000,
      2_000,
      undefined,
      undefined,
    ]);
  });

  test('counts the events, and those of many appends at once', async () => {
    const store = createMemoryEventStore();
    const { eventStore, acknowledged } = watchAppends(store, () => 0);
    expect(await eventStore.head()).toBe(logStart);
    expect(acknowledged.unseen(logStart)).toEqual(nothing);
    const { state, eventStore: still, unseen } = frozen();
    state.position = 7;
    const events: Append['events'] = Array<Append['events'][number]>(3);
    await still.appendMany([
      { ...one, events },
      { ...one, events },
    ]);
    expect(unseen(6).events).toBe(6);
    expect(unseen(7)).toEqual(nothing);
  });

  test('takes its own word for its end', async () => {
    let head = 5;
    const store: EventStore = { ...createMemoryEventStore(), head: async () => positionOf(head) };
    let now = 0;
    const { eventStore, acknowledged } = watchAppends(store, () => (now += 100));
    await eventStore.head();
    head = 3;
    await eventStore.head();
    expect(acknowledged.unseen(positionOf(4))).toEqual({ events: 0, since: 100 });
  });

  test('keeps so many marks, the first and the last among them', async () => {
    const { unseen, append } = frozen();
    for (let position = 1; position <= 5_000; position++) await append(position, position);
    expect(unseen(0).since).toBe(1);
    expect(unseen(4_999).since).toBe(5_000);
    const since = unseen(2_500).since ?? 0;
    expect(since).toBeGreaterThan(2_500);
    expect(since).toBeLessThan(2_600);
  });
});
