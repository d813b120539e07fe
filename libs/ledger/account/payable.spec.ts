import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  accountDecider,
  formatMoney,
  PRICE_SCALE,
  withdrawable,
  type AccountCommand,
  type OpenAccount,
  type PaymentCurrency,
  type Prices,
} from '#ledger';
import {
  adjusting,
  anyPrice,
  customer,
  pricesOf,
  refusalOf,
  transferOf,
  withdrawalOf,
} from '#ledger/testing';

const NOW = '2026-01-01T00:00:00.000Z';
const saved: AccountCommand = { type: 'SaveWalletAddress', address: 'sealed' };
const decide = (state: OpenAccount, command: AccountCommand) => () =>
  accountDecider.decide(command, state, NOW);
const most = ({ available }: OpenAccount, currency: PaymentCurrency, prices: Prices) =>
  withdrawable(available, currency, prices[currency]);

describe('what can be withdrawn', () => {
  test('is nothing of a currency that one does not hold, whatever its price', () => {
    const prices = pricesOf({ PI: '1000000' });
    const state = customer(saved, adjusting('BTC', '100.00'));
    expect(most(state, 'PI', prices)).toBe(0n);
    for (const command of [
      withdrawalOf('r1', '0.05', 'PI', prices),
      { ...transferOf('r1', '0.05', 'PI'), prices },
    ])
      expect(refusalOf(decide(state, command))).toEqual({
        code: 'insufficient_balance',
        message: 'Insufficient PI wallet balance!',
      });
  });

  test('is what the balance is worth, rounded down', () => {
    const prices = pricesOf({ BTC: '30000' });
    const state = customer(saved, adjusting('BTC', '100.00', prices), adjusting('PI', '50.00'));
    expect(formatMoney(state.available.BTC, 'BTC')).toBe('0.00333333');
    expect(formatMoney(most(state, 'BTC', prices), 'USD')).toBe('99.99');
    expect(refusalOf(decide(state, withdrawalOf('r1', '99.99', 'BTC', prices)))).toBeUndefined();
    expect(refusalOf(decide(state, withdrawalOf('r1', '100.00', 'BTC', prices)))?.code).toBe(
      'insufficient_balance',
    );
  });

  test('is nothing that would set nothing of the currency aside', () => {
    const state = customer(
      saved,
      adjusting('PI', '0.10', pricesOf({ PI: '1000000' })),
      adjusting('BTC', '10.00'),
    );
    expect(state.available.PI).toBe(1n);
    const dearer = pricesOf({ PI: '1050000' });
    expect(most(state, 'PI', dearer)).toBe(0n);
    expect(refusalOf(decide(state, withdrawalOf('r1', '0.10', 'PI', dearer)))?.code).toBe(
      'insufficient_balance',
    );
    const same = pricesOf({ PI: '1000000' });
    expect(formatMoney(most(state, 'PI', same), 'USD')).toBe('0.10');
    expect(refusalOf(decide(state, withdrawalOf('r1', '0.05', 'PI', same)))?.code).toBe('amount_invalid');
  });

  test('can be withdrawn, never a cent more, and is never worth more than is held', () => {
    const money = fc.bigInt({ min: 0n, max: 10n ** 12n });
    fc.assert(
      fc.property(money, money, anyPrice(), (USD, BTC, price) => {
        const open = customer(saved);
        const state: OpenAccount = { ...open, available: { ...open.available, USD, BTC } };
        const prices: Prices = { ...pricesOf(), BTC: price };
        const limit = most(state, 'BTC', prices);
        const asking = (amount: bigint) =>
          decide(state, { ...withdrawalOf('r1', '1.00', 'BTC', prices), amount });
        if (limit > 0n) expect(refusalOf(asking(limit))).toBeUndefined();
        expect(refusalOf(asking(limit + 1n))).toBeDefined();
        expect(limit * 10n ** BigInt(8 + PRICE_SCALE - 2)).toBeLessThanOrEqual(BTC * price);
      }),
    );
  });
});
