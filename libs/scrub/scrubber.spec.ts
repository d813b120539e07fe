import { expect, test } from '@jest/globals';
import { LodeError, pause, systemTimers } from '#kernel';
import { createScrubber, type Look, type ScrubState } from '#scrub';

const DAY = 1_767_225_600_000;

/** Goes over parts once, without waiting for any pause, and gives what is kept at the end of that. */
async function onePass(parts: Readonly<Record<string, () => Promise<Look>>>) {
  const failed: string[] = [];
  const found: string[] = [];
  const kept: ScrubState[] = [];
  const scrubber = createScrubber({
    parts,
    load: () => undefined,
    keep: (state) => kept.push(state),
    isOurs: () => true,
    onFound: (_, { what }) => found.push(what),
    onFailing: (part) => failed.push(part),
    clock: () => DAY,
    monotonic: () => 0,
    timers: { ...systemTimers, after: (_, done) => systemTimers.after(0, done) },
  });
  scrubber.start();
  while (scrubber.state().last === undefined) await pause(systemTimers, 0);
  await scrubber.stop();
  return { failed, found, last: kept.at(-1) };
}

const whole: Look = { looked: 3, found: [], next: undefined };

test('a part that fails again and again is told and passed by, and does not count as looked at', async () => {
  const { failed, found, last } = await onePass({
    log: async () => whole,
    models: async () => {
      throw new Error('disk I/O error');
    },
    files: async () => whole,
  });
  expect(failed).toEqual(['models', 'models', 'models', 'models']);
  expect(found).toEqual(["The part models can't be looked at: disk I/O error"]);
  expect(last?.checkedAt).toEqual({ log: DAY, files: DAY });
  expect(last?.last).toMatchObject({ looked: 6, damaged: 1, endedAt: DAY });
});

test('a part whose store is away keeps no other from being looked at, is missed and not damaged', async () => {
  const { failed, found, last } = await onePass({
    files: async () => {
      throw new LodeError('unavailable', 'No answer from the object store.');
    },
    identity: async () => whole,
  });
  expect(failed).toEqual(['files', 'files', 'files', 'files']);
  expect(found).toEqual([]);
  expect(last?.checkedAt).toEqual({ identity: DAY });
  expect(last?.last).toMatchObject({ looked: 3, damaged: 0, missed: ['files'], endedAt: DAY });
});
