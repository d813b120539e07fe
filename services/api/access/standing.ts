import type { CommandContext } from '#commands';
import { LodeError } from '#kernel';
import type { Identity } from '#identity';
import { accountStream, type EndReason, type OpenAccount } from '#ledger';
import type { Ledger } from '../commands/ledger.js';
import { HOUSE, type Trail } from './trail.js';

type Parts = {
  readonly identity: Identity;
  readonly ledger: Pick<Ledger, 'accounts'>;
  readonly trail: Pick<Trail, 'note' | 'record'>;
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
 * crash between the two is made good by whoever calls it next. With `because` the trail is written as a command of that
 * context, and this fails when it can't be.
 */
export async function reconcileAccess(parts: Parts, userId: string, because?: CommandContext): Promise<void> {
  const { identity, ledger, trail } = parts;
  const ended = (why: EndReason) => {
    const command = { type: 'RecordSessionsEnd', why } as const;
    return because === undefined
      ? trail.note(userId, command, HOUSE)
      : trail.record(userId, command, because);
  };
  const { credentials } = identity;
  const { state } = await ledger.accounts.load(accountStream(userId));
  if (state.kind === 'none') return;
  switch (state.status) {
    case 'active':
      if ((await credentials.known(userId))?.suspended === true) await credentials.reinstate(userId);
      return;
    case 'suspended':
      await credentials.suspend(userId);
      await ended('suspended');
      return;
    case 'closed':
      await credentials.erase(userId);
      await identity.personKeys.destroyKey(userId);
      await ended('forgotten');
  }
}
