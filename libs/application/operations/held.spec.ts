import { beforeEach, expect, test } from '@jest/globals';
import { eventId, logStart } from '#kernel';
import { accountStream } from '#ledger';
import type { ModelHealth, ParkedEvent } from '#projections';
import { watchHeldStreams, type HeldStreams } from './held.js';

/** An event of Ann's account that read models park. */
const parkedEvent: ParkedEvent = {
  id: 'p0',
  order: 'p0',
  model: 'accounts',
  build: 'accounts@1.1',
  after: logStart,
  attempts: 5,
  error: 'TypeError: no',
  eventId: eventId('one', 0),
  position: logStart,
  revision: 0,
  state: 'parked',
  stream: accountStream('ann'),
  type: 'AccountRenamed',
};

function healthOf(parked: number): ModelHealth {
  return {
    name: 'accounts',
    version: 1,
    position: logStart,
    ordinal: 0,
    eventsBehind: 0,
    state: 'current',
    secondsBehind: 0,
    parked,
    discarded: 0,
    damaged: 0,
    movedAt: undefined,
    rebuild: undefined,
  };
}

let now: number;
let looks: ((parked: number) => void)[];
let giveUp: () => void;
let held: HeldStreams;

beforeEach(() => {
  now = 0;
  looks = [];
  const status = () =>
    new Promise<number>((resolve) => looks.push(resolve)).then((parked) => [healthOf(parked)]);
  held = watchHeldStreams({ status, parked: async () => [parkedEvent] }, () => now, {
    after: (_, done) => {
      giveUp = done;
      return () => undefined;
    },
  });
});

test('the first answer, and one after an hour of quiet, wait for a look, and those that ask meanwhile for the same', async () => {
  const first = [held.holds(['accounts'], 'ann'), held.holds(['products', 'accounts'], undefined)];
  expect(looks).toHaveLength(1);
  looks[0]?.(1);
  expect(await Promise.all(first)).toEqual([true, true]);
  expect([held.holds(['accounts'], 'ann'), held.holds(['accounts'], 'bob')]).toEqual([true, false]);
  now += 3_600_000;
  const later = held.holds(['accounts'], 'ann');
  expect(looks).toHaveLength(2);
  looks[1]?.(0);
  expect(await later).toBe(false);
});

test('a look that does not come is waited for once, and counts when it comes', async () => {
  const first = held.holds(['accounts'], 'ann');
  giveUp();
  expect(await first).toBe(false);
  // No time passes.
  expect(await held.holds(['accounts'], 'ann')).toBe(false);
  expect(looks).toHaveLength(1);
  looks[0]?.(1);
  await new Promise(setImmediate);
  expect(held.holds(['accounts'], 'ann')).toBe(true);
});
