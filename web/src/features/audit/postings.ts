import { formatMoney, parseMoney, type AuditEvent, type Currency } from '#contracts';

/** A posting as an event has it. */
export type Posting = {
  readonly account: string;
  readonly currency: Currency;
  readonly amount: string;
};

function isPosting(value: unknown): value is Posting {
  if (typeof value !== 'object' || value === null) return false;
  const { account, amount, currency } = value as Readonly<Record<string, unknown>>;
  return [account, amount, currency].every((one) => typeof one === 'string');
}

/** The postings of an event; none when it moves no money. */
export function postingsOf({ data }: Pick<AuditEvent, 'data'>): readonly Posting[] {
  const { postings } = data;
  return Array.isArray(postings) ? postings.filter((one: unknown) => isPosting(one)) : [];
}

/** What an event's postings of one currency add up to: zero, or the log is wrong. */
export function sumsOf(postings: readonly Posting[]): readonly { currency: Currency; sum: string }[] {
  const all = [...new Set(postings.map(({ currency }) => currency))];
  return all.map((currency) => ({
    currency,
    sum: formatMoney(
      postings
        .filter((one) => one.currency === currency)
        .reduce((sum, { amount }) => sum + parseMoney(amount, currency), 0n),
      currency,
    ),
  }));
}

/** What an event moved in the wallet of whoever's stream it is in, in dollars; undefined when it moved nothing there. */
export function movedBy(event: AuditEvent): { amount: string; isHeld: boolean } | undefined {
  const own = postingsOf(event).filter(
    ({ account, currency }) => account.startsWith('customer/') && currency === 'USD',
  );
  if (own.length === 0) return undefined;
  const sum = own.reduce((all, { amount }) => all + parseMoney(amount, 'USD'), 0n);
  if (sum !== 0n) return { amount: formatMoney(sum, 'USD'), isHeld: false };
  const held = own.find(({ account }) => account.endsWith('/held'));
  return held && { amount: held.amount.replace('-', ''), isHeld: true };
}
