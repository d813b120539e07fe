import { eventCodecs, reading, type Decider, type EventCodec } from '#kernel';
import {
  addAmounts,
  availableOf,
  formatMoney,
  heldOf,
  move,
  noAmounts,
  parseMoney,
  readPostings,
  sumOf,
  type Balances,
  type LedgerAccount,
  type Posting,
  type StoredPosting,
} from '#ledger';
import { kindOf } from '../kinds.js';
import type { Fact } from './sealed.js';

type Moved = {
  readonly type: 'Moved';
  readonly data: {
    readonly postings: readonly Posting[];
    readonly requestId?: string;
    readonly transferId?: string;
  };
};

const movedCodec: EventCodec<Moved['data']> = {
  version: 1,
  read: {
    1: reading(
      ({
        postings,
        ...ids
      }: Omit<Moved['data'], 'postings'> & { readonly postings: readonly StoredPosting[] }) => ({
        ...ids,
        postings: readPostings(postings),
      }),
    ),
  },
  write: ({ postings, ...ids }) => ({
    ...ids,
    postings: postings.map(({ account, amount, currency }) => ({
      account,
      amount: formatMoney(amount, currency),
      currency,
    })),
  }),
};

/** An aggregate without a rule: what it lets through, only the postings can tell to be wrong. */
export const purseDecider: Decider<never, Moved, Balances> = {
  initial: { available: noAmounts, held: noAmounts },
  decide: () => [],
  evolve: (purse, { data: { postings } }) => {
    const owner = postings.map(({ account }) => /^customer\/(.+)\//.exec(account)?.[1]).find(Boolean) ?? '';
    return {
      available: addAmounts(purse.available, sumOf(postings, availableOf(owner))),
      held: addAmounts(purse.held, sumOf(postings, heldOf(owner))),
    };
  },
  codecs: eventCodecs<Moved>({ Moved: movedCodec }),
};

export const purseKind = kindOf({
  prefix: 'purse-',
  decider: purseDecider,
  balances: (state: Balances) => state,
});

/** A movement of US dollars in the stream of `owner`; `to` and `from` may be short for the owner's accounts. */
export function moved(
  owner: string,
  from: LedgerAccount | 'available' | 'held',
  to: LedgerAccount | 'available' | 'held',
  dollars: string,
  ids: { readonly requestId?: string; readonly transferId?: string } = {},
): Fact {
  const accountOf = (name: typeof from): LedgerAccount =>
    name === 'available' ? availableOf(owner) : name === 'held' ? heldOf(owner) : name;
  const postings = move(accountOf(from), accountOf(to), 'USD', parseMoney(dollars, 'USD'));
  return { type: 'Moved', stream: `purse-${owner}`, data: movedCodec.write({ postings, ...ids }) };
}
