import { expect, test } from '@jest/globals';
import { createRunLoop, LodeError, type Failing, type Pause } from '#kernel';

const retry = { firstMs: 10, lastMs: 40, jitter: 0 };

/** A loop whose pauses are ended by the test, or by the loop itself. */
function looped(turn: () => Promise<Pause>) {
  const pauses: number[] = [];
  const failures: Failing[] = [];
  const said: string[] = [];
  const stopped = Promise.withResolvers<undefined>();
  let now = 1_000;
  let paused = Promise.withResolvers<() => void>();
  const loop = createRunLoop({
    turn,
    onFailing: (failing) => failures.push(failing),
    onRecovered: () => said.push('recovered'),
    onStopped: async () => {
      said.push('stopped');
      stopped.resolve(undefined);
    },
    retry,
    clock: () => (now += 1),
    random: () => new Uint8Array(1),
    timers: {
      after: (ms, done) => {
        pauses.push(ms);
        paused.resolve(done);
        return () => undefined;
      },
      yieldNow: async () => {
        pauses.push(0);
      },
    },
  });
  /** Resolves once the loop pauses, with what ends the pause. */
  const nextPause = async () => {
    const end = await paused.promise;
    paused = Promise.withResolvers();
    return end;
  };
  return { loop, pauses, failures, said, stopped: stopped.promise, nextPause };
}

test('goes on until it is stopped, and ends after the turn under way', async () => {
  let turns = 0;
  const { loop, said, pauses, stopped } = looped(async () => {
    turns += 1;
    if (turns === 3) void loop.stop();
    return { until: 'yielded' };
  });
  loop.start();
  loop.start();
  await stopped;
  expect({ turns, said, pauses }).toEqual({ turns: 3, said: ['stopped'], pauses: [0, 0, 0] });
  expect(loop.isStopping()).toBe(true);
});

test('a failing turn is tried again, after longer and longer pauses, until it goes well', async () => {
  let fails = true;
  const { loop, pauses, failures, said, nextPause } = looped(async () => {
    if (fails) throw new LodeError('unavailable', 'no engine');
    return { until: 'woken', ms: 1_000 };
  });
  loop.start();
  for (let n = 0; n < 4; n++) {
    const end = await nextPause();
    if (n === 3) fails = false;
    end();
  }
  await nextPause();
  expect(pauses).toEqual([10, 20, 40, 40, 1_000]);
  expect(failures.map(({ code, attempts }) => ({ code, attempts }))).toEqual(
    [1, 2, 3, 4].map((attempts) => ({ code: 'unavailable', attempts })),
  );
  expect(new Set(failures.map(({ since }) => since)).size).toBe(1);
  expect({ said, failing: loop.failing() }).toEqual({ said: ['recovered'], failing: undefined });
  await loop.stop();
});

test('what wakes it ends a pause that may be ended so, also when it came during the turn', async () => {
  const turns: Pause[] = [
    { until: 'woken', ms: 1 },
    { until: 'woken', ms: 2 },
    { until: 'stopped', ms: 3 },
  ];
  let done = 0;
  const { loop, pauses, nextPause } = looped(async () => {
    const pause = turns[done] ?? { until: 'stopped', ms: 9 };
    done += 1;
    if (done === 1) loop.wake();
    return pause;
  });
  loop.start();
  await nextPause();
  expect(pauses).toEqual([2]);
  loop.wake();
  await nextPause();
  loop.wake();
  expect({ pauses, done }).toEqual({ pauses: [2, 3], done: 3 });
  await loop.stop();
  expect(done).toBe(3);
});
