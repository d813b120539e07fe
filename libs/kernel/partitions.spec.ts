import { describe, expect, test } from '@jest/globals';
import { allLanes, laneOf, partitionOf, PARTITIONS, partsOf } from '#kernel';

const streams = Array.from({ length: 4_096 }, (_, n) => `account-${n}`);

describe('lanes', () => {
  test('are one where streams are not parted', () => {
    expect(new Set(streams.map((stream) => laneOf(stream, 1)))).toEqual(new Set([0]));
  });

  test.each([2, 16, PARTITIONS])('are %i ranges of partitions, each as long as the others', (of) => {
    const found = new Map<number, Set<number>>();
    for (const stream of streams) {
      const lane = laneOf(stream, of);
      const partitions = found.get(lane) ?? new Set();
      found.set(lane, partitions.add(partitionOf(partsOf(stream).subject)));
    }
    for (const [lane, partitions] of found) {
      expect(allLanes(of).own).toContain(lane);
      for (const partition of partitions) expect(Math.floor(partition / (PARTITIONS / of))).toBe(lane);
    }
  });

  test('are the same for all streams about a subject, and spread those of many', () => {
    expect(laneOf('access-7', 16)).toBe(laneOf('account-7', 16));
    const counts = streams.reduce((sums, stream) => {
      const lane = laneOf(stream, 16);
      return sums.with(lane, (sums[lane] ?? 0) + 1);
    }, Array<number>(16).fill(0));
    expect(Math.min(...counts)).toBeGreaterThan(streams.length / 16 / 2);
    expect(Math.max(...counts)).toBeLessThan((streams.length / 16) * 2);
  });
});
