import type { PaymentCurrency } from '../currencies.js';
import type { Minor } from '../money.js';
import type { AllowanceEvent } from './events.js';

/** For how long what an admin moved counts, in milliseconds. */
export const COUNTED_MS = 24 * 60 * 60 * 1_000;
/** Uses so close together are remembered as one, which counts as long as the last of them. */
const TOGETHER_MS = 60 * 1_000;

/** What was moved within a minute. */
type Moved = {
  readonly currency: PaymentCurrency;
  readonly approvals: number;
  readonly amount: Minor;
  /** The first and the last of it, in milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
};

/** What an admin took part in moving within the last 24 hours. */
export type Allowance = { readonly moved: readonly Moved[] };

export const unusedAllowance: Allowance = { moved: [] };

/** Folds one event; what counts no more at its time is forgotten. */
export function evolve({ moved }: Allowance, { data }: AllowanceEvent): Allowance {
  const { amount, approvals, currency } = data;
  const at = Date.parse(data.at);
  const counted = moved.filter(({ to }) => counts(to, at));
  const near = counted.findIndex(
    (one) =>
      one.currency === currency &&
      one.approvals === approvals &&
      Math.abs(at - one.from) < TOGETHER_MS &&
      at >= one.from,
  );
  const kept = counted[near];
  if (kept === undefined) return { moved: [...counted, { currency, approvals, amount, from: at, to: at }] };
  const joined = { ...kept, amount: kept.amount + amount, to: at > kept.to ? at : kept.to };
  return { moved: counted.with(near, joined) };
}

/** Whether what was moved at an instant counts at another one. */
export function counts(movedAt: number, now: number): boolean {
  return movedAt > now - COUNTED_MS;
}

/** Roughly how many bytes of memory it takes. */
export function allowanceBytes({ moved }: Allowance): number {
  return 200 + moved.length * 150;
}
