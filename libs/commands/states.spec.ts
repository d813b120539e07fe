import { describe, expect, test } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { systemTimers } from '#kernel';
import type { EventStore } from '#event-store';
import { createMemoryEventStore } from '#event-store/memory';
import { createStateCache } from './state-cache.js';
import { createStates, FOLD_MAX } from './states.js';
import { contextOf, startTally, tallyDecider } from './testing/index.js';

const STREAM = 'long';

/** A log whose stream has `count` events, and states on it that count what happens between two turns of the event loop. */
async function coldStream(count: number) {
  const log = createMemoryEventStore();
  const writer = startTally(log);
  await Promise.all(
    Array.from({ length: Math.ceil(count / 500) }, (_, n) =>
      writer.execute(
        STREAM,
        { do: 'add', amount: 1, events: Math.min(500, count - 500 * n) },
        contextOf(`k${n}`),
      ),
    ),
  );
  const inOneGo: number[] = [0];
  const reads: number[] = [];
  const store: EventStore = {
    ...log,
    readStream: (stream, read) => {
      reads.push(read.from ?? 0);
      return log.readStream(stream, read);
    },
  };
  const decider: typeof tallyDecider = {
    ...tallyDecider,
    evolve: (state, event) => {
      inOneGo[inOneGo.length - 1]! += 1;
      return tallyDecider.evolve(state, event);
    },
  };
  const timers = {
    ...systemTimers,
    yieldNow: async () => {
      await setImmediate();
      inOneGo.push(0);
    },
  };
  const states = createStates({ store, decider, cache: createStateCache(), timers });
  return { states, inOneGo, reads, writer };
}

describe('a stream that nobody remembers', () => {
  test.each([1, FOLD_MAX - 1, FOLD_MAX, FOLD_MAX + 1, 5_000])(
    'of %d events is folded in pieces, and everybody else gets a turn between them',
    async (count) => {
      const { states, inOneGo } = await coldStream(count);
      const { state, revision } = await states.load(STREAM);
      expect([state.sum, revision]).toEqual([count, count - 1]);
      expect(Math.max(...inOneGo)).toBeLessThanOrEqual(FOLD_MAX);
      expect(inOneGo.reduce((sum, one) => sum + one)).toBe(count);
    },
  );

  test('is folded once for all who ask at once, each of whom learns what is new since', async () => {
    const { states, inOneGo, reads, writer } = await coldStream(3_000);
    const first = states.load(STREAM);
    const others = Array.from({ length: 20 }, () => states.load(STREAM));
    await writer.execute(STREAM, { do: 'add', amount: 7 }, contextOf('later'));
    const last = states.load(STREAM);
    expect((await first).state.sum).toBeGreaterThanOrEqual(3_000);
    for (const one of [...others, last]) expect((await one).state.sum).toBe(3_007);
    // The late event may be read by each of them.
    expect(inOneGo.reduce((sum, one) => sum + one)).toBeLessThanOrEqual(3_001 + 21);
    expect(reads.filter((from) => from === 0)).toHaveLength(1);
  });

  test('folds in turns with another one, so that two together take no longer pieces', async () => {
    const { states, inOneGo, writer } = await coldStream(2_000);
    await writer.execute('other', { do: 'add', amount: 1, events: 1_000 }, contextOf('other'));
    await Promise.all([states.load(STREAM), states.load('other')]);
    // Each begins at once; after that there is one piece a turn.
    const [beginnings, ...pieces] = inOneGo;
    expect(beginnings).toBe(2 * FOLD_MAX);
    expect(Math.max(...pieces)).toBeLessThanOrEqual(FOLD_MAX);
  });

  test('is begun again after a read that failed', async () => {
    const log = createMemoryEventStore();
    await startTally(log).execute(STREAM, { do: 'add', amount: 5 }, contextOf('k1'));
    let fails = true;
    const store: EventStore = {
      ...log,
      readStream: async (stream, read) => {
        if (fails) throw new Error('injected');
        return log.readStream(stream, read);
      },
    };
    const states = createStates({
      store,
      decider: tallyDecider,
      cache: createStateCache(),
      timers: systemTimers,
    });
    const both = await Promise.allSettled([states.load(STREAM), states.load(STREAM)]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    fails = false;
    expect((await states.load(STREAM)).state.sum).toBe(5);
  });
});
