import { isLodeError, sha256, uuidV5, type Actor, type Position } from '#kernel';
import { accountStream, sumOf, type AccountEvent, type Amounts } from '#ledger';
import { reconcileAccess, type ReconciliationDependencies } from '../access/reconcile.js';
import { isOpenAdmin } from '../admins/rights.js';
import { sentBy } from '../command.js';
import { withSettingsRevision, type SettingsInForce } from '../settings/in-force.js';
import { overwriteModels, type Overwriting } from './overwrite.js';
import { deleteFilesOf, type PersonFiles } from './files.js';

/** What became of an erasure. */
export type Erased = {
  /** Where the log says so; read models past it have let go of the person. */
  readonly position: Position;
  /** False when the log said so already: an erasure that was cut off, or one that was asked for twice. */
  readonly isNew: boolean;
  /** Files of the person's that were still there; they are gone now. */
  readonly files: number;
  /** What the account had left and could not be paid, in every currency; minor units. */
  readonly writtenOff: Amounts;
};

/** The namespace of the ids of the commands that an erasure derives from the person's id. */
const ERASURE = '0d5f2f36-7f3a-5d0c-9f3b-64f1f5b0a9d1';

/** What an erasure goes through. */
export type ErasureDependencies = ReconciliationDependencies &
  PersonFiles &
  Overwriting & { readonly settings: SettingsInForce };

/**
 * Forgets a person for ever. Refuses with `account_not_found`, `account_not_empty`, and the last admin with `not_permitted`;
 * where it is only for somebody who is blocked, with `account_active`.
 */
export class ErasePerson extends sentBy('user', 'operator', 'system')<Erased> {
  constructor(
    override readonly context: {
      readonly actor: Actor;
      readonly session?: string;
      readonly reason?: string;
    },
    readonly userId: string,
    readonly onlyBlocked = false,
  ) {
    super();
  }
}

/**
 * The log comes first, and of an admin the list of admins before the account, because it can refuse and because from then
 * on the account takes nothing new; then sessions, credential and key; then the files; then what the read models' files
 * have had. Each step may run twice: an erasure that was cut off is finished by the reactors, now or after the next start,
 * or by asking for it again.
 */
export class ErasePersonHandler {
  constructor(private readonly dependencies: ErasureDependencies) {}

  async execute({ context: { actor, session, reason }, userId, onlyBlocked }: ErasePerson): Promise<Erased> {
    const { aggregates, admins, settings } = this.dependencies;
    const commandId = uuidV5(ERASURE, userId);
    const inForce = await settings.current();
    const context = withSettingsRevision(inForce, {
      actor,
      commandId,
      requestHash: sha256(userId),
      correlationId: commandId,
      causationId: commandId,
      ...(session === undefined ? {} : { session }),
      ...(reason === undefined ? {} : { reason }),
    });
    const stream = accountStream(userId);
    const { state } = await aggregates.accounts.load(stream);
    const isAdmin = isOpenAdmin(state);
    // The account refuses no admin: it never had anything, and the list says who may come in.
    if (isAdmin) await (onlyBlocked ? admins.removeBlocked : admins.remove)(userId, context);
    const command = {
      type: 'ForgetPerson',
      prices: inForce.prices,
      ...(onlyBlocked && !isAdmin ? { onlyBlocked } : {}),
    } as const;
    const { position, replayed, events } = await aggregates.accounts.execute(stream, command, context);
    await reconcileAccess(this.dependencies, userId);
    const files = await deleteFilesOf(this.dependencies, userId);
    await overwriteModels(this.dependencies, position, stream);
    return { position, isNew: !replayed && events.length > 0, files, writtenOff: writtenOffIn(events) };
  }
}

/**
 * Erases somebody while the program runs, and says whether everything of them is gone: what the log says already is finished by
 * the reactors, whatever it failed at here.
 */
export async function eraseNow(
  { aggregates }: Pick<ErasureDependencies, 'aggregates'>,
  erasure: Pick<ErasePersonHandler, 'execute'>,
  command: ErasePerson,
): Promise<{ readonly isErased: boolean; readonly isNew: boolean }> {
  try {
    const { isNew } = await erasure.execute(command);
    return { isErased: true, isNew };
  } catch (error) {
    if (!isLodeError(error)) throw error;
    const { state } = await aggregates.accounts.load(accountStream(command.userId));
    if (state.kind !== 'open' || state.status !== 'closed') throw error;
    return { isErased: false, isNew: true };
  }
}

function writtenOffIn(events: readonly AccountEvent[]): Amounts {
  const postings = events.flatMap((event) => (event.type === 'BalanceWrittenOff' ? event.data.postings : []));
  return sumOf(postings, 'operator/adjustments');
}
