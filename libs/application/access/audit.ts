import type { CommandContext } from '#commands';
import { boundedClient, type Client, type Identity, type RefreshReuse, type Session } from '#identity';
import { canonicalJson, isLodeError, noHold, sha256, uuidV4, uuidV5, type Hold, type Random } from '#kernel';
import { accessStream, type AccessCommand } from '#ledger';
import type { Aggregates } from '../aggregates.js';
import type { ProgramLog } from '../ports.js';
import { callerContext, SYSTEM_CONTEXT, type AccessContext } from './context.js';

/** Writes what becomes of people's access into their access streams. */
export type AccessAudit = {
  /** Throws when it can't be written: a sign-in that leaves no trace does not take place. */
  readonly signedIn: (session: Session, client: Client, network?: 'new') => Promise<void>;
  /** Notes what has happened already. When it can't be written the program's own log says so, and what happened stands. */
  readonly note: (userId: string, command: AccessCommand, context: AccessContext) => Promise<void>;
  /** Writes what a process of the program has done, as a command with an id of its own; throws when it can't be written. */
  readonly record: (userId: string, command: AccessCommand, context: CommandContext) => Promise<void>;
  /** Notes that a used refresh token came back and its session was ended. */
  readonly reused: (reuse: RefreshReuse) => Promise<void>;
  /** How much was not written because the clock was not accepted: what happened stands, and is only counted. */
  readonly notRecorded: () => number;
};

/** What the audit is written with. */
export type AccessAuditDependencies = {
  readonly identity: Pick<Identity, 'personKeys'>;
  readonly aggregates: Pick<Aggregates, 'access'>;
  readonly log: ProgramLog;
  readonly random: Random;
  /** Why nothing may be written just now; left out where the clock is right whatever it says. */
  readonly hold?: Hold | undefined;
};

/** The namespace of the ids of commands that are derived from a session's id. */
const SIGN_INS = '5d0b7a52-8a0e-5a6b-9b8e-6a4f4c0e8d04';

/** The audit of people's access, over the log. */
export function createAccessAudit(dependencies: AccessAuditDependencies): AccessAudit {
  const { aggregates, log, random, hold = noHold } = dependencies;
  let notRecorded = 0;

  const unlessHeld = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      if (hold() === undefined) throw error;
      notRecorded += 1;
    }
  };

  const note: AccessAudit['note'] = async (userId, command, context) => {
    try {
      await unlessHeld(() => write(dependencies, userId, command, context, uuidV4(random)));
    } catch (error) {
      log.error({ err: error, userId, what: command.type }, 'the audit trail could not be written');
    }
  };

  return {
    note,
    record: async (userId, command, context) => {
      await aggregates.access.execute(accessStream(userId), command, context);
    },
    signedIn: (session, client, network) => {
      const { userId, sessionId } = session;
      const command = { type: 'RecordSignIn', sessionId, ...(network && { network }) } as const;
      const commandId = uuidV5(SIGN_INS, `${sessionId}/signed in`);
      return unlessHeld(() =>
        write(dependencies, userId, command, callerContext(session, client), commandId),
      );
    },
    reused: ({ userId, sessionId, client }) =>
      note(userId, { type: 'RecordSessionEnd', sessionId, why: 'reuse' }, { ...SYSTEM_CONTEXT, client }),
    notRecorded: () => notRecorded,
  };
}

async function write(
  { identity, aggregates }: AccessAuditDependencies,
  userId: string,
  command: AccessCommand,
  { actor, session, client, reason }: AccessContext,
  commandId: string,
): Promise<void> {
  const context: CommandContext = {
    actor,
    commandId,
    requestHash: sha256(canonicalJson(command)),
    correlationId: commandId,
    causationId: commandId,
    ...(session === undefined ? {} : { session }),
    ...(reason === undefined ? {} : { reason }),
  };
  const encrypted = await sealedClient(identity, userId, client);
  await aggregates.access.execute(accessStream(userId), { ...command, ...encrypted }, context);
}

/** The client, encrypted. A person who is forgotten has no key, and then there is nothing to write. */
export async function sealedClient(
  { personKeys }: AccessAuditDependencies['identity'],
  userId: string,
  client: Client | undefined,
): Promise<{ readonly client?: string }> {
  if (client === undefined) return {};
  try {
    return { client: await personKeys.encryptFor(userId, boundedClient(client)) };
  } catch (error) {
    if (isLodeError(error) && error.code === 'account_not_found') return {};
    throw error;
  }
}
