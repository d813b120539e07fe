import { invariant } from '#kernel';
import {
  accountStream,
  availableOf,
  heldOf,
  perPaymentCurrency,
  versionWithCurrencies,
  type BonusCycle,
  withCanceled,
  withSaved,
  type OpenAccount,
  type PaymentCurrency,
  type Posting,
  type StoredFile,
} from '#ledger';
import type { Document } from '#read-store';
import { forgottenProfile, userIdOf, type OpenedAccountEvent, type Profile } from '../personal-data.js';
import { readModel, type Handler, type OpenedEvent } from '../read-model.js';
import { noBalance, plus, withAvailable, withHeld, type StoredBalance } from './amounts.js';
import type { EventsOf } from './streams.js';

/** One person: profile, balances and what the person's requests add up to. `id` is the user's id. */
export type AccountDocument = Document &
  Profile & {
    readonly userId: string;
    readonly accountNumber: string;
    readonly role: 'user' | 'admin';
    readonly status: 'active' | 'suspended' | 'closed';
    /** When the account was opened. */
    readonly created: string;
    /** The address of every currency in documents from before there was one for each, encrypted; null until it is saved. */
    readonly address: string | null;
    /** As in the ledger's account; left out of documents from before. */
    readonly addresses?: OpenAccount['addresses'];
    readonly image: StoredFile | null;
    /** As in the ledger's account. */
    readonly isEmailVerified: boolean;
    readonly bonus: BonusCycle | null;
    /** The days of the bonus cycle that are paid, as text; empty without a cycle. With `bonusNextDay` the tick finds who is due. */
    readonly bonusDay: string;
    /** As in the ledger's account. */
    readonly moneyOut: OpenAccount['moneyOut'];
    /** When the next day of the bonus cycle is over; empty without a cycle. */
    readonly bonusNextDay: string;
    /** What the account is searched by: the e-mail, the full name, the last name; in one case, empty once forgotten. */
    readonly emailKey: string;
    readonly nameKey: string;
    readonly lastnameKey: string;
    /** US dollars. */
    readonly wallet: StoredBalance;
    readonly balances: Readonly<Record<PaymentCurrency, StoredBalance>>;
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

type On<Type extends OpenedAccountEvent['type']> = OpenedEvent<
  Extract<OpenedAccountEvent, { readonly type: Type }>
>;

// Keys stand in the order of canonical JSON, here and in the other models: such documents are written sooner.
function opened({ data, at, position, revision }: On<'AccountOpened'>, userId: string): AccountDocument {
  const { accountNumber, profile, role } = data;
  return {
    accountNumber,
    address: null,
    addresses: {},
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
    isEmailVerified: true,
    lastname: profile.lastname,
    lastnameKey: searchKey(profile.lastname),
    latest: at,
    moneyOut: null,
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
    wallet: noBalance('USD'),
  };
}

const noBalances = perPaymentCurrency(noBalance);

/** What documents of older versions don't tell. */
const untold = { moneyOut: null, isEmailVerified: true };

/**
 * The account with all that it has in this version. A document of an older one, which queries are given while the next is
 * built, has no balance in a currency that is newer, and tells nothing of when money may leave or of an e-mail address that is not verified.
 */
export function withEveryBalance(account: AccountDocument): AccountDocument {
  return { ...untold, ...account, balances: { ...noBalances, ...account.balances } };
}

/** What every event changes beside the balances. */
type Counted = Pick<AccountDocument, 'latest' | 'position' | 'revision' | 'totals'>;

/** The account after an event's postings to the two accounts that its balances are made of. */
function booked(account: AccountDocument, postings: readonly Posting[], counted: Counted): AccountDocument {
  const [available, held] = [availableOf(account.userId), heldOf(account.userId)];
  let { balances, wallet } = account;
  for (const { account: booked, amount, currency } of postings) {
    if (booked !== available && booked !== held) continue;
    const change = booked === available ? withAvailable : withHeld;
    if (currency === 'USD') wallet = change(wallet, amount, currency);
    else balances = { ...balances, [currency]: change(balances[currency], amount, currency) };
  }
  return { ...account, balances, ...counted, wallet };
}

function withProfile(
  { preferences: _preferences, notificationsRead: _read, ...account }: AccountDocument,
  profile: Profile,
): AccountDocument {
  const { email, firstname, lastname, notificationsRead, phone, preferences } = profile;
  return {
    ...account,
    ...(notificationsRead !== undefined && { notificationsRead }),
    ...(preferences !== undefined && { preferences }),
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
  const blank = { address: null, addresses: {}, emailKey: '', image: null, lastnameKey: '', nameKey: '' };
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

/** What an event changes beside the balances; each part is left out where it changes nothing. */
type Changes<Event extends OpenedAccountEvent> = {
  readonly fields?: (account: AccountDocument, event: OpenedEvent<Event>) => AccountDocument;
  readonly totals?: (totals: Totals, event: OpenedEvent<Event>) => Totals;
};

/** The handler of an event of an account that is open. */
function changes<Event extends OpenedAccountEvent>({
  fields = (account) => account,
  totals = (before) => before,
}: Changes<Event> = {}): Handler<Event, AccountDocument> {
  return (event) => {
    const { at, position, revision } = event;
    const change = (account: AccountDocument | undefined) => {
      invariant(account !== undefined, 'AccountOpened begins the stream of an account');
      const latest = at > account.latest ? at : account.latest;
      const counted = { latest, position, revision, totals: totals(account.totals, event) };
      const postings = 'postings' in event.data ? event.data['postings'] : undefined;
      const after = postings === undefined ? { ...account, ...counted } : booked(account, postings, counted);
      return fields(after, event);
    };
    return [{ id: userIdOf(event), change }];
  };
}

/** The handler of an event that books money at most. */
const books: Handler<OpenedAccountEvent, AccountDocument> = changes();

type CycleEvent = Extract<OpenedAccountEvent, { readonly type: 'BonusCycleStarted' | 'BonusCycleRestarted' }>;

function opensRequest(totals: Totals): Totals {
  return { ...totals, openRequests: totals.openRequests + 1, requests: totals.requests + 1 };
}

function closesRequest(totals: Totals): Totals {
  return { ...totals, openRequests: totals.openRequests - 1 };
}

const beginsCycle: Handler<CycleEvent, AccountDocument> = changes({
  fields: (account, { data: { startDate, endDate } }) =>
    withBonus(account, { startDate, endDate, bonusDays: 0, updatedTime: startDate }),
});

/** One document a person. */
export const accounts = readModel<EventsOf<'account'>, AccountDocument>({
  name: 'accounts',
  version: versionWithCurrencies(5),
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
  on: {
    AccountOpened: (event) => {
      const id = userIdOf(event);
      const change = (account: AccountDocument | undefined) => {
        invariant(account === undefined, 'an account is opened once');
        return opened(event, id);
      };
      return [{ id, change }];
    },
    ProfileChanged: changes({ fields: (account, { data }) => withProfile(account, data.profile) }),
    ProfileImageChanged: changes({
      fields: (account, { data }) => {
        const { bytes, fileId, mediaType, sha256 } = data.image;
        return { ...account, image: { bytes, fileId, mediaType, sha256 } };
      },
    }),
    WalletAddressSaved: changes({
      fields: (account, { data }) => ({ ...account, addresses: withSaved(account.addresses ?? {}, data) }),
    }),
    WalletAddressCanceled: changes({
      fields: (account, { data }) => ({
        ...account,
        addresses: withCanceled(account.addresses ?? {}, data.currency),
      }),
    }),
    MoneyOutDelayed: changes({
      fields: (account, { data: { until, why } }) => ({ ...account, moneyOut: { until, why } }),
    }),
    TermsAccepted: books,
    EmailVerificationAsked: changes({ fields: (account) => ({ ...account, isEmailVerified: false }) }),
    EmailVerified: changes({ fields: (account) => ({ ...account, isEmailVerified: true }) }),
    AccountSuspended: changes({ fields: (account) => ({ ...account, status: 'suspended' }) }),
    AccountActivated: changes({ fields: (account) => ({ ...account, status: 'active' }) }),
    PersonForgotten: changes({ fields: forgotten }),
    FundingRequested: changes({ totals: opensRequest }),
    FundingConfirmed: changes({
      totals: (totals, { data }) => ({
        ...closesRequest(totals),
        funded: plus(totals.funded, data.amount, 'USD'),
      }),
    }),
    FundingRejected: changes({ totals: closesRequest }),
    RequestApproved: books,
    AdjustmentProposed: books,
    AdjustmentApproved: books,
    AdjustmentRejected: books,
    WalletCredited: books,
    WalletDebited: books,
    BalanceWrittenOff: books,
    WithdrawalRequested: changes({ totals: opensRequest }),
    WithdrawalConfirmed: changes({
      totals: (totals, { data }) => ({
        ...closesRequest(totals),
        withdrawn: plus(totals.withdrawn, data.amount, 'USD'),
      }),
    }),
    WithdrawalRejected: changes({ totals: closesRequest }),
    TransferRequested: changes({ totals: opensRequest }),
    TransferConfirmed: changes({
      totals: (totals, { data }) => ({
        ...closesRequest(totals),
        transferred: plus(totals.transferred, data.amount, 'USD'),
      }),
    }),
    TransferRejected: changes({ totals: closesRequest }),
    TransferSettled: books,
    TransferReturned: changes({
      totals: (totals, { data }) => ({
        ...totals,
        transferred: plus(totals.transferred, -data.amount, 'USD'),
      }),
    }),
    TransferReceived: books,
    TransferRefused: books,
    BonusCycleStarted: beginsCycle,
    BonusCycleRestarted: beginsCycle,
    BonusAccrued: changes({
      fields: (account, { data: { bonusDays, updatedTime } }) => {
        invariant(account.bonus !== null, 'a bonus accrues in a cycle');
        return withBonus(account, { ...account.bonus, bonusDays, updatedTime });
      },
      totals: (totals, { data }) => ({ ...totals, bonus: plus(totals.bonus, data.amount, 'USD') }),
    }),
    BonusStopped: changes({
      fields: (account, { data: { startDate, endDate, bonusDays } }) => {
        const updatedTime = account.bonus?.updatedTime ?? startDate;
        return withBonus(account, { startDate, endDate, bonusDays, updatedTime });
      },
    }),
  },
  ownerOf: ({ userId }) => userId,
  streamOf: accountStream,
});
