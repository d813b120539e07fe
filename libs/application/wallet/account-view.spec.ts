import { expect, test } from '@jest/globals';
import { systemTimers as timers } from '#kernel';
import { defaultBonusPolicy, perPaymentCurrency } from '#ledger';
import { logOf, modelsBeingBuilt, recorded } from '#projections/testing';
import { accountView } from './account-view.js';
import { createAccountHistory } from './history.js';

const UNTIL = '2026-01-02T00:00:00.000Z';
const opened = { userId: 'ann', accountNumber: '3012345678', role: 'user', profile: 'sealed' };
const { eventStore } = logOf([
  recorded(1, 'account-ann', 'AccountOpened', opened),
  recorded(2, 'account-ann', 'MoneyOutDelayed', { until: UNTIL, why: 'password_reset' }, 1),
]);
test('a wait for money to leave is said until it is over', async () => {
  const found = await createAccountHistory({ eventStore, readStore: modelsBeingBuilt, timers }).asOf(
    'ann',
    undefined,
  );
  if (found === undefined) throw new Error('the account is there');
  const keys = { decryptFor: async () => ({}) };
  const settings = {
    prices: perPaymentCurrency(() => 100_000_000n),
    bonusPolicy: defaultBonusPolicy,
    verification: { mayNot: [] },
  };
  const at = async (now: number) => {
    const rest = { now, networks: perPaymentCurrency(() => 'none' as const), changeWaitMs: 0 };
    return (await accountView(found.account, keys, settings, rest)).moneyOut;
  };
  expect(await at(Date.parse(UNTIL) - 1)).toEqual({ until: UNTIL, why: 'password_reset' });
  expect(await at(Date.parse(UNTIL))).toBeNull();
});
