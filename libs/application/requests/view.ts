import type { FundRequestView } from '#contracts';
import type { AccountDocument, RequestDocument } from '#projections';
import type { ReadStoreReader } from '#read-store';
import { accountsOf, nameOf } from '../people/names.js';

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
): Omit<FundRequestView, 'type' | 'loanPurpose' | 'address' | 'evidence' | 'convertedAmount'> {
  const { id, userId, amount, currency, status, closed, createdAt, decision, position } = row;
  const owner = people.get(userId);
  return {
    id,
    userId,
    // Nobody else may ask.
    userRole: 'user',
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
