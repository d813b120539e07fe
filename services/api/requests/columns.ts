import type { FundRequestView, ListedRequest, WithdrawalView } from '#contracts';
import type { Columns } from '../http/csv.js';

/** What requests of all kinds show. */
type Common = Omit<FundRequestView, 'type' | 'loanPurpose' | 'address' | 'evidence' | 'convertedAmount'>;

/** What every request has at the beginning of its line in a file, after its id and its kind. */
export const firstColumns = [
  ['createdAt', ({ createdAt }) => createdAt],
  ['customer', ({ customer }) => customer],
  ['email', ({ email }) => email],
  ['accountNumber', ({ accountNumber }) => accountNumber],
  ['userId', ({ userId }) => userId],
  ['amountUsd', ({ amount }) => amount],
  ['currency', ({ currency }) => currency],
  ['status', ({ status }) => status],
] as const satisfies Columns<Common>;

/** What every request has at the end of its line: the decision. */
export const decisionColumns = [
  ['decidedAt', ({ decision }) => decision?.at],
  ['decidedBy', ({ decision }) => decision?.by],
  ['reason', ({ decision }) => decision?.reason],
] as const satisfies Columns<Common>;

/** A request of any kind as a line of a file. */
export const requestColumns: Columns<ListedRequest> = [
  ['id', ({ id }) => id],
  ['kind', ({ kind }) => kind],
  ...firstColumns,
  ...decisionColumns,
];

/** A fund request as a line of a file. */
export const fundRequestColumns: Columns<FundRequestView> = [
  ['id', ({ id }) => id],
  ['type', ({ type }) => type],
  ...firstColumns,
  ...decisionColumns,
  ['price', ({ decision }) => decision?.price],
  ['converted', ({ decision }) => decision?.converted],
  ['address', ({ address }) => address],
];

/** A withdrawal as a line of a file. */
export const withdrawalColumns: Columns<WithdrawalView> = [
  ['id', ({ id }) => id],
  ['type', ({ type }) => type],
  ...firstColumns,
  ['walletAddress', ({ walletAddress }) => walletAddress],
  ['price', ({ hold }) => hold.price],
  ['converted', ({ hold }) => hold.converted],
  ['dollarRate', ({ hold }) => hold.rate],
  ['convertedAmount', ({ convertedAmount }) => convertedAmount],
  ...decisionColumns,
  ['payoutReference', ({ payoutReference }) => payoutReference],
];
