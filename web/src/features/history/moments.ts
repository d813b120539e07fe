import type { AccountEvents, AccountState, Currency } from '#contracts';
import { formatMoney, paymentChoices, parseMoney } from '#contracts';
import { exactMoney, isZero, signedMoney } from '../../lib';

export type OwnEvent = AccountEvents['events'][number];
/** What a moment is compared with. */
export type Against = 'before' | 'now';

/** Events that are asked for at once. */
export const CHUNK = 50;

/** The first event of the page that an event is on. */
export function chunkOf(revision: number): number {
  return Math.floor(revision / CHUNK) * CHUNK;
}

/** The moment that an address asks for: an event of the account, or its last one; and what it is compared with. */
export function momentOf(search: URLSearchParams, last: number): { at: number; against: Against } {
  const asked = search.get('at');
  const at = asked !== null && /^\d{1,9}$/.test(asked) ? Math.min(Number(asked), last) : last;
  return { at, against: search.get('against') === 'now' ? 'now' : 'before' };
}

/** One line of the comparison: a figure then, the other one, and what lies between; empty where nothing does. */
export type DiffLine = {
  readonly name: string;
  readonly then: string;
  readonly other: string;
  readonly change: string;
};

type Figure = { readonly name: string; readonly of: (state: AccountState) => string; readonly in: Currency };

const dollars = (name: string, of: Figure['of']): Figure => ({ name, of, in: 'USD' });
const figures: readonly Figure[] = [
  dollars('Wallet, USD', ({ wallet }) => wallet.balance),
  dollars('On hold, USD', ({ wallet }) => wallet.held),
  ...paymentChoices.flatMap((currency): readonly Figure[] => [
    { name: currency, of: ({ balances }) => balances[currency].balance, in: currency },
    { name: `On hold, ${currency}`, of: ({ balances }) => balances[currency].held, in: currency },
  ]),
  dollars('Funded, USD', ({ totals }) => totals.funded),
  dollars('Withdrawn, USD', ({ totals }) => totals.withdrawn),
  dollars('Transferred, USD', ({ totals }) => totals.transferred),
  dollars('Promotional bonus, USD', ({ totals }) => totals.bonus),
];

/** What an account was at a moment beside what it was at another; before it was opened there was nothing. */
export function diffOf(then: AccountState | null, other: AccountState | null): readonly DiffLine[] {
  const lines = figures.map(({ name, of, in: currency }): DiffLine => {
    const [is, was] = [then, other].map((state) =>
      state === null ? formatMoney(0n, currency) : of(state),
    ) as [string, string];
    const change = formatMoney(parseMoney(is, currency) - parseMoney(was, currency), currency);
    return {
      name,
      then: exactMoney(is, currency),
      other: exactMoney(was, currency),
      change: isZero(change) ? '' : signedMoney(change, currency),
    };
  });
  const [open, wereOpen] = [then, other].map((state) => state?.totals.openRequests ?? 0) as [number, number];
  const [status, oldStatus] = [then, other].map((state) => state?.status ?? 'not opened') as [string, string];
  const more = open - wereOpen;
  return [
    ...lines,
    {
      name: 'Open requests',
      then: String(open),
      other: String(wereOpen),
      change: more === 0 ? '' : signed(more),
    },
    { name: 'Status', then: status, other: oldStatus, change: status === oldStatus ? '' : 'changed' },
  ];
}

function signed(count: number): string {
  return count > 0 ? `+${count}` : `−${Math.abs(count)}`;
}
