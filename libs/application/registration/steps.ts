import type { CommandContext } from '#commands';
import type { Identity } from '#identity';
import { sha256, uuidV5, type Actor, type Hold } from '#kernel';
import { accountStream } from '#ledger';
import type { AdminRights } from '../admins/rights.js';
import type { Aggregates } from '../aggregates.js';

/** The namespace of the ids of commands that a registration derives from the new person's id. */
const REGISTRATION = '0b0c2f0a-6a1e-5f6d-8a59-0f1d1a7f6c03';

/** Dependencies of registrations, which invitations share. */
export type RegistrationDependencies = {
  readonly identity: Pick<Identity, 'credentials' | 'invitations' | 'personKeys' | 'requests'>;
  readonly aggregates: Pick<Aggregates, 'accounts' | 'invitations'>;
  readonly admins: Pick<AdminRights, 'admit' | 'expect' | 'suspend'>;
  /** Why nothing is written just now, because the clock is not accepted. */
  readonly hold: Hold;
};

/** An id that is the same each time the same step is taken. */
export function registrationId(step: string): string {
  return uuidV5(REGISTRATION, step);
}

/** One command of a registration: what its id and its hash are made of. */
export type RegistrationStep = {
  readonly actor: Actor;
  readonly session?: string | undefined;
  /** The command's id is derived from this. */
  readonly name: string;
  /** The command's hash is of this text. */
  readonly content: string;
  readonly correlationId: string;
};

/** The context of one command of a registration. */
export function contextOfStep({
  actor,
  session,
  name,
  content,
  correlationId,
}: RegistrationStep): CommandContext {
  const commandId = registrationId(name);
  return {
    actor,
    commandId,
    requestHash: sha256(content),
    correlationId,
    causationId: commandId,
    ...(session === undefined ? {} : { session }),
  };
}

/** Whether a person has an account in the log. */
export async function hasAccount(
  { accounts }: Pick<Aggregates, 'accounts'>,
  userId: string,
): Promise<boolean> {
  return (await accounts.load(accountStream(userId))).state.kind !== 'none';
}
