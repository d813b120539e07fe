import { Map as PersistentMap } from 'immutable';
import { invariant, unreachable } from '#kernel';
import { availableOf, heldOf } from '../chart.js';
import { currencies, type PaymentCurrency } from '../currencies.js';
import type { Minor } from '../money.js';
import { noAmounts, type Amounts, type Posting } from '../postings.js';
import {
  isBooked,
  type AccountEvent,
  type AdjustmentEntry,
  type DelayReason,
  type Receiver,
  type StoredFile,
} from './events.js';

/** `confirmed` and `rejected` are final. */
export type RequestStatus = 'Pending' | 'confirmed' | 'rejected';

/** What an admin said yes to: until when it counts, an ISO instant, and how many it took then. */
export type Approval = { readonly by: string; readonly until: string; readonly needed: number };

/** An adjustment by hand that waits for other admins, or waited. */
export type Proposal = {
  readonly status: 'Pending' | 'approved' | 'rejected';
  readonly entries: readonly AdjustmentEntry[];
  /** Until when it can be approved, an ISO instant. */
  readonly until: string;
  readonly approvals: readonly Approval[];
};

type RequestBase = {
  readonly status: RequestStatus;
  /** US dollars in cents. */
  readonly amount: Minor;
  readonly currency: PaymentCurrency;
  /** Of an open request that takes several admins; left out while nobody has approved it. */
  readonly approvals?: readonly Approval[];
};

export type FundRequest = RequestBase & {
  readonly kind: 'funding';
  /** The id of the file that shows the payment. */
  readonly evidence: string;
};

/** What a request has set aside: its US dollars, and what they were in its currency when it was made. */
type Holding = { readonly price: Minor; readonly converted: Minor };

export type WithdrawalRequest = RequestBase & Holding & { readonly kind: 'withdrawal' };

export type TransferRequest = RequestBase &
  Holding & {
    readonly kind: 'transfer';
    readonly receiver: Receiver | null;
    /** Where a confirmed transfer to another customer is; `none` for every other. */
    readonly delivery: 'none' | 'in transit' | 'received' | 'returned';
  };

/** A request as the account remembers it. */
export type AccountRequest = FundRequest | WithdrawalRequest | TransferRequest;

export type BonusCycle = {
  readonly startDate: string;
  readonly endDate: string;
  /** Days of the cycle that were paid, or that a stop has ruled out. */
  readonly bonusDays: number;
  /** When the cycle began or last paid; the next accrual is `everyHours` later at the soonest. */
  readonly updatedTime: string;
};

/** Whose an address is: a currency's, or that of every currency that has none of its own. */
export type AddressSlot = PaymentCurrency | 'any';

/** Where withdrawals go, encrypted, and what takes its place from an instant on. */
export type WalletAddress = {
  readonly address: string;
  readonly next: { readonly address: string; readonly from: string } | null;
  /** `address` is the one of every currency: a change that is canceled leaves nothing of a currency's own. */
  readonly isShared?: true;
};

export type WalletAddresses = Readonly<Partial<Record<AddressSlot, WalletAddress>>>;

/** An address that another one took the place of, encrypted, and when; an ISO instant. */
export type LeftAddress = { readonly address: string; readonly at: string };

export type OpenAccount = {
  readonly kind: 'open';
  readonly userId: string;
  readonly accountNumber: string;
  readonly role: 'user' | 'admin';
  /** `closed` is for ever: the person was forgotten. */
  readonly status: 'active' | 'suspended' | 'closed';
  /** Name, e-mail and phone, encrypted. */
  readonly profile: string;
  readonly addresses: WalletAddresses;
  /** Those that were in force before, the latest ones, each once. */
  readonly addressesLeft: Readonly<Partial<Record<AddressSlot, readonly LeftAddress[]>>>;
  readonly image: StoredFile | null;
  /** Until when no money leaves the account, which may be over, and why; null when that never was. */
  readonly moneyOut: { readonly until: string; readonly why: DelayReason } | null;
  /** False from when the person was asked to verify the e-mail address until that is done. */
  readonly isEmailVerified: boolean;
  /** What may be spent, per currency, in minor units. Never negative. */
  readonly available: Amounts;
  /** What open requests have set aside. Never negative. */
  readonly held: Amounts;
  readonly requests: PersistentMap<string, AccountRequest>;
  /** Adjustments by hand that took more than one admin. */
  readonly proposals: PersistentMap<string, Proposal>;
  /**
   * How many requests that are open or confirmed each file of evidence serves. A decision takes care that it is one; logs
   * from before that rule may have more.
   */
  readonly evidence: PersistentMap<string, number>;
  /** How many requests of each kind wait for a decision. */
  readonly open: Readonly<Record<AccountRequest['kind'], number>>;
  /** Transfers of others that reached this account, and what became of them. */
  readonly incoming: PersistentMap<string, 'received' | 'refused'>;
  readonly bonus: BonusCycle | null;
};

export type Account = { readonly kind: 'none' } | OpenAccount;

/** A person of whom nothing is known yet. */
export const noAccount: Account = { kind: 'none' };

/** Folds one event into the account. Total for every event that a decision ever gave. */
export function evolve(state: Account, event: AccountEvent): Account {
  if (event.type === 'AccountOpened') {
    invariant(state.kind === 'none', 'an account is opened once');
    const { userId, accountNumber, role, profile } = event.data;
    return {
      kind: 'open',
      userId,
      accountNumber,
      role,
      status: 'active',
      profile,
      addresses: {},
      addressesLeft: {},
      image: null,
      moneyOut: null,
      isEmailVerified: true,
      available: noAmounts,
      held: noAmounts,
      requests: PersistentMap(),
      proposals: PersistentMap(),
      evidence: PersistentMap(),
      open: { funding: 0, withdrawal: 0, transfer: 0 },
      incoming: PersistentMap(),
      bonus: null,
    };
  }
  invariant(state.kind === 'open', `${event.type} in a stream that no AccountOpened began`);
  const booked = isBooked(event) ? book(state, event.data.postings) : state;
  return isOfApprovals(event) ? withApprovals(booked, event) : change(booked, event);
}

/** What an event changes beside the balances, which are booked already. */
function change(state: OpenAccount, event: Changing): OpenAccount {
  switch (event.type) {
    case 'ProfileChanged':
      return { ...state, profile: event.data.profile };
    case 'ProfileImageChanged':
      return { ...state, image: event.data.image };
    case 'WalletAddressSaved':
    case 'WalletAddressCanceled':
      return readdress(state, event);
    case 'MoneyOutDelayed':
      return { ...state, moneyOut: event.data };
    case 'EmailVerificationAsked':
    case 'EmailVerified':
      return { ...state, isEmailVerified: event.type === 'EmailVerified' };
    case 'AccountSuspended':
    case 'AccountActivated':
      return { ...state, status: event.type === 'AccountSuspended' ? 'suspended' : 'active' };
    case 'PersonForgotten':
      return { ...state, status: 'closed', addresses: {}, addressesLeft: {}, image: null };
    case 'FundingRequested':
    case 'WithdrawalRequested':
    case 'TransferRequested':
      return ask(state, event.data.requestId, requestOf(event));
    case 'FundingConfirmed':
    case 'FundingRejected':
      return close(state, event.data.requestId, 'funding', statusAfter(event));
    case 'WithdrawalConfirmed':
    case 'WithdrawalRejected':
      return close(state, event.data.requestId, 'withdrawal', statusAfter(event));
    case 'TransferRejected':
      return close(state, event.data.requestId, 'transfer', 'rejected');
    case 'TransferConfirmed': {
      const { requestId, receiver } = event.data;
      const closed = close(state, requestId, 'transfer', 'confirmed');
      return receiver === null ? closed : deliver(closed, requestId, 'none', 'in transit');
    }
    case 'TransferSettled':
      return deliver(state, event.data.requestId, 'in transit', 'received');
    case 'TransferReturned':
      return deliver(state, event.data.requestId, 'in transit', 'returned');
    case 'TransferReceived':
      return arrive(state, event.data.transferId, 'received');
    case 'TransferRefused':
      return arrive(state, event.data.transferId, 'refused');
    case 'BonusCycleStarted':
    case 'BonusCycleRestarted': {
      const { startDate, endDate } = event.data;
      return { ...state, bonus: { startDate, endDate, bonusDays: 0, updatedTime: startDate } };
    }
    case 'BonusAccrued': {
      invariant(state.bonus !== null, 'a bonus accrues in a cycle');
      const { bonusDays, updatedTime } = event.data;
      return { ...state, bonus: { ...state.bonus, bonusDays, updatedTime } };
    }
    case 'BonusStopped': {
      const { startDate, endDate, bonusDays } = event.data;
      const updatedTime = state.bonus?.updatedTime ?? startDate;
      return { ...state, bonus: { startDate, endDate, bonusDays, updatedTime } };
    }
    case 'TermsAccepted':
    case 'WalletCredited':
    case 'WalletDebited':
    case 'BalanceWrittenOff':
      return state;
    default:
      return unreachable(event);
  }
}

type AddressSaved = Extract<AccountEvent, { type: 'WalletAddressSaved' }>['data'];

/** Where withdrawals go once an address is saved. */
export function withSaved(
  addresses: WalletAddresses,
  { address, currency, waits }: AddressSaved,
): WalletAddresses {
  const slot = currency ?? 'any';
  if (waits === null) return { ...addresses, [slot]: { address, next: null } };
  const { from, meanwhile } = waits;
  const kept = addresses[slot];
  const isShared =
    currency !== null &&
    (kept === undefined || (kept.isShared === true && kept.next !== null && kept.address === meanwhile));
  const saved = { address: meanwhile, next: { address, from } };
  return { ...addresses, [slot]: isShared ? { ...saved, isShared } : saved };
}

/** Where withdrawals go once the address that waits in a slot is canceled. */
export function withCanceled(addresses: WalletAddresses, currency: PaymentCurrency | null): WalletAddresses {
  const slot = currency ?? 'any';
  const { [slot]: kept, ...others } = addresses;
  invariant(kept !== undefined, 'an address that waits is canceled');
  return kept.isShared === true ? others : { ...others, [slot]: { ...kept, next: null } };
}

/** How many addresses that were left are remembered. To push one out takes as many others, and each has to wait. */
const LEFT_MAX = 8;

function readdress(
  state: OpenAccount,
  event: Extract<AccountEvent, { type: 'WalletAddressSaved' | 'WalletAddressCanceled' }>,
): OpenAccount {
  if (event.type === 'WalletAddressCanceled')
    return { ...state, addresses: withCanceled(state.addresses, event.data.currency) };
  const { currency, waits } = event.data;
  const addresses = withSaved(state.addresses, event.data);
  if (waits === null) return { ...state, addresses };
  const slot = currency ?? 'any';
  const others = (state.addressesLeft[slot] ?? []).filter(({ address }) => address !== waits.meanwhile);
  const left = [...others, { address: waits.meanwhile, at: waits.from }].slice(-LEFT_MAX);
  return { ...state, addresses, addressesLeft: { ...state.addressesLeft, [slot]: left } };
}

type Requested = Extract<
  AccountEvent,
  { type: 'FundingRequested' | 'WithdrawalRequested' | 'TransferRequested' }
>;

function requestOf(event: Requested): AccountRequest {
  const { amount, currency } = event.data;
  const asked = { status: 'Pending', amount, currency } as const;
  if (event.type === 'FundingRequested')
    return { ...asked, kind: 'funding', evidence: event.data.evidence.fileId };
  const { price, converted } = event.data;
  const holding = { ...asked, price, converted };
  if (event.type === 'WithdrawalRequested') return { ...holding, kind: 'withdrawal' };
  return { ...holding, kind: 'transfer', receiver: event.data.receiver, delivery: 'none' };
}

function ask(state: OpenAccount, requestId: string, request: AccountRequest): OpenAccount {
  invariant(!state.requests.has(requestId), `request ${requestId} is made once`);
  const requests = state.requests.set(requestId, request);
  const evidence = request.kind === 'funding' ? serving(state, request, 1) : state.evidence;
  return { ...state, requests, evidence, open: counting(state, request.kind, 1) };
}

function statusAfter({ type }: AccountEvent): 'confirmed' | 'rejected' {
  return type.endsWith('Confirmed') ? 'confirmed' : 'rejected';
}

function close(
  state: OpenAccount,
  requestId: string,
  kind: AccountRequest['kind'],
  status: 'confirmed' | 'rejected',
): OpenAccount {
  const request = state.requests.get(requestId);
  invariant(
    request?.kind === kind && request.status === 'Pending',
    `${kind} request ${requestId} was made, and is closed once`,
  );
  const { approvals: _, ...closed } = request;
  const requests = state.requests.set(requestId, { ...closed, status });
  const isFreed = request.kind === 'funding' && status === 'rejected';
  const evidence = isFreed ? serving(state, request, -1) : state.evidence;
  return { ...state, requests, evidence, open: counting(state, kind, -1) };
}

/** An approval again, of an admin whose former one counts no more, takes that one's place. */
function withApproval(approvals: readonly Approval[], { by, until, needed }: Approval): readonly Approval[] {
  return [...approvals.filter((one) => one.by !== by), { by, until, needed }];
}

function approve(
  state: OpenAccount,
  { requestId, ...approval }: Extract<AccountEvent, { type: 'RequestApproved' }>['data'],
): OpenAccount {
  const request = state.requests.get(requestId);
  invariant(request?.status === 'Pending', `request ${requestId} is approved while it is open`);
  const approvals = withApproval(request.approvals ?? [], approval);
  return { ...state, requests: state.requests.set(requestId, { ...request, approvals }) };
}

type OfApprovals = Extract<AccountEvent, { type: 'RequestApproved' }> | OfProposal;

function isOfApprovals(event: AccountEvent): event is OfApprovals {
  return event.type === 'RequestApproved' || event.type.startsWith('Adjustment');
}

function withApprovals(state: OpenAccount, event: OfApprovals): OpenAccount {
  return event.type === 'RequestApproved'
    ? approve(state, event.data)
    : { ...state, proposals: propose(state.proposals, event) };
}

type Changing = Exclude<AccountEvent, { type: 'AccountOpened' } | OfApprovals>;

type OfProposal = Extract<AccountEvent, { type: `Adjustment${string}` }>;

/** Adjustments that wait, after an event of one. */
function propose(proposals: OpenAccount['proposals'], event: OfProposal): OpenAccount['proposals'] {
  const { requestId } = event.data;
  if (event.type === 'AdjustmentProposed') {
    const { by, entries, needed, until } = event.data;
    return proposals.set(requestId, {
      status: 'Pending',
      entries,
      until,
      approvals: [{ by, until, needed }],
    });
  }
  const proposal = proposals.get(requestId);
  invariant(proposal?.status === 'Pending', `adjustment ${requestId} was proposed, and is closed once`);
  if (event.type === 'AdjustmentRejected')
    return proposals.set(requestId, { ...proposal, status: 'rejected', approvals: [] });
  const { given, needed } = event.data;
  return given < needed
    ? proposals.set(requestId, { ...proposal, approvals: withApproval(proposal.approvals, event.data) })
    : proposals.set(requestId, { ...proposal, status: 'approved', approvals: [] });
}

function serving(
  { evidence }: OpenAccount,
  { evidence: fileId }: FundRequest,
  change: 1 | -1,
): OpenAccount['evidence'] {
  const served = (evidence.get(fileId) ?? 0) + change;
  return served === 0 ? evidence.delete(fileId) : evidence.set(fileId, served);
}

function counting({ open }: OpenAccount, kind: AccountRequest['kind'], change: 1 | -1): OpenAccount['open'] {
  return { ...open, [kind]: open[kind] + change };
}

/** Notes what became of a transfer of somebody else's. */
function arrive(state: OpenAccount, transferId: string, outcome: 'received' | 'refused'): OpenAccount {
  invariant(!state.incoming.has(transferId), `transfer ${transferId} arrives once`);
  return { ...state, incoming: state.incoming.set(transferId, outcome) };
}

/** Moves a transfer on: what was sent is received or comes back, once. */
function deliver(
  state: OpenAccount,
  requestId: string,
  from: TransferRequest['delivery'],
  to: TransferRequest['delivery'],
): OpenAccount {
  const request = state.requests.get(requestId);
  invariant(
    request?.kind === 'transfer' && request.delivery === from,
    `transfer ${requestId} is ${from} before it is ${to}`,
  );
  return { ...state, requests: state.requests.set(requestId, { ...request, delivery: to }) };
}

/**
 * Books postings to the account. That neither balance goes below zero is checked here, where every movement passes,
 * and in production: a decision that got it wrong stops before anything is appended.
 */
function book(state: OpenAccount, postings: readonly Posting[]): OpenAccount {
  const [own, aside] = [availableOf(state.userId), heldOf(state.userId)];
  const [available, held, all] = [{ ...state.available }, { ...state.held }, { ...noAmounts }];
  for (const { account, amount, currency } of postings) {
    all[currency] += amount;
    if (account === own) available[currency] += amount;
    else if (account === aside) held[currency] += amount;
  }
  for (const currency of currencies) {
    invariant(all[currency] === 0n, 'postings add up to zero in each currency');
    invariant(available[currency] >= 0n && held[currency] >= 0n, `a ${currency} balance went below zero`);
  }
  return { ...state, available, held };
}

/** What an open account takes in memory with no request, and what each request, file of evidence and transfer that came adds. */
const ACCOUNT_BYTES = 1_000;
const REQUEST_BYTES = 400;
const EVIDENCE_BYTES = 230;
const INCOMING_BYTES = 230;

/** Roughly how many bytes of memory an account takes. */
export function accountBytes(state: Account): number {
  if (state.kind === 'none') return 0;
  const { requests, evidence, incoming, proposals } = state;
  const ofRequests = (requests.size + proposals.size) * REQUEST_BYTES + evidence.size * EVIDENCE_BYTES;
  return ACCOUNT_BYTES + ofRequests + incoming.size * INCOMING_BYTES;
}
