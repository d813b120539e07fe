import { expect, test } from '@jest/globals';
import { defaultBonusPolicy } from '#ledger';
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
