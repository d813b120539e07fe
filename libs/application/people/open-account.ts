import { accountNotFound } from '#kernel';
import { accountStream, type OpenAccount } from '#ledger';
import type { Aggregates } from '../aggregates.js';

/** An account as the log has it. Refuses with `account_not_found`. */
export async function openAccount(
  { accounts }: Pick<Aggregates, 'accounts'>,
  userId: string,
): Promise<OpenAccount> {
  const { state } = await accounts.load(accountStream(userId));
  if (state.kind === 'none') throw accountNotFound();
  return state;
}
