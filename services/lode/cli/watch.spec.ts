import { expect, test } from '@jest/globals';
import { LodeError, type Timers } from '#kernel';
import { createWatch, LOOK_MS, STILL_MS, type Watch } from './watch.js';

/** A watch whose every look takes some time, in which something may happen. */
function watching(ms: number, happens: (watch: Watch, look: number) => void) {
  let now = 0;
  let looks = 0;
  const timers: Timers = {
    after: (asked, done) => {
      expect(asked).toBe(LOOK_MS);
      now += ms;
      happens(watch, ++looks);
      queueMicrotask(done);
      return () => undefined;
    },
    yieldNow: () => Promise.resolve(),
  };
  const watch = createWatch(timers, () => now);
  return { watch, looks: () => looks, now: () => now };
}

test('resolves once it is so, however long that takes, as long as something is done', async () => {
  const { watch, looks, now } = watching(STILL_MS, ({ moved }) => moved());
  await watch.until(() => Promise.resolve(looks() === 100));
  expect(now()).toBe(100 * STILL_MS);
});

test('gives up when nothing is done for too long, counted from when it began to wait', async () => {
  const { watch, looks, now } = watching(STILL_MS / 10, () => undefined);
  await watch.until(() => looks() === 5);
  await expect(watch.until(() => false)).rejects.toMatchObject({
    code: 'unavailable',
    message: 'The read models stand still: nothing was done for 15 minutes.',
  });
  expect(now()).toBe((STILL_MS / 10) * 16);
});

test('throws the first failure of the work, also one from before it waits', async () => {
  const first = new LodeError('storage_full', 'There is no room.');
  const { watch, looks } = watching(1, ({ failed }, look) => {
    if (look === 3) failed(first);
  });
  await expect(watch.until(() => false)).rejects.toBe(first);
  expect(looks()).toBe(3);
  watch.failed(new LodeError('unavailable', 'The read models were stopped.'));
  await expect(watch.until(() => false)).rejects.toBe(first);
});
