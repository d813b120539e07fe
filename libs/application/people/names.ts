import type { AccountDocument } from '#projections';
import type { ReadStoreReader } from '#read-store';

/** The accounts of those of the people who have one, by id. */
export async function accountsOf(
  store: ReadStoreReader,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, AccountDocument>> {
  const documents = await store.getMany<AccountDocument>('accounts', [...new Set(userIds)]);
  return new Map(documents.map((document) => [document.userId, document]));
}

/** What whoever acted is called. */
export function actorName(
  account: Pick<AccountDocument, 'firstname' | 'lastname'> | undefined,
  { kind }: { readonly kind: 'person' | 'system' | 'operator' },
): string {
  if (kind === 'operator') return 'Operator';
  return nameOf(account, kind);
}

/** What a person is called; the platform itself is called Lode. */
export function nameOf(
  account: Pick<AccountDocument, 'firstname' | 'lastname'> | undefined,
  role = '',
): string {
  if (account !== undefined) return `${account.firstname} ${account.lastname}`.trim();
  return role === 'system' ? 'Lode' : 'Unknown';
}
