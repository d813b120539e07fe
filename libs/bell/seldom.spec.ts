import { expect, test } from '@jest/globals';
import { seldom } from './seldom.js';

/** Work that is done seldom, by timers of which the test says when they are due. */
function world() {
  const due: (() => void)[] = [];
  const state = { done: 0 };
  const ask = seldom(
    {
      after: (_ms, done) => {
        due.push(done);
        return () => undefined;
      },
    },
    1,
    () => (state.done += 1),
  );
  return { state, ask, pass: () => due.splice(0).forEach((done) => done()), resting: () => due.length };
}

test('is done at once, and what is asked for soon after it once, when the time has passed', () => {
  const { state, ask, pass, resting } = world();
  ask();
  expect(state.done).toBe(1);
  for (let n = 0; n < 100; n += 1) ask();
  expect([state.done, resting()]).toEqual([1, 1]);
  pass();
  expect([state.done, resting()]).toEqual([2, 1]);
  pass();
  expect([state.done, resting()]).toEqual([2, 0]);
  ask();
  expect(state.done).toBe(3);
});

test('may ask for itself', () => {
  const due: (() => void)[] = [];
  let done = 0;
  const ask = seldom({ after: (_ms, next) => (due.push(next), () => undefined) }, 1, () => {
    done += 1;
    ask();
  });
  ask();
  expect(done).toBe(1);
  due.shift()?.();
  expect(done).toBe(2);
});
