import { invariant, unreachable, type Position, type RecordedEvent } from '#kernel';
import { accountStream, availableOf, heldOf, type Posting } from '#ledger';
import type { Document } from '#read-store';
import type { OpenedAccountEvent, Profile } from '../personal-data.js';
import { defineReadModel, type Change } from '../read-model.js';
import { book, noParts, plus, type Parts } from './amounts.js';

/** One person: profile, balances and what the person's requests add up to. `id` is the user's id. */
export type AccountDocument = Document &
  Profile & {
    readonly userId: string;
    readonly accountNumber: string;
    readonly role: 'user' | 'admin';
    readonly status: 'active';
    /** When the account was opened. */
    readonly created: string;
    /** US dollars. */
    readonly wallet: Parts;
    readonly balances: { readonly BTC: Parts; readonly PI: Parts; readonly USDT: Parts };
    readonly totals: {
      /** US dollars of confirmed requests. */
      readonly funded: string;
      readonly openRequests: number;
      /** US dollars paid out. */
      readonly withdrawn: string;
    };
  };

const STREAM_PREFIX = accountStream('');

/** The person whose stream an event is in. */
export function userIdOf(event: RecordedEvent): string {
  invariant(event.stream.startsWith(STREAM_PREFIX), 'the events of an account are in its stream');
  return event.stream.slice(STREAM_PREFIX.length);
}

// Keys stand in the order of canonical JSON, here and in the other models: such documents are written sooner.
function opened(
  { data, at, position }: Extract<RecordedEvent<OpenedAccountEvent>, { type: 'AccountOpened' }>,
  userId: string,
): AccountDocument {
  const { accountNumber, profile, role } = data;
  return {
    accountNumber,
    balances: { BTC: noParts('BTC'), PI: noParts('PI'), USDT: noParts('USDT') },
    created: at,
    email: profile.email,
    firstname: profile.firstname,
    id: userId,
    lastname: profile.lastname,
    phone: profile.phone,
    position,
    role,
    status: 'active',
    totals: { funded: '0.00', openRequests: 0, withdrawn: '0.00' },
    userId,
    wallet: noParts('USD'),
  };
}

function booked(
  account: AccountDocument,
  postings: readonly Posting[],
  position: Position,
  totals = account.totals,
): AccountDocument {
  const { balances, userId, wallet } = account;
  const [available, held] = [availableOf(userId), heldOf(userId)];
  return {
    ...account,
    balances: {
      BTC: book(balances.BTC, postings, available, held, 'BTC'),
      PI: book(balances.PI, postings, available, held, 'PI'),
      USDT: book(balances.USDT, postings, available, held, 'USDT'),
    },
    position,
    totals,
    wallet: book(wallet, postings, available, held, 'USD'),
  };
}

function evolve(account: AccountDocument, event: RecordedEvent<OpenedAccountEvent>): AccountDocument {
  const { totals } = account;
  const { position } = event;
  switch (event.type) {
    case 'AccountOpened':
      throw new Error(`account ${account.id} is opened twice`);
    case 'FundingRequested':
      return { ...account, position, totals: { ...totals, openRequests: totals.openRequests + 1 } };
    case 'FundingConfirmed': {
      const funded = plus(totals.funded, event.data.amount, 'USD');
      const closed = { ...totals, funded, openRequests: totals.openRequests - 1 };
      return booked(account, event.data.postings, position, closed);
    }
    case 'FundingRejected':
      return { ...account, position, totals: { ...totals, openRequests: totals.openRequests - 1 } };
    case 'WalletCredited':
    case 'WalletDebited':
      return booked(account, event.data.postings, position);
    default:
      return unreachable(event);
  }
}

/** One document a person. */
export const accounts = defineReadModel<OpenedAccountEvent, AccountDocument>({
  name: 'accounts',
  version: 1,
  indexes: [
    { name: 'created', equals: [], order: ['created'] },
    { name: 'role', equals: ['role'], order: ['created'] },
  ],
  handles: [
    'AccountOpened',
    'FundingRequested',
    'FundingConfirmed',
    'FundingRejected',
    'WalletCredited',
    'WalletDebited',
  ],
  on: (event): readonly Change<AccountDocument>[] => {
    const id = userIdOf(event);
    return [
      {
        id,
        change: (account) => {
          if (account === undefined && event.type === 'AccountOpened') return opened(event, id);
          invariant(account !== undefined, 'AccountOpened begins the stream of an account');
          return evolve(account, event);
        },
      },
    ];
  },
  ownerOf: ({ userId }) => userId,
});
