import { describe, expect, test } from '@jest/globals';
import { entryOf, whyOf } from '../../testing';
import { proofOf, stepsOf, sumOf, titleOf } from './why-model';

const entries = [
  entryOf({ change: '-40.10', balanceAfter: '459.90' }),
  entryOf({ change: '500.00', balanceAfter: '500.00' }),
];
const head = whyOf({ balance: '459.90', entries });

describe('the proof of a statement', () => {
  test('adds up from nothing to the balance', () => {
    expect(proofOf(head, entries, null)).toBe('adds-up');
  });
  test('says that older entries are missing', () => {
    expect(proofOf(head, entries.slice(0, 1), 2)).toBe('more-to-load');
  });
  test.each([
    [
      'a line that does not follow from the one below it',
      head,
      [entries[0]!, entryOf({ balanceAfter: '500.01' })],
      null,
    ],
    ['a newest line that is not the balance', { ...head, balance: '460.00' }, entries, null],
    ['a first line that does not start from nothing', head, entries.slice(0, 1), null],
    ['a balance without any line', head, [], null],
  ] as const)('is broken by %s', (_what, page, lines, before) => {
    expect(proofOf(page, lines, before)).toBe('broken');
  });
  test('holds for amounts that a float would round', () => {
    const large = [
      entryOf({ change: '0.01', balanceAfter: '90071992547409.93' }),
      entryOf({ change: '90071992547409.92', balanceAfter: '90071992547409.92' }),
    ];
    expect(proofOf({ currency: 'USD', balance: '90071992547409.93' }, large, null)).toBe('adds-up');
  });
});

test('names events in words, also those that it does not know', () => {
  expect(titleOf('FundingConfirmed')).toBe('Funding confirmed');
  expect(titleOf('BonusAccrued')).toBe('Promotional bonus paid by the operator');
});

test('counts its lines in a sentence', () => {
  expect(sumOf(1, 'account-a')).toBe('One event of account-a adds up to this balance.');
  expect(sumOf(6, 'account-a')).toBe('Six events of account-a add up to this balance.');
});

test('draws the balances from the oldest to the newest', () => {
  expect(stepsOf(head)).toEqual([1, 0]);
  expect(stepsOf(whyOf())).toEqual([]);
});
