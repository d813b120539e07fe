import { invariant, unreachable, type RecordedEvent } from '#kernel';
import {
  availableOf,
  heldOf,
  perPaymentCurrency,
  versionWithCurrencies,
  type BonusCycle,
  type PaymentCurrency,
  type Posting,
  type StoredFile,
} from '#ledger';
import type { Document } from '#read-store';
import { forgottenProfile, userIdOf, type OpenedAccountEvent, type Profile } from '../personal-data.js';
import { defineReadModel, type Change } from '../read-model.js';
import { book, noParts, plus, type Parts } from './amounts.js';

/** One person: profile, balances and what the person's requests add up to. `id` is the user's id. */
export type AccountDocument = Document &
  Profile & {
    readonly userId: string;
    readonly accountNumber: string;
    readonly role: 'user' | 'admin';
    readonly status: 'active' | 'suspended' | 'closed';
    /** When the account was opened. */
    readonly created: string;
    /** Where withdrawals go, encrypted; null until it is saved. */
    readonly address: string | null;
    readonly image: StoredFile | null;
    readonly bonus: BonusCycle | null;
    /** The days of the bonus cycle that are paid, as text; empty without a cycle. With `bonusNextDay` the tick finds who is due. */
    readonly bonusDay: string;
    /** When the next day of the bonus cycle is over; empty without a cycle. */
    readonly bonusNextDay: string;
    /** What the account is searched by: the e-mail, the full name, the last name; in one case, empty once forgotten. */
    readonly emailKey: string;
    readonly nameKey: string;
    readonly lastnameKey: string;
    /** US dollars. */
    readonly wallet: Parts;
    readonly balances: Readonly<Record<PaymentCurrency, Parts>>;
    readonly totals: Totals;
    /** The last event of the account that is counted. */
    readonly revision: number;
    /** The latest instant of all its events: that of the last one, unless a clock went back. */
    readonly latest: string;
  };

type Totals = {
  /** US dollars paid as promotional bonus. */
  readonly bonus: string;
  /** US dollars of confirmed fund requests. */
  readonly funded: string;
  readonly openRequests: number;
  /** Requests ever made. */
  readonly requests: number;
  /** US dollars of confirmed transfers, less those that came back. */
  readonly transferred: string;
  /** US dollars paid out. */
  readonly withdrawn: string;
};

const DAY_MS = 24 * 60 * 60 * 1_000;

/** The text by which people are found, whatever case it was typed in. */
export function searchKey(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim();
}

// Keys stand in the order of canonical JSON, here and in the other models: such documents are written sooner.
function opened(
  { data, at, position, revision }: Extract<RecordedEvent<OpenedAccountEvent>, { type: 'AccountOpened' }>,
  userId: string,
): AccountDocument {
  const { accountNumber, profile, role } = data;
  return {
    accountNumber,
    address: null,
    balances: noBalances,
    bonus: null,
    bonusDay: '',
    bonusNextDay: '',
    created: at,
    email: profile.email,
    emailKey: searchKey(profile.email),
    firstname: profile.firstname,
    id: userId,
    image: null,
    lastname: profile.lastname,
    lastnameKey: searchKey(profile.lastname),
    latest: at,
    nameKey: searchKey(`${profile.firstname} ${profile.lastname}`),
    phone: profile.phone,
    position,
    revision,
    role,
    status: 'active',
    totals: {
      bonus: '0.00',
      funded: '0.00',
      openRequests: 0,
      requests: 0,
      transferred: '0.00',
      withdrawn: '0.00',
    },
    userId,
    wallet: noParts('USD'),
  };
}

const noBalances = perPaymentCurrency(noParts);

/**
 * The account with a balance in every currency: a document of an older version, which queries are given while the next
 * is built, has none in a currency that is newer.
 */
export function withEveryBalance(account: AccountDocument): AccountDocument {
  return { ...account, balances: { ...noBalances, ...account.balances } };
}

/** What every event changes beside the balances. */
type Counted = Pick<AccountDocument, 'latest' | 'position' | 'revision' | 'totals'>;

function booked(account: AccountDocument, postings: readonly Posting[], counted: Counted): AccountDocument {
  const { balances, userId, wallet } = account;
  const [available, held] = [availableOf(userId), heldOf(userId)];
  return {
    ...account,
    balances: perPaymentCurrency((code) => book(balances[code], postings, available, held, code)),
    ...counted,
    wallet: book(wallet, postings, available, held, 'USD'),
  };
}

function withProfile(account: AccountDocument, profile: Profile): AccountDocument {
  const { email, firstname, lastname, phone } = profile;
  return {
    ...account,
    email,
    emailKey: searchKey(email),
    firstname,
    lastname,
    lastnameKey: searchKey(lastname),
    nameKey: searchKey(`${firstname} ${lastname}`),
    phone,
  };
}

function forgotten(account: AccountDocument): AccountDocument {
  const blank = { address: null, emailKey: '', image: null, lastnameKey: '', nameKey: '' };
  return { ...withProfile(account, forgottenProfile), ...blank, status: 'closed' };
}

/** The account as it is read once the person's key was destroyed. */
export function withoutParticulars(account: AccountDocument): AccountDocument {
  return account.status === 'closed' ? account : withProfile(account, forgottenProfile);
}

function withBonus(account: AccountDocument, cycle: BonusCycle): AccountDocument {
  const { bonusDays, endDate, startDate, updatedTime } = cycle;
  const nextDay = Date.parse(startDate) + (bonusDays + 1) * DAY_MS;
  return {
    ...account,
    bonus: { bonusDays, endDate, startDate, updatedTime },
    bonusDay: String(bonusDays),
    bonusNextDay: new Date(nextDay).toISOString(),
  };
}

type Recorded = RecordedEvent<OpenedAccountEvent>;

function evolve(account: AccountDocument, event: Recorded): AccountDocument {
  const { at, position, revision } = event;
  const latest = at > account.latest ? at : account.latest;
  const counted = { latest, position, revision, totals: totalsAfter(account.totals, event) };
  if (!('postings' in event.data)) return changed({ ...account, ...counted }, event);
  return changed(booked(account, event.data.postings as readonly Posting[], counted), event);
}

/** What an event changes beside balances and totals, which are so already. */
function changed(account: AccountDocument, event: Recorded): AccountDocument {
  switch (event.type) {
    case 'AccountOpened':
      throw new Error(`account ${account.id} is opened twice`);
    case 'ProfileChanged':
      return withProfile(account, event.data.profile);
    case 'ProfileImageChanged': {
      const { bytes, fileId, mediaType, sha256 } = event.data.image;
      return { ...account, image: { bytes, fileId, mediaType, sha256 } };
    }
    case 'WalletAddressSaved':
      return { ...account, address: event.data.address };
    case 'AccountSuspended':
      return { ...account, status: 'suspended' };
    case 'AccountActivated':
      return { ...account, status: 'active' };
    case 'PersonForgotten':
      return forgotten(account);
    case 'BonusCycleStarted':
    case 'BonusCycleRestarted': {
      const { startDate, endDate } = event.data;
      return withBonus(account, { startDate, endDate, bonusDays: 0, updatedTime: startDate });
    }
    case 'BonusAccrued': {
      invariant(account.bonus !== null, 'a bonus accrues in a cycle');
      const { bonusDays, updatedTime } = event.data;
      return withBonus(account, { ...account.bonus, bonusDays, updatedTime });
    }
    case 'BonusStopped': {
      const { startDate, endDate, bonusDays } = event.data;
      const updatedTime = account.bonus?.updatedTime ?? startDate;
      return withBonus(account, { startDate, endDate, bonusDays, updatedTime });
    }
    default:
      return account;
  }
}

function totalsAfter(totals: Totals, event: Recorded): Totals {
  const closed = () => ({ ...totals, openRequests: totals.openRequests - 1 });
  switch (event.type) {
    case 'FundingRequested':
    case 'WithdrawalRequested':
    case 'TransferRequested':
      return { ...totals, openRequests: totals.openRequests + 1, requests: totals.requests + 1 };
    case 'FundingConfirmed':
      return { ...closed(), funded: plus(totals.funded, event.data.amount, 'USD') };
    case 'WithdrawalConfirmed':
      return { ...closed(), withdrawn: plus(totals.withdrawn, event.data.amount, 'USD') };
    case 'TransferConfirmed':
      return { ...closed(), transferred: plus(totals.transferred, event.data.amount, 'USD') };
    case 'TransferReturned':
      return { ...totals, transferred: plus(totals.transferred, `-${event.data.amount}`, 'USD') };
    case 'BonusAccrued':
      return { ...totals, bonus: plus(totals.bonus, event.data.amount, 'USD') };
    case 'FundingRejected':
    case 'WithdrawalRejected':
    case 'TransferRejected':
      return closed();
    case 'AccountOpened':
    case 'ProfileChanged':
    case 'ProfileImageChanged':
    case 'WalletAddressSaved':
    case 'AccountSuspended':
    case 'AccountActivated':
    case 'PersonForgotten':
    case 'WalletCredited':
    case 'WalletDebited':
    case 'BalanceWrittenOff':
    case 'TransferSettled':
    case 'TransferReceived':
    case 'TransferRefused':
    case 'BonusCycleStarted':
    case 'BonusCycleRestarted':
    case 'BonusStopped':
      return totals;
    default:
      return unreachable(event);
  }
}

/** One document a person. */
export const accounts = defineReadModel<OpenedAccountEvent, AccountDocument>({
  name: 'accounts',
  version: versionWithCurrencies(3),
  indexes: [
    { name: 'created', equals: [], order: ['created'] },
    { name: 'status', equals: ['role', 'status'], order: ['created'] },
    { name: 'role', equals: ['role'], order: ['created'] },
    { name: 'number', equals: [], order: ['accountNumber'] },
    { name: 'email', equals: [], order: ['emailKey'] },
    { name: 'name', equals: [], order: ['nameKey'] },
    { name: 'lastname', equals: [], order: ['lastnameKey'] },
    { name: 'bonus', equals: ['status', 'bonusDay'], order: ['bonusNextDay'] },
  ],
  handles: [
    'AccountOpened',
    'ProfileChanged',
    'ProfileImageChanged',
    'WalletAddressSaved',
    'AccountSuspended',
    'AccountActivated',
    'PersonForgotten',
    'FundingRequested',
    'FundingConfirmed',
    'FundingRejected',
    'WalletCredited',
    'WalletDebited',
    'BalanceWrittenOff',
    'WithdrawalRequested',
    'WithdrawalConfirmed',
    'WithdrawalRejected',
    'TransferRequested',
    'TransferConfirmed',
    'TransferRejected',
    'TransferSettled',
    'TransferReturned',
    'TransferReceived',
    'TransferRefused',
    'BonusCycleStarted',
    'BonusCycleRestarted',
    'BonusAccrued',
    'BonusStopped',
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
