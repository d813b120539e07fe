import { expect, test } from '@jest/globals';
import { LodeError } from '#kernel';
import { countAnswer, emptyTally } from './tally.js';

const rejected = (reason: unknown) => ({ status: 'rejected', reason }) as const;

test.each(['unavailable', 'unknown_outcome'] as const)(
  'an engine that fails with %s ends the run',
  (code) => {
    const outage = new LodeError(code, 'The log can’t be reached.');
    expect(() => countAnswer(emptyTally(), 'ann', rejected(outage))).toThrow(outage);
  },
);

test('one account that can’t be paid is counted and named, and the run goes on', () => {
  const tally = emptyTally();
  countAnswer(tally, 'ann', rejected(new Error('a balance that does not add up')));
  expect(tally).toMatchObject({ due: 1, accrued: 0, skipped: 0, failed: 1, usd: 0n });
  expect(tally.failures).toMatchObject([{ userId: 'ann' }]);
});
