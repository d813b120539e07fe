import { describe, expect, test } from '@jest/globals';
import { runId, slotAt } from './rules.js';

/* A run's slot is part of the ids of what it writes into the log: these values are never to be changed. */

const HOUR_MS = 3_600_000;

describe('a run', () => {
  test.each([
    ['2026-01-08T09:00:11.024Z', 7 * HOUR_MS, '2026-01-08T07:00:00.000Z'],
    ['2026-01-08T09:00:11.024Z', HOUR_MS, '2026-01-08T09:00:00.000Z'],
    ['2026-01-08T09:00:00.000Z', HOUR_MS, '2026-01-08T09:00:00.000Z'],
  ])('at %s every %i ms is for the slot that it always was for', (at, everyMs, slot) => {
    expect(slotAt(Date.parse(at), everyMs)).toBe(slot);
  });

  test('has the name that it always had', () => {
    expect(runId('bonus-tick', '2026-01-08T09:00:00.000Z')).toBe('bonus-tick/2026-01-08T09:00:00.000Z');
  });
});
