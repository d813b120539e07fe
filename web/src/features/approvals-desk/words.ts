import type { WaitingApproval } from '#contracts';
import { displayMoney, signedMoney } from '../../lib';
import { kindWords } from '../desk';

/** What kind of thing waits, and in which currencies. */
export function approvalWords({ kind, amounts }: WaitingApproval): string {
  const currencies = amounts.map(({ currency }) => currency).join(', ');
  return kind === 'adjustment' ? `Adjustment, ${currencies}` : kindWords(decisionKind(kind), currencies);
}

/** A kind of request by the name that decisions have for it. */
export function decisionKind(kind: Exclude<WaitingApproval['kind'], 'adjustment'>) {
  return kind === 'funding' ? 'Funding' : kind;
}

/** Each amount in dollars; those of an adjustment with their sign. */
export function dollarsOf({ kind, amounts }: WaitingApproval): readonly string[] {
  return amounts.map(({ amount }) =>
    kind === 'adjustment' ? signedMoney(amount, 'USD') : displayMoney(amount, 'USD'),
  );
}

/** What waits, for somebody who hears it. */
export function approvalName(one: WaitingApproval): string {
  const kind = one.kind === 'funding' ? 'fund request' : one.kind;
  return `${kind} of ${dollarsOf(one).join(' and ')} USD for ${one.customer}`;
}
