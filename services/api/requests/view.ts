import type { FundRequestView } from '#contracts';
import type { Columns } from '../http/csv.js';
import type { AccountDocument, RequestDocument } from '#projections';
import type { ReadStoreReader } from '#read-store';
import { accountsOf, nameOf } from '#application';

export type People = ReadonlyMap<string, AccountDocument>;

/** What the documents of requests of all kinds have in common: no personal data, and people by id. */
type AnyRequest = Pick<
  RequestDocument,
  'id' | 'userId' | 'amount' | 'currency' | 'status' | 'closed' | 'createdAt' | 'decision' | 'position'
>;

/** The people whom requests name: whose they are, who decided them, and `others`. */
export function peopleOf(
  store: ReadStoreReader,
  rows: readonly Pick<AnyRequest, 'userId' | 'decision'>[],
  others: readonly string[] = [],
): Promise<People> {
  const named = rows.flatMap(({ userId, decision }) =>
    decision === null ? [userId] : [userId, decision.by],
  );
  return accountsOf(store, [...named, ...others]);
}

/** What every request shows, with the names of whose it is and of who decided it. */
export function commonOf(
  row: AnyRequest,
  people: People,
): Omit<FundRequestView, 'type' | 'evidence' | 'convertedAmount'> {
  const { id, userId, amount, currency, status, closed, createdAt, decision, position } = row;
  const owner = people.get(userId);
  return {
    id,
    userId,
    customer: nameOf(owner),
    email: owner?.email ?? '',
    accountNumber: owner?.accountNumber ?? '',
    amount,
    currency,
    status,
    closed,
    confirmedAt: status === 'confirmed' && decision !== null ? decision.at : null,
    createdAt,
    decision: decision === null ? null : { ...decision, by: nameOf(people.get(decision.by)) },
    position,
  };
}

type Common = ReturnType<typeof commonOf>;

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
