import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { InvariantViolation } from '#kernel';
import {
  addAmounts,
  availableOf,
  changeOf,
  currencies,
  heldOf,
  isBalanced,
  move,
  noAmounts,
  sumOf,
  type LedgerAccount,
} from '#ledger';
import { anyMinor } from '#ledger/testing';

const account = fc.constantFrom<LedgerAccount>(
  availableOf('a'),
  heldOf('a'),
  availableOf('b'),
  'operator/deposits',
  'transit',
);
const movement = fc.record({
  from: account,
  to: account,
  currency: fc.constantFrom(...currencies),
  amount: anyMinor(0n),
});

describe('postings', () => {
  test('of any movements add up to zero in each currency', () => {
    fc.assert(
      fc.property(fc.array(movement), (movements) => {
        const postings = movements.flatMap(({ from, to, currency, amount }) =>
          move(from, to, currency, amount),
        );
        expect(isBalanced(postings)).toBe(true);
        expect(sumOf(postings)).toEqual(noAmounts);
      }),
    );
  });

  test('come to the same on a customer’s two accounts, looked at once or account by account', () => {
    fc.assert(
      fc.property(fc.array(movement), (movements) => {
        const postings = movements.flatMap(({ from, to, currency, amount }) =>
          move(from, to, currency, amount).slice(0, 1 + (movements.length % 2)),
        );
        const [available, held] = [availableOf('a'), heldOf('a')];
        expect(changeOf(postings, available, held)).toEqual({
          available: sumOf(postings, available),
          held: sumOf(postings, held),
          all: sumOf(postings),
        });
      }),
    );
  });

  test('take from one account what they give to the other, and touch no third', () => {
    fc.assert(
      fc.property(movement, ({ from, to, currency, amount }) => {
        fc.pre(from !== to);
        const postings = move(from, to, currency, amount);
        expect(sumOf(postings, from)).toEqual({ ...noAmounts, [currency]: -amount });
        expect(sumOf(postings, to)).toEqual({ ...noAmounts, [currency]: amount });
        expect(sumOf(postings, 'operator/bonus')).toEqual(noAmounts);
      }),
    );
  });

  test('are none for nothing, and never a negative movement', () => {
    expect(move('transit', 'operator/payouts', 'USD', 0n)).toEqual([]);
    expect(() => move('transit', 'operator/payouts', 'USD', -1n)).toThrow(InvariantViolation);
  });

  test('that lack or gain the smallest unit anywhere are not balanced', () => {
    fc.assert(
      fc.property(
        fc.array(movement, { minLength: 1 }),
        fc.nat(),
        fc.constantFrom(1n, -1n),
        (movements, at, change) => {
          const postings = movements.flatMap(({ from, to, currency, amount }) =>
            move(from, to, currency, amount / 2n),
          );
          const one = postings[at % Math.max(1, postings.length)];
          fc.pre(one !== undefined);
          const amount = one.amount + change;
          expect(isBalanced(postings.with(at % postings.length, { ...one, amount }))).toBe(false);
        },
      ),
    );
  });

  test('that balance in value but not in each currency are not balanced', () => {
    const [out] = move('transit', 'operator/payouts', 'USD', 100n);
    const [, into] = move('transit', 'operator/payouts', 'USDT', 1_000_000n);
    expect(isBalanced([out!, into!])).toBe(false);
  });

  test('amounts are added currency by currency', () => {
    const amounts = fc.record({ USD: anyMinor(), BTC: anyMinor(), PI: anyMinor(), USDT: anyMinor() });
    fc.assert(
      fc.property(amounts, amounts, (a, b) => {
        for (const currency of currencies) expect(addAmounts(a, b)[currency]).toBe(a[currency] + b[currency]);
      }),
    );
  });
});
