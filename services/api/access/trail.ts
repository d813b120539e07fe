import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { CommandContext } from '#commands';
import { boundedClient, type Client, type Identity, type RefreshReuse, type Session } from '#identity';
import { canonicalJson, isLodeError, sha256, uuidV5, type Actor } from '#kernel';
import { accessStream, type AccessCommand } from '#ledger';
import type { Ledger } from '../commands/ledger.js';

/** Who did something to a person's access, and from where. */
export type By = { readonly actor: Actor; readonly session?: string; readonly client?: Client };

/** Writes the audit trail of people's access. */
export type Trail = {
  /** Throws when it can't be written: a sign-in that leaves no trace does not take place. */
  readonly signedIn: (session: Session, client: Client) => Promise<void>;
  /** Notes what has happened already. When it can't be written the program's own log says so, and what happened stands. */
  readonly note: (userId: string, command: AccessCommand, by: By) => Promise<void>;
  /** Writes what a process of the program has done, as a command with an id of its own; throws when it can't be written. */
  readonly record: (userId: string, command: AccessCommand, context: CommandContext) => Promise<void>;
  /** Notes that a used refresh token came back and its session was ended. */
  readonly reused: (reuse: RefreshReuse) => Promise<void>;
};

/** Where Nest keeps the trail. */
export const TRAIL_OF_ACCESS = Symbol('trail of access');

export type TrailParts = {
  readonly identity: Pick<Identity, 'personKeys'>;
  readonly ledger: Pick<Ledger, 'access'>;
  readonly logger: Logger;
};

/** The namespace of the ids of commands that are derived from a session's id. */
const TRAIL = '5d0b7a52-8a0e-5a6b-9b8e-6a4f4c0e8d04';
/** What is done to a person by the house itself. */
export const HOUSE: By = { actor: { kind: 'system', id: 'access', role: 'system' } };

export function createTrail({ identity, ledger, logger }: TrailParts): Trail {
  /** The client, encrypted; a person who is forgotten has no key, and then there is nothing to write. */
  const sealed = async (userId: string, client: Client | undefined) => {
    if (client === undefined) return {};
    try {
      return { client: await identity.personKeys.encryptFor(userId, boundedClient(client)) };
    } catch (error) {
      if (isLodeError(error) && error.code === 'account_not_found') return {};
      throw error;
    }
  };

  const write = async (userId: string, command: AccessCommand, by: By, commandId: string): Promise<void> => {
    await ledger.access.execute(
      accessStream(userId),
      { ...command, ...(await sealed(userId, by.client)) },
      {
        actor: by.actor,
        commandId,
        requestHash: sha256(canonicalJson(command)),
        correlationId: commandId,
        causationId: commandId,
        ...(by.session === undefined ? {} : { session: by.session }),
      },
    );
  };

  const note: Trail['note'] = async (userId, command, by) => {
    try {
      await write(userId, command, by, randomUUID());
    } catch (error) {
      logger.error({ err: error, userId, what: command.type }, 'the audit trail could not be written');
    }
  };

  return {
    note,
    record: async (userId, command, context) => {
      await ledger.access.execute(accessStream(userId), command, context);
    },
    signedIn: (session, client) => {
      const { userId, sessionId } = session;
      return write(
        userId,
        { type: 'RecordSignIn', sessionId },
        byCaller(session, client),
        uuidV5(TRAIL, `${sessionId}/signed in`),
      );
    },
    reused: ({ userId, sessionId, client }) =>
      note(userId, { type: 'RecordSessionEnd', sessionId, why: 'reuse' }, { ...HOUSE, client }),
  };
}

/** Whoever is signed in, from here. */
export function byCaller({ userId, role, sessionId }: Omit<Session, 'expiresAt'>, client: Client): By {
  return { actor: { kind: 'person', id: userId, role }, session: sessionId, client };
}
