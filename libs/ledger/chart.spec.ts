import { expect, test } from '@jest/globals';
import { InvariantViolation } from '#kernel';
import { availableOf, classOf, heldOf, ledgerClasses, type LedgerAccount } from '#ledger';

/** Each account of the chart with its line of a trial balance. */
const chart: readonly (readonly [LedgerAccount, (typeof ledgerClasses)[number]])[] = [
  [availableOf('u1'), 'customersAvailable'],
  [heldOf('u1'), 'customersHeld'],
  ['transit', 'transit'],
  ['operator/deposits', 'deposits'],
  ['operator/payouts', 'payouts'],
  ['operator/bonus', 'bonus'],
  ['operator/adjustments', 'adjustments'],
];

test.each(chart)('%s is booked as %s', (account, line) => {
  expect(classOf(account)).toBe(line);
});

test('each line of a trial balance has an account', () => {
  expect(chart.map(([, line]) => line)).toEqual(ledgerClasses);
});

test.each(['operator/transit', 'deposits', 'operator/other', 'customer/u1', 'operator/', ''])(
  '%s is not in the chart',
  (account) => {
    expect(() => classOf(account as LedgerAccount)).toThrow(InvariantViolation);
  },
);
