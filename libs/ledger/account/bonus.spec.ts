import { expect, test } from '@jest/globals';
import { bonusDueAt, defaultBonusPolicy, dueDays, type BonusCycle } from '#ledger';
import { customer, taken } from '#ledger/testing';

test.each([
  ['the cap is more than the window', 10, 7],
  ['the window is more than the cap', 3, 7],
])('a stop counts all days as paid that any policy would still pay, where %s', (_, capDays, windowDays) => {
  const policy = { ...defaultBonusPolicy, capDays, windowDays };
  const account = customer({ type: 'StartBonusCycle', policy });
  expect(taken({ type: 'StopBonus', policy }, account)).toEqual([
    expect.objectContaining({
      type: 'BonusStopped',
      data: expect.objectContaining({ bonusDays: Math.max(capDays, windowDays) }) as unknown,
    }),
  ]);
});

test.each([
  ['a day has passed', '2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'],
  ['it has rested since its last update', '2026-01-01T20:00:00.000Z', '2026-01-02T03:00:00.000Z'],
])('a cycle is due from the instant at which %s', (_, updatedTime, due) => {
  const policy = { ...defaultBonusPolicy, everyHours: 7 };
  const started = customer({ type: 'StartBonusCycle', policy }).bonus!;
  const cycle: BonusCycle = { ...started, startDate: '2026-01-01T00:00:00.000Z', updatedTime };
  expect(bonusDueAt(cycle, policy)).toBe(due);
  expect(dueDays(cycle, policy, due)).toBe(1);
  expect(dueDays(cycle, policy, new Date(Date.parse(due) - 1).toISOString())).toBe(0);
});
