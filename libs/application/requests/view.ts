import type { ApprovalCount, FundRequestView } from '#contracts';
import { hasCode } from '#kernel';
import type { AccountDocument, ApprovalDocument, RequestDocument } from '#projections';
import type { AdminRights } from '../admins/rights.js';
import type { Ports } from '../ports.js';
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

/** What requests are read from, with what other admins approved of them. */
export type RequestSources = Pick<Ports, 'readStore' | 'clock'> & {
  readonly admins: Pick<AdminRights, 'deciders'>;
};

export type CountsById = ReadonlyMap<string, ApprovalCount>;

/** How many approvals each of these has that waits for more; nothing is said of any while their documents are being built. */
export async function countsOf(
  { readStore, clock, admins }: RequestSources,
  rows: readonly Pick<AnyRequest, 'id' | 'closed'>[],
): Promise<CountsById> {
  const open = rows.filter(({ closed }) => !closed).map(({ id }) => id);
  if (open.length === 0) return new Map();
  const waiting = await readStore.getMany<ApprovalDocument>('approvals', open).catch((error: unknown) => {
    if (hasCode(error, 'unavailable')) return [];
    throw error;
  });
  if (waiting.length === 0) return new Map();
  const [deciders, now] = [await admins.deciders(), new Date(clock()).toISOString()];
  return new Map(waiting.map((one) => [one.id, countOf(one, deciders, now)]));
}

/** How many approvals count, of how many. */
export function countOf(
  { approvals, needed }: ApprovalDocument,
  deciders: ReadonlySet<string>,
  now: string,
): ApprovalCount {
  return { given: approvals.filter(({ by, until }) => until > now && deciders.has(by)).length, needed };
}

/** What every request shows, with the names of whose it is and of who decided it. */
export function commonOf(
  row: AnyRequest,
  people: People,
  counts: CountsById,
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
    approvals: counts.get(id) ?? null,
    decision: decision === null ? null : { ...decision, by: nameOf(people.get(decision.by)) },
    position,
  };
}
