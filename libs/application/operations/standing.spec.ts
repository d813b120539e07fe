import { describe, expect, test } from '@jest/globals';
import { watchAppends, type EventStore } from '#event-store';
import { createMemoryEventStore } from '#event-store/memory';
import { positionOf } from '#kernel';
import type { ModelHealth } from '#projections';
import { standing, STANDS_STILL_AFTER_MS } from './standing.js';

const healthy: ModelHealth = {
  name: 'accounts',
  version: 1,
  position: positionOf(10),
  ordinal: 10,
  eventsBehind: 0,
  state: 'current',
  secondsBehind: 0,
  parked: 0,
  discarded: 0,
  damaged: 0,
  movedAt: 1_000,
  rebuild: undefined,
};

/** A log that goes on acknowledging appends, and a projector, whose sights of it a test sets. */
function world() {
  const state = { head: 10, appended: 10, now: 1_000, model: healthy };
  const store: EventStore = {
    ...createMemoryEventStore(),
    append: async () => ({ revision: 0, position: positionOf(state.appended) }),
    head: async () => positionOf(state.head),
  };
  const clock = () => state.now;
  const { eventStore, acknowledged } = watchAppends(store, clock);
  const projections = { status: async () => [state.model] };
  return {
    state,
    append: async (position: number) => {
      state.appended = position;
      await eventStore.append({ stream: 's', expected: 'no-stream', events: [] });
    },
    look: async () => {
      const { headSecondsBehind, models } = await standing({
        eventStore,
        acknowledged,
        clock,
        projections: { ...unasked, ...projections },
      });
      return { headSecondsBehind, ...models[0] };
    },
  };
}

const unasked = {
  waitFor: unused,
  overwrite: unused,
  onChanges: unused,
  onRebuilt: unused,
  rebuild: unused,
  cancelRebuild: unused,
  parked: unused,
  discard: unused,
  replay: unused,
};
function unused(): never {
  throw new Error('nobody asks for this');
}

describe('how the log and the read models stand', () => {
  test('is well while what was acknowledged is at the head and in the models', async () => {
    const { state, append, look } = world();
    await append(10);
    state.now += 10 * STANDS_STILL_AFTER_MS;
    expect(await look()).toEqual({ ...healthy, headSecondsBehind: 0 });
  });

  test('is stalled when the head stands still and all that follows it thinks that it has everything', async () => {
    const { state, append, look } = world();
    await append(11);
    state.now += 5_000;
    expect(await look()).toMatchObject({ headSecondsBehind: 5, secondsBehind: 5, state: 'current' });
    state.now += STANDS_STILL_AFTER_MS;
    expect(await look()).toMatchObject({ headSecondsBehind: 20, secondsBehind: 20, state: 'stalled' });
    Object.assign(state, { head: 11, model: { ...healthy, position: positionOf(11) } });
    expect(await look()).toMatchObject({ headSecondsBehind: 0, secondsBehind: 0, state: 'current' });
  });

  test('is stalled when the head moves and the log that is folded does not', async () => {
    const { state, look } = world();
    await look();
    state.head = 12;
    await look();
    state.now += STANDS_STILL_AFTER_MS + 1;
    expect(await look()).toMatchObject({ headSecondsBehind: 0, state: 'stalled' });
  });

  test('is behind and not stalled while a model comes nearer', async () => {
    const { state, append, look } = world();
    await append(500);
    state.head = 500;
    for (let position = 20; position < 60; position += 10) {
      state.now += STANDS_STILL_AFTER_MS;
      const moved = { position: positionOf(position), movedAt: state.now };
      state.model = { ...healthy, ...moved, state: 'behind', eventsBehind: 500 - position };
      expect(await look()).toMatchObject({ state: 'behind', eventsBehind: 500 - position });
    }
  });
});
