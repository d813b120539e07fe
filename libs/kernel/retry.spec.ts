import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { delay, systemRandom, type Random, type RetryPolicy } from '#kernel';

const drawn =
  (byte: number): Random =>
  (bytes) =>
    new Uint8Array(bytes).fill(byte);

describe('the pause between two tries', () => {
  test('doubles with every failure, up to the longest', () => {
    const policy = { firstMs: 50, lastMs: 2_000, jitter: 0 };
    const pauses = [1, 2, 3, 4, 5, 6, 7, 8, 5_000].map((failures) => delay(failures, policy, systemRandom));
    expect(pauses).toEqual([50, 100, 200, 400, 800, 1_600, 2_000, 2_000, 2_000]);
  });

  test('is drawn from the part that the policy leaves to chance', () => {
    const half: RetryPolicy = { firstMs: 100, lastMs: 100, jitter: 0.5 };
    const whole: RetryPolicy = { ...half, jitter: 1 };
    expect([0, 128, 255].map((byte) => delay(1, half, drawn(byte)))).toEqual([50, 75, 99.8046875]);
    expect([0, 128, 255].map((byte) => delay(1, whole, drawn(byte)))).toEqual([0, 50, 99.609375]);
  });

  test('is never negative and never longer than the longest', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000 }),
        fc.record({
          firstMs: fc.integer({ min: 1, max: 10_000 }),
          lastMs: fc.integer({ min: 1, max: 100_000 }),
          jitter: fc.double({ min: 0, max: 1, noNaN: true }),
        }),
        fc.integer({ min: 0, max: 255 }),
        (failures, policy, byte) => {
          const pause = delay(failures, policy, drawn(byte));
          expect(pause).toBeGreaterThanOrEqual(0);
          expect(pause).toBeLessThanOrEqual(policy.lastMs);
        },
      ),
    );
  });

  test('draws nothing where nothing is left to chance', () => {
    const refuse: Random = () => {
      throw new Error('asked for randomness');
    };
    expect(delay(3, { firstMs: 10, lastMs: 100, jitter: 0 }, refuse)).toBe(40);
  });
});
