import type { CommandContext } from '#commands';
import { boundedClient, networkOf, type Client, type Identity } from '#identity';
import {
  canonicalJson,
  isLodeError,
  plainFailure,
  sha256,
  uuidV4,
  type Position,
  type Random,
} from '#kernel';
import { securityStream, type SecurityNote, type SecurityType } from '#ledger';
import { OPERATOR, VISITOR } from '../actors.js';
import { sessionContext } from '../access/context.js';
import type { Aggregates } from '../aggregates.js';
import type { ProgramLog } from '../ports.js';
import { createNetworkKeys } from './network-keys.js';

/** Who did something or was refused it, and from where. */
export type SecuritySubject = {
  readonly session?: Parameters<typeof sessionContext>[0] | undefined;
  readonly client: Client;
};

/** What was done there. */
export type SecurityObject = Pick<SecurityNote, 'about' | 'route'>;

/** What the log of access is written with. */
export type SecurityLogParts = {
  readonly aggregates: Pick<Aggregates, 'security'>;
  readonly identity: { readonly personKeys: Identity['personKeys'] };
  readonly random: Random;
  readonly log: ProgramLog;
};

/** What happened in a minute; of `left` of it no event tells yet. `written` is the first event's, where that can't wait. */
export type Entry = {
  readonly type: SecurityType;
  readonly who: SecuritySubject;
  readonly what: SecurityObject;
  readonly minute: string;
  readonly written?: Promise<Position>;
  left: number;
};

/** That a command of the operator's gives data out: which one, and when; the same `id` is written once. */
export type GivenByCommand = { readonly id: string; readonly at: string; readonly command: string };

const MINUTE_MS = 60_000;

/** When a minute began, by an instant in it. */
export function minuteOf(instant: number): string {
  return new Date(Math.floor(instant / MINUTE_MS) * MINUTE_MS).toISOString();
}

/** Makes events of entries. */
export function createWriting(parts: SecurityLogParts) {
  const { aggregates, identity, random } = parts;
  const networkKeys = createNetworkKeys(parts);

  /** Where it came from, as only whoever has the key can read it; nothing of somebody who is forgotten. */
  async function sealed({ who: { session, client }, minute }: Entry): Promise<Partial<SecurityNote>> {
    if (session === undefined) return networkKeys.seal(networkOf(client.address), minute);
    try {
      return { client: await identity.personKeys.encryptFor(session.userId, boundedClient(client)) };
    } catch (error) {
      if (isLodeError(error) && error.code === 'account_not_found') return {};
      throw error;
    }
  }

  /** A key that can't be read keeps a refusal from saying where it came from, and no other from being written. */
  const sealedIfPossible = (entry: Entry) => sealed(entry).catch(() => ({}));

  function commandOf({ type, who, what, minute, left }: Entry, from: Partial<SecurityNote>) {
    const userId = who.session === undefined ? {} : { userId: who.session.userId };
    const note = { minute, count: left, ...userId, ...what, ...from };
    const command = { type: 'Note', what: type, note } as const;
    const commandId = uuidV4(random);
    const context: CommandContext = {
      ...(who.session === undefined ? { actor: VISITOR } : sessionContext(who.session)),
      commandId,
      requestHash: sha256(canonicalJson(command)),
      correlationId: commandId,
      causationId: commandId,
    };
    return { stream: securityStream(minute), command, context };
  }

  return {
    /** Writes what an operator's command gives out; rejects when it can't be. */
    async ofCommand(given: GivenByCommand): Promise<void> {
      const { stream, command, context } = commandOfGiven(given);
      await aggregates.security.execute(stream, command, context);
    },
    /** Writes one, and gives where it is; rejects when it can't be. */
    async first(entry: Entry): Promise<Position> {
      try {
        const { stream, command, context } = commandOf(entry, await sealed(entry));
        return (await aggregates.security.execute(stream, command, context)).position;
      } catch (error) {
        throw plainFailure('unavailable', 'This has to be noted and could not be. Try again.', {
          cause: error,
        });
      }
    },
    /** Writes them together; answers with those that could not be. */
    async all(
      entries: readonly Entry[],
    ): Promise<readonly { readonly entry: Entry; readonly error: unknown }[]> {
      try {
        const commands = [];
        for (const entry of entries) commands.push(commandOf(entry, await sealedIfPossible(entry)));
        const answers = await aggregates.security.executeMany(commands, { keep: true });
        return answers.flatMap((answer, n) => {
          const entry = entries[n];
          return answer.status === 'rejected' && entry !== undefined
            ? [{ entry, error: answer.reason as unknown }]
            : [];
        });
      } catch (error) {
        return entries.map((entry) => ({ entry, error }));
      }
    },
  };
}

function commandOfGiven({ id, at, command: name }: GivenByCommand) {
  const minute = minuteOf(Date.parse(at));
  const note = { minute, count: 1, command: name };
  const command = { type: 'Note', what: 'ListExported', note } as const;
  const requestHash = sha256(canonicalJson(command));
  const context = { actor: OPERATOR, commandId: id, requestHash, correlationId: id, causationId: id };
  return { stream: securityStream(minute), command, context };
}
