import { FORGOTTEN, suspended } from '#identity';
import { LodeError } from '#kernel';
import { accountStream, type OpenAccount } from '#ledger';
import type { AccessDependencies } from './dependencies.js';
import { reconcileAccess } from './reconcile.js';

/** The account of somebody who has a credential. Refuses with `account_not_found` in the product's words. */
export async function accountOf(
  { aggregates }: Pick<AccessDependencies, 'aggregates'>,
  userId: string,
): Promise<OpenAccount> {
  const { state } = await aggregates.accounts.load(accountStream(userId));
  if (state.kind === 'none')
    throw new LodeError('account_not_found', 'User data not found. Please contact admin.');
  return state;
}

/**
 * The first name of somebody who may be in, by what the log says of the account: identity may not have heard of a
 * suspension yet. Refuses with `account_not_found`, `account_suspended`.
 */
export async function admit(dependencies: AccessDependencies, userId: string): Promise<string> {
  const account = await accountOf(dependencies, userId);
  const isKeptOut = account.role === 'admin' && !(await dependencies.admins.mayAct(userId));
  if (account.status !== 'active' || isKeptOut) {
    await reconcileAccess(dependencies, userId);
    throw suspended();
  }
  const person = await dependencies.identity.personKeys.decryptFor(userId, account.profile);
  if (person === FORGOTTEN) return person;
  const { firstname } = person;
  return typeof firstname === 'string' ? firstname : '';
}
