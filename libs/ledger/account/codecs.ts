import { eventCodecs, plainCodec, reading, type EventCodec, type EventCodecs } from '#kernel';
import type { Currency, PaymentCurrency } from '../currencies.js';
import {
  formatDecimal,
  formatMoney,
  parseDecimal,
  parseMoney,
  PAYOUT_SCALE,
  PRICE_SCALE,
  RATE_SCALE,
  type Minor,
} from '../money.js';
import type { Posting, StoredPosting } from '../postings.js';
import type { AccountEvent, BalancesAfter, Conversion, Hold, Movement } from './events.js';

type Data<Type extends AccountEvent['type']> = Extract<AccountEvent, { readonly type: Type }>['data'];

// Amounts are stored as decimal texts with all their decimals. What is written stands in the order of canonical JSON.

type StoredConversion = {
  readonly amount: string;
  readonly converted: string;
  readonly currency: PaymentCurrency;
  readonly price: string;
};
type StoredHold = StoredConversion & { readonly postings: readonly StoredPosting[] };
type StoredMovement = StoredHold & { readonly after?: StoredBalances };
type StoredBalances = { readonly balance: string; readonly wallet: string };

function readConversion({ amount, converted, currency, price }: StoredConversion): Conversion {
  return {
    amount: parseMoney(amount, 'USD'),
    converted: parseMoney(converted, currency),
    currency,
    price: parseDecimal(price, PRICE_SCALE),
  };
}

function writeConversion({ amount, converted, currency, price }: Conversion): StoredConversion {
  return {
    amount: formatMoney(amount, 'USD'),
    converted: formatMoney(converted, currency),
    currency,
    price: formatDecimal(price, PRICE_SCALE),
  };
}

function readHold(stored: StoredHold): Hold {
  const { amount, converted, currency, price } = readConversion(stored);
  // The postings of a conversion have its two amounts again: read twice, they would be most of the work of folding.
  const minorOf = (text: string, of: Currency): Minor => {
    if (of === 'USD') {
      if (text === stored.amount) return amount;
      if (isNegated(text, stored.amount)) return -amount;
    } else if (of === currency) {
      if (text === stored.converted) return converted;
      if (isNegated(text, stored.converted)) return -converted;
    }
    return parseMoney(text, of);
  };
  const postings: Posting[] = [];
  for (const { account, amount: text, currency: booked } of stored.postings)
    postings.push({ account, amount: minorOf(text, booked), currency: booked });
  return { amount, converted, currency, postings, price };
}

/** True when a text is another one with a minus before it. */
function isNegated(text: string, other: string): boolean {
  return text.length === other.length + 1 && text.startsWith('-') && text.endsWith(other);
}

function writeHold(hold: Hold): StoredHold {
  const { amount, converted, currency, price } = writeConversion(hold);
  return { amount, converted, currency, postings: writePostings(hold, amount, converted), price };
}

/** As `readHold`: the texts of the two amounts are there already. */
function writePostings(
  { amount, converted, currency, postings }: Hold,
  amountText: string,
  convertedText: string,
): readonly StoredPosting[] {
  const textOf = (minor: Minor, of: Currency): string => {
    if (of === 'USD' && minor === amount) return amountText;
    if (of === 'USD' && minor === -amount) return `-${amountText}`;
    if (of === currency && minor === converted) return convertedText;
    if (of === currency && minor === -converted) return `-${convertedText}`;
    return formatMoney(minor, of);
  };
  const stored: StoredPosting[] = [];
  for (const { account, amount: minor, currency: booked } of postings)
    stored.push({ account, amount: textOf(minor, booked), currency: booked });
  return stored;
}

function readAfter({ balance, wallet }: StoredBalances, currency: PaymentCurrency): BalancesAfter {
  return { balance: parseMoney(balance, currency), wallet: parseMoney(wallet, 'USD') };
}

function readMovement(stored: StoredMovement): Movement {
  const after = stored.after === undefined ? null : readAfter(stored.after, stored.currency);
  return { ...readHold(stored), after };
}

/** Movements were stored without the balances that they left before version 2. */
function readMovementWithoutBalances(stored: StoredHold): Movement {
  return { ...readHold(stored), after: null };
}

function writeMovement(movement: Movement): StoredMovement {
  const { after, currency } = movement;
  if (after === null) return writeHold(movement);
  const balances = {
    balance: formatMoney(after.balance, currency),
    wallet: formatMoney(after.wallet, 'USD'),
  };
  return { after: balances, ...writeHold(movement) };
}

/** A movement and nothing else, which had no balances in version 1. */
const adjustment: EventCodec<Movement> = {
  version: 2,
  read: { 1: reading(readMovementWithoutBalances), 2: reading(readMovement) },
  write: writeMovement,
};

type OfRequest = { readonly requestId: string };

/** A movement of a request, always stored with the balances that it left. */
const requestMovement: EventCodec<Movement & OfRequest> = {
  version: 1,
  read: {
    1: reading((stored: StoredMovement & OfRequest) => ({
      ...readMovement(stored),
      requestId: stored.requestId,
    })),
  },
  write: (data) => ({ ...writeMovement(data), requestId: data.requestId }),
};

/** What was held for a request is available again. */
const release: EventCodec<Hold & OfRequest> = {
  version: 1,
  read: {
    1: reading((stored: StoredHold & OfRequest) => ({ ...readHold(stored), requestId: stored.requestId })),
  },
  write: (data) => ({ ...writeHold(data), requestId: data.requestId }),
};

type StoredFundingRequested = Omit<Data<'FundingRequested'>, 'amount'> & { readonly amount: string };

/** Requests were stored without the address that deposits went to before version 2. */
/** Addresses were stored without a currency, and were in force at once, before version 2. */
const walletAddressSaved: EventCodec<Data<'WalletAddressSaved'>> = {
  version: 2,
  read: {
    1: reading(({ address }: { readonly address: string }): Data<'WalletAddressSaved'> => ({
      address,
      currency: null,
      waits: null,
    })),
    2: reading((stored: Data<'WalletAddressSaved'>) => stored),
  },
  write: ({ address, currency, waits }) => ({ address, currency, waits }),
};

const fundingRequested: EventCodec<Data<'FundingRequested'>> = {
  version: 2,
  read: {
    1: reading((stored: Omit<StoredFundingRequested, 'depositAddress'>): Data<'FundingRequested'> => ({
      ...stored,
      amount: parseMoney(stored.amount, 'USD'),
      depositAddress: null,
    })),
    2: reading((stored: StoredFundingRequested): Data<'FundingRequested'> => ({
      ...stored,
      amount: parseMoney(stored.amount, 'USD'),
    })),
  },
  write: ({ amount, currency, depositAddress, evidence, requestId }) => ({
    amount: formatMoney(amount, 'USD'),
    currency,
    depositAddress,
    evidence,
    requestId,
  }),
};

const fundingConfirmed: EventCodec<Data<'FundingConfirmed'>> = {
  version: 2,
  read: {
    1: reading((stored: StoredHold & OfRequest) => ({
      ...readMovementWithoutBalances(stored),
      requestId: stored.requestId,
    })),
    2: reading((stored: StoredMovement & OfRequest) => ({
      ...readMovement(stored),
      requestId: stored.requestId,
    })),
  },
  write: (data) => ({ ...writeMovement(data), requestId: data.requestId }),
};

type StoredRequestApproved = Omit<Data<'RequestApproved'>, 'amount'> & { readonly amount: string };

const requestApproved: EventCodec<Data<'RequestApproved'>> = {
  version: 1,
  read: {
    1: reading((stored: StoredRequestApproved): Data<'RequestApproved'> => ({
      ...stored,
      amount: parseMoney(stored.amount, 'USD'),
    })),
  },
  write: ({ amount, by, currency, given, kind, needed, requestId, until }) => ({
    amount: formatMoney(amount, 'USD'),
    by,
    currency,
    given,
    kind,
    needed,
    requestId,
    until,
  }),
};

type StoredEntries = readonly { readonly amount: string; readonly currency: PaymentCurrency }[];
type StoredProposed = Omit<Data<'AdjustmentProposed'>, 'entries'> & { readonly entries: StoredEntries };

const adjustmentProposed: EventCodec<Data<'AdjustmentProposed'>> = {
  version: 1,
  read: {
    1: reading((stored: StoredProposed): Data<'AdjustmentProposed'> => ({
      ...stored,
      entries: stored.entries.map(({ amount, currency }) => ({
        currency,
        amount: parseMoney(amount, 'USD'),
      })),
    })),
  },
  write: ({ by, entries, needed, requestId, until }) => ({
    by,
    entries: entries.map(({ amount, currency }) => ({ amount: formatMoney(amount, 'USD'), currency })),
    needed,
    requestId,
    until,
  }),
};

type StoredWithdrawalRequested = StoredHold &
  OfRequest & { readonly address: string; readonly convertedAmount: string; readonly rate: string | null };

const withdrawalRequested: EventCodec<Data<'WithdrawalRequested'>> = {
  version: 1,
  read: {
    1: reading((stored: StoredWithdrawalRequested) => ({
      ...readHold(stored),
      address: stored.address,
      convertedAmount: parseDecimal(stored.convertedAmount, PAYOUT_SCALE),
      rate: stored.rate === null ? null : parseDecimal(stored.rate, RATE_SCALE),
      requestId: stored.requestId,
    })),
  },
  write: (data) => {
    const { amount, converted, currency, postings, price } = writeHold(data);
    return {
      address: data.address,
      amount,
      converted,
      convertedAmount: formatDecimal(data.convertedAmount, PAYOUT_SCALE),
      currency,
      postings,
      price,
      rate: data.rate === null ? null : formatDecimal(data.rate, RATE_SCALE),
      requestId: data.requestId,
    };
  },
};

type StoredWithdrawalConfirmed = StoredMovement & OfRequest & Pick<Data<'WithdrawalConfirmed'>, 'reference'>;

/** Payments were stored without what they are found by before version 2. */
const withdrawalConfirmed: EventCodec<Data<'WithdrawalConfirmed'>> = {
  version: 2,
  read: {
    1: reading((stored: StoredMovement & OfRequest) => ({
      ...readMovement(stored),
      reference: null,
      requestId: stored.requestId,
    })),
    2: reading((stored: StoredWithdrawalConfirmed) => ({
      ...readMovement(stored),
      reference: stored.reference,
      requestId: stored.requestId,
    })),
  },
  write: (data) => ({ ...writeMovement(data), reference: data.reference, requestId: data.requestId }),
};

type StoredTransferRequested = StoredHold & Omit<Data<'TransferRequested'>, keyof Hold>;

const transferRequested: EventCodec<Data<'TransferRequested'>> = {
  version: 1,
  read: {
    1: reading((stored: StoredTransferRequested) => ({
      ...readHold(stored),
      details: stored.details,
      receiver: stored.receiver,
      requestId: stored.requestId,
      transferType: stored.transferType,
    })),
  },
  write: (data) => {
    const { amount, converted, currency, postings, price } = writeHold(data);
    const { details, receiver, requestId, transferType } = data;
    return { amount, converted, currency, details, postings, price, receiver, requestId, transferType };
  },
};

type StoredTransferConfirmed = StoredMovement & Pick<Data<'TransferConfirmed'>, 'receiver' | 'requestId'>;

const transferConfirmed: EventCodec<Data<'TransferConfirmed'>> = {
  version: 1,
  read: {
    1: reading((stored: StoredTransferConfirmed) => ({
      ...readMovement(stored),
      receiver: stored.receiver,
      requestId: stored.requestId,
    })),
  },
  write: (data) => ({ ...writeMovement(data), receiver: data.receiver, requestId: data.requestId }),
};

type OfTransferIn = { readonly from: string; readonly transferId: string };

const transferReceived: EventCodec<Data<'TransferReceived'>> = {
  version: 1,
  read: {
    1: reading((stored: StoredMovement & OfTransferIn) => ({
      ...readMovement(stored),
      from: stored.from,
      transferId: stored.transferId,
    })),
  },
  write: (data) => ({ ...writeMovement(data), from: data.from, transferId: data.transferId }),
};

type StoredTransferRefused = StoredConversion & OfTransferIn & Pick<Data<'TransferRefused'>, 'why'>;

const transferRefused: EventCodec<Data<'TransferRefused'>> = {
  version: 1,
  read: {
    1: reading((stored: StoredTransferRefused) => ({
      ...readConversion(stored),
      from: stored.from,
      transferId: stored.transferId,
      why: stored.why,
    })),
  },
  write: (data) => {
    const { amount, converted, currency, price } = writeConversion(data);
    const { from, transferId, why } = data;
    return { amount, converted, currency, from, price, transferId, why };
  },
};

type StoredBonusAccrued = StoredMovement & Omit<Data<'BonusAccrued'>, keyof Movement>;

const bonusAccrued: EventCodec<Data<'BonusAccrued'>> = {
  version: 1,
  read: {
    1: reading((stored: StoredBonusAccrued) => ({
      ...readMovement(stored),
      bonusDays: stored.bonusDays,
      days: stored.days,
      policy: stored.policy,
      updatedTime: stored.updatedTime,
    })),
  },
  write: (data) => {
    const { bonusDays, days, policy, updatedTime } = data;
    const { after, amount, converted, currency, postings, price } = writeMovement(data);
    const balances = after === undefined ? {} : { after };
    return {
      ...balances,
      amount,
      bonusDays,
      converted,
      currency,
      days,
      policy,
      postings,
      price,
      updatedTime,
    };
  },
};

/** How the events of an account are stored. */
export const accountCodecs: EventCodecs<AccountEvent> = eventCodecs<AccountEvent>({
  AccountOpened: plainCodec(),
  ProfileChanged: plainCodec(),
  ProfileImageChanged: plainCodec(),
  TermsAccepted: plainCodec(),
  WalletAddressSaved: walletAddressSaved,
  WalletAddressCanceled: plainCodec(),
  MoneyOutDelayed: plainCodec(),
  EmailVerificationAsked: plainCodec(),
  EmailVerified: plainCodec(),
  AccountSuspended: plainCodec(),
  AccountActivated: plainCodec(),
  PersonForgotten: plainCodec(),
  FundingRequested: fundingRequested,
  FundingConfirmed: fundingConfirmed,
  FundingRejected: plainCodec(),
  RequestApproved: requestApproved,
  AdjustmentProposed: adjustmentProposed,
  AdjustmentApproved: plainCodec(),
  AdjustmentRejected: plainCodec(),
  WalletCredited: adjustment,
  WalletDebited: adjustment,
  BalanceWrittenOff: { version: 1, read: { 1: reading(readMovement) }, write: writeMovement },
  WithdrawalRequested: withdrawalRequested,
  WithdrawalConfirmed: withdrawalConfirmed,
  WithdrawalRejected: release,
  TransferRequested: transferRequested,
  TransferConfirmed: transferConfirmed,
  TransferRejected: release,
  TransferSettled: plainCodec(),
  TransferReturned: requestMovement,
  TransferReceived: transferReceived,
  TransferRefused: transferRefused,
  BonusCycleStarted: plainCodec(),
  BonusCycleRestarted: plainCodec(),
  BonusAccrued: bonusAccrued,
  BonusStopped: plainCodec(),
});
