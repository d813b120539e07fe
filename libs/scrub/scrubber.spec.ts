import { expect, test } from '@jest/globals';
import { LodeError, pause, systemTimers } from '#kernel';
import { createScrubber, missedIn, scrubLimits, type Look, type ScrubState } from '#scrub';

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
  // Each time that it is tried again, and that it is passed by.
  expect(failed).toEqual(Array(scrubLimits.triesAway).fill('files'));
  expect(found).toEqual([]);
  expect(last?.checkedAt).toEqual({ identity: DAY });
  expect(last?.last).toMatchObject({ looked: 3, damaged: 0, missed: ['files'], endedAt: DAY });
});

test('a part counts as missed until a look has come through it', () => {
  const counts = { begunAt: DAY, looked: 0, damaged: 0, lasting: 0, found: [] };
  const last = { ...counts, endedAt: DAY + 9, missed: ['files', 'log'] };
  const before: ScrubState = { pass: undefined, last, checkedAt: { log: DAY - 5 } };
  expect(missedIn(before)).toEqual(['files', 'log']);
  const pass = { ...counts, begunAt: DAY + 10, part: 'log', missed: ['models'] };
  expect(missedIn({ ...before, pass, checkedAt: { log: DAY - 5, files: DAY + 11 } })).toEqual([
    'log',
    'models',
  ]);
});
