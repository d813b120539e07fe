import { expect, test } from '@jest/globals';
import { repeatEvery, systemTimers, type Timers } from '#kernel';

test('what is repeated is done each time, until it is cancelled', () => {
  const waits = new Map<() => void, number>();
  const timers: Timers = {
    ...systemTimers,
    after: (ms, done) => {
      waits.set(done, ms);
      return () => waits.delete(done);
    },
  };
  const end = () => {
    const [[done] = []] = waits;
    waits.delete(done!);
    done!();
  };
  let times = 0;
  const cancel = repeatEvery(timers, 50, () => (times += 1));
  expect(times).toBe(0);
  end();
  end();
  expect(times).toBe(2);
  expect([...waits.values()]).toEqual([50]);
  cancel();
  expect(waits.size).toBe(0);
});

test('work that cancels itself is not repeated', () => {
  const asked: (() => void)[] = [];
  const cancelled: (() => void)[] = [];
  const timers: Timers = {
    ...systemTimers,
    after: (_ms, done) => {
      asked.push(done);
      return () => cancelled.push(done);
    },
  };
  const cancel = repeatEvery(timers, 50, () => cancel());
  asked[0]!();
  expect(cancelled).toEqual([asked[1]]);
});
