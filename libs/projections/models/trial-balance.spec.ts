import { expect, test } from '@jest/globals';
import { bucketLevels, bucketRange } from '#projections';

/** Events a stretch. */
const LENGTHS = { longest: 2 ** 22, long: 2 ** 17, middle: 2 ** 12, short: 2 ** 7 } as const;

const numberIn = (id: string) => Number.parseInt(id.split('/')[1] ?? '', 36);

test.each([
  0,
  127,
  128,
  4_095,
  4_096,
  5_000,
  131_072,
  1_234_567,
  2 ** 22,
  3 * 2 ** 22 + 131_072 + 4_096 + 129,
])('the stretches before event %i have each event before its own shortest stretch once', (ordinal) => {
  let next = 0;
  for (const level of bucketLevels) {
    const { from, to } = bucketRange(level, ordinal);
    expect([level, numberIn(from) * LENGTHS[level]]).toEqual([level, next]);
    next = numberIn(to) * LENGTHS[level];
  }
  expect(next).toBe(ordinal - (ordinal % LENGTHS.short));
});
