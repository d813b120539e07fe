import type { CommandContext } from '#commands';
import { sha256, uuidV5 } from '#kernel';
import { accountStream, type EndReason } from '#ledger';
import { isOpenAdmin } from '../admins/rights.js';
import type { Ports } from '../ports.js';
import { sentBy } from '../command.js';
import { SYSTEM_CONTEXT } from './context.js';
import type { AccessDependencies } from './dependencies.js';

/** What a reconciliation asks and tells. */
export type ReconciliationDependencies = Omit<AccessDependencies, 'identity' | 'hold'> & {
  readonly identity: Pick<AccessDependencies['identity'], 'credentials' | 'personKeys'>;
};

/** Brings a person's access in line with what the log says of the account. */
export class ReconcileAccess extends sentBy('system')<void> {
  constructor(
    override readonly context: CommandContext,
    readonly userId: string,
  ) {
    super();
  }
}

/** Where events may be parked that wait for the key of a person who is forgotten by now. */
export type HeldStreams = {
  readonly projections: Pick<Ports['projections'], 'replay'> & {
    readonly status: () => Promise<readonly { readonly name: string; readonly parked: number }[]>;
  };
};

export class ReconcileAccessHandler {
  constructor(private readonly dependencies: ReconciliationDependencies & HeldStreams) {}

  async execute({ context, userId }: ReconcileAccess): Promise<void> {
    const isForgotten = await reconcileAccess(this.dependencies, userId, context);
    if (isForgotten) await this.replayHeld(accountStream(userId));
  }

  /** Has read models fold what waited for a key that is given up: it reads `forgotten` from now on. */
  private async replayHeld(stream: string): Promise<void> {
    const { projections } = this.dependencies;
    for (const { name, parked } of await projections.status())
      if (parked > 0) await projections.replay(name, stream);
  }
}

/**
 * Brings a person's access in line with what the log says of the account: a suspended person is kept out, an active one
 * let in, and of one who was forgotten everything is erased. The log is written first and this may be repeated, so that a
 * crash between the two is made good by whoever calls it next. With `because` the audit is written as a command of that
 * context, and this fails when it can't be. True of somebody who was forgotten.
 */
export async function reconcileAccess(
  dependencies: ReconciliationDependencies,
  userId: string,
  because?: CommandContext,
): Promise<boolean> {
  const { credentials, personKeys } = dependencies.identity;
  await followList(dependencies, userId, because);
  const { state } = await dependencies.aggregates.accounts.load(accountStream(userId));
  if (state.kind === 'none') return false;
  switch (state.status) {
    case 'active':
      if ((await credentials.known(userId))?.suspended === true) await credentials.reinstate(userId);
      return false;
    case 'suspended':
      await credentials.suspend(userId);
      await recordEnd(dependencies, userId, 'suspended', because);
      return false;
    case 'closed':
      // Together, so that a store that is written anew after each is so once.
      await Promise.all([credentials.erase(userId), personKeys.destroyKey(userId)]);
      // One that is lost needn't be found again: the events that wait for it can be folded from here on.
      await personKeys.giveUpKeys([userId]);
      await recordEnd(dependencies, userId, 'forgotten', because);
      return true;
  }
}

/** The namespace of the ids of commands that bring an admin's account in line with the list of admins. */
const FOLLOWED = '4e0b1c52-77d6-5b1f-8a35-6d1f0a9c3e28';

/**
 * Suspends or activates the account of an admin whom the list has so and the account not: the program died between the
 * two, or one decision overtook another there. The id is of the account as it was found, so that it is done once.
 */
async function followList(
  { aggregates: { accounts }, admins }: ReconciliationDependencies,
  userId: string,
  because: CommandContext | undefined,
): Promise<void> {
  const { state, revision } = await accounts.load(accountStream(userId));
  if (!isOpenAdmin(state)) return;
  const standing = await admins.standingOf(userId);
  if (standing === undefined || standing === 'removed' || standing === state.status) return;
  const type = standing === 'active' ? 'Activate' : 'Suspend';
  const commandId = uuidV5(FOLLOWED, `${userId}/${revision}/${type}`);
  await accounts.execute(
    accountStream(userId),
    { type },
    {
      actor: SYSTEM_CONTEXT.actor,
      commandId,
      requestHash: sha256(commandId),
      correlationId: because?.correlationId ?? commandId,
      causationId: because?.causationId ?? commandId,
    },
  );
}

function recordEnd(
  { accessAudit }: ReconciliationDependencies,
  userId: string,
  why: EndReason,
  because: CommandContext | undefined,
): Promise<void> {
  const command = { type: 'RecordSessionsEnd', why } as const;
  return because === undefined
    ? accessAudit.note(userId, command, SYSTEM_CONTEXT)
    : accessAudit.record(userId, command, because);
}
