import { describe, expect, test } from '@jest/globals';
import { comparePositions, logStart, positionOf, type Position, type RecordedEvent } from '#kernel';
import { describeLag, endOf, lagOf } from './log-end.js';

/** A log of so many events whose positions are far apart. */
function logOf(events: number) {
  const reads: Position[] = [];
  const at = (ordinal: number) => positionOf(ordinal * 300);
  return {
    at,
    reads,
    head: async () => at(events),
    readAll: async (after: Position, limit: number) => {
      reads.push(after);
      const all = Array.from({ length: events }, (_, n) => ({ position: at(n + 1) }) as RecordedEvent);
      return all.filter(({ position }) => comparePositions(position, after) > 0).slice(0, limit);
    },
  };
}

describe('the end of a log', () => {
  test('is where somebody stands who has seen all of it', async () => {
    const log = logOf(12);
    const seen = [5, 12, 7].map((ordinal) => ({ position: log.at(ordinal), ordinal }));
    expect(await endOf(log, seen)).toEqual({ position: log.at(12), ordinal: 12, isCounted: true });
    expect(log.reads).toEqual([]);
  });

  test('is counted from the furthest place that is in the log', async () => {
    const log = logOf(12_000);
    const seen = [
      { position: log.at(10_000), ordinal: 10_000 },
      { position: log.at(13_000), ordinal: 13_000 },
    ];
    expect(await endOf(log, seen)).toEqual({ position: log.at(12_000), ordinal: 12_000, isCounted: true });
    expect(log.reads).toEqual([log.at(10_000)]);
    expect(await endOf(log, [])).toMatchObject({ ordinal: 12_000, isCounted: true });
    expect(await endOf(logOf(0), [])).toEqual({ position: logStart, ordinal: 0, isCounted: true });
  });

  test('is not looked for without end', async () => {
    const log = logOf(60_000);
    expect(await endOf(log, [])).toEqual({ position: log.at(60_000), ordinal: 50_000, isCounted: false });
  });
});

describe('how many events wait', () => {
  const end = { position: positionOf(3_000), ordinal: 12, isCounted: true };

  test('is the difference of two ordinals', () => {
    const lag = lagOf({ position: positionOf(900), ordinal: 3 }, end);
    expect(describeLag(lag)).toBe('9 events behind');
    expect(describeLag(lagOf({ position: positionOf(900), ordinal: 11 }, end))).toBe('1 event behind');
  });

  test('is at least that where the end was not reached', () => {
    const lag = lagOf({ position: logStart, ordinal: 0 }, { ...end, isCounted: false });
    expect(describeLag(lag)).toBe('≥ 12 events behind');
  });

  test('is none past the end, and where that is not known', () => {
    const ahead = { position: positionOf(3_001), ordinal: 13 };
    expect([lagOf(ahead, end), lagOf(ahead, undefined)]).toEqual([
      { behind: 0, isAtLeast: false },
      { behind: 0, isAtLeast: false },
    ]);
  });
});
