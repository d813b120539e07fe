import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { LodeError, type Hold } from '#kernel';
import type { EventStore } from '#event-store';
import { createMemoryEventStore } from '#event-store/memory';
import { checkLog, everything } from '#event-store/testing';
import { createExecutor } from '#commands';
import {
  asPromise,
  contextOf,
  outcomeOf,
  startTally,
  tallyDecider,
  type TallyCommand,
} from './testing/index.js';

const STREAM = 'tally-1';
const add = (amount: number): TallyCommand => ({ do: 'add', amount });
const take = (amount: number): TallyCommand => ({ do: 'take', amount });

let store: EventStore;
beforeEach(() => {
  store = createMemoryEventStore();
});

describe('while the clock is not accepted', () => {
  let held: LodeError | undefined;
  const hold: Hold = () => held;
  const refused = new LodeError('unavailable', 'the clock');
  beforeEach(() => {
    held = undefined;
  });

  test('what would write is refused with why, and all else is answered', async () => {
    const executor = startTally(store, { hold });
    const send = (key: string, command: TallyCommand, body?: string) =>
      outcomeOf(executor.execute(STREAM, command, contextOf(key, body)));
    await send('k1', add(5));
    held = refused;
    const asked: readonly [string, TallyCommand, string?][] = [
      ['k1', add(5)],
      ['k1', add(5), 'another body'],
      ['k2', add(1)],
      ['k3', take(9)],
      ['k4', { do: 'raise', to: 3 }],
      ['k5', take(1)],
      ['k6', take(6)],
    ];
    const outcomes = [
      'replayed',
      'idempotency_key_reused',
      'unavailable',
      'insufficient_balance',
      'done',
      'unavailable',
      'insufficient_balance',
    ];
    expect(await Promise.all(asked.map((one) => send(...one)))).toEqual(outcomes);
    expect(await everything(store)).toHaveLength(1);
    held = undefined;
    expect([await send('k2', add(1)), await send('k6', take(6))]).toEqual(['done', 'done']);
  });

  test.each(['remembered', 'read'])('so it is of many at once whose stream is %s', async (how) => {
    const first = startTally(store, { hold });
    await first.execute(STREAM, add(5), contextOf('k1'));
    held = refused;
    const executor = how === 'read' ? startTally(store, { hold }) : first;
    const many = await executor.executeMany(
      [
        { stream: STREAM, command: add(5), context: contextOf('k1') },
        { stream: STREAM, command: add(1), context: contextOf('k2') },
        { stream: STREAM, command: take(9), context: contextOf('k3') },
        { stream: 'tally-2', command: add(1), context: contextOf('k4') },
      ],
      { keep: true },
    );
    expect(await Promise.all(many.map((one) => outcomeOf(asPromise(one))))).toEqual([
      'replayed',
      'unavailable',
      'insufficient_balance',
      'unavailable',
    ]);
    expect(await everything(store)).toHaveLength(1);
  });
});

describe('the instant of an event', () => {
  test('is never before that of the event before it in its stream, and decisions go by the clock', async () => {
    const decidedAt: string[] = [];
    const decider: typeof tallyDecider = {
      ...tallyDecider,
      decide: (command, state, now) => {
        decidedAt.push(now);
        return tallyDecider.decide(command, state, now);
      },
    };
    const instants = fc.array(fc.integer({ min: 0, max: 4_000_000_000_000 }), {
      minLength: 1,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(instants, fc.boolean(), async (times, isForgetful) => {
        const log = createMemoryEventStore();
        let now = 0;
        const start = () => createExecutor({ store: log, decider, clock: () => now });
        let executor = start();
        decidedAt.length = 0;
        for (const [n, time] of times.entries()) {
          now = time;
          if (isForgetful) executor = start();
          await executor.execute(STREAM, add(1), contextOf(`k${n}`));
        }
        const isoTimes = times.map((time) => new Date(time).toISOString());
        expect(decidedAt).toEqual(isoTimes);
        const latest = isoTimes.map((_, n) =>
          isoTimes
            .slice(0, n + 1)
            .toSorted()
            .at(-1),
        );
        expect((await checkLog(log)).map(({ at }) => at)).toEqual(latest);
      }),
    );
  });
});
