import { LodeError } from '#kernel';
import type { Identity } from '#identity';
import { accountStream, type OpenAccount } from '#ledger';
import type { Ledger } from '../commands/ledger.js';
import { HOUSE, type Trail } from './trail.js';

type Parts = {
  readonly identity: Identity;
  readonly ledger: Pick<Ledger, 'accounts'>;
  readonly trail: Pick<Trail, 'note'>;
};

/** The account of somebody who has a credential. Refuses with `account_not_found` in the product's words. */
export async function accountOf({ ledger }: Pick<Parts, 'ledger'>, userId: string): Promise<OpenAccount> {
  const { state } = await ledger.accounts.load(accountStream(userId));
  if (state.kind === 'none')
    throw new LodeError('account_not_found', 'User data not found. Please contact admin.');
  return state;
}

/**
 * Brings a person's access in line with what the log says of the account: a suspended person is kept out, an active one
 * let in, and of one who was forgotten everything is erased. The log is written first and this may be repeated, so that a
 * crash between the two is made good by whoever calls it next.
 */
export async function reconcileAccess(parts: Parts, userId: string): Promise<void> {
  const { identity, ledger, trail } = parts;
  const { credentials } = identity;
  const { state } = await ledger.accounts.load(accountStream(userId));
  if (state.kind === 'none') return;
  switch (state.status) {
    case 'active':
      if ((await credentials.known(userId))?.suspended === true) await credentials.reinstate(userId);
      return;
    case 'suspended':
      await credentials.suspend(userId);
      await trail.note(userId, { type: 'RecordSessionsEnd', why: 'suspended' }, HOUSE);
      return;
    case 'closed':
      await credentials.erase(userId);
      await trail.note(userId, { type: 'RecordSessionsEnd', why: 'forgotten' }, HOUSE);
      await identity.personKeys.destroyKey(userId);
  }
}
