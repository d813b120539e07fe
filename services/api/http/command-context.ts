import { createHash } from 'node:crypto';
import { networkOf, type CommandContext, type PersonalContext, type Receipt } from '#application';
import {
  canonicalJson,
  commandIdOf,
  LodeError,
  randomAlphanumeric,
  sha256,
  type Actor,
  type Json,
} from '#kernel';
import type { FastifyReply } from 'fastify';
import { withNormalAmounts } from './amounts.js';
import { correlationSent } from './correlation.js';
import { readBy, type LodeRequest } from './route.js';

const KEY = /^[\x21-\x7e]{1,255}$/;
const KEY_FORM = '1 to 255 visible characters';

/** A validated body; its `reason`, if any, is the person's own and goes into the event. */
type Body = object & { readonly reason?: string | undefined };

/** A command's request: who sends it under which key, and how its answer tells that it was given before. */
export type CommandRequest = {
  /** Who sends it: a user's id, or for a visitor the network that the request came from. Not to be kept. */
  readonly sender: string;
  /** Letters and digits that are the same each time this request is sent, and for no other sender or key. */
  idOf(length: number): string;
  /** The context of the command on `stream` that the validated `body` asks for. Leave out of it what may not even be hashed (a pin). */
  contextFor(stream: string, body: Body): CommandContext;
  /** As `contextFor`, of a `body` with personal data. */
  personalContextFor(stream: string, body: Body): PersonalContext;
  /** The answer to the command, which is marked when it is the first one again. */
  answered<R extends Pick<Receipt, 'replayed'>>(receipt: Promise<R>): Promise<R>;
};

/** The command that this request is. Refuses with `idempotency_key_missing` before anything is looked at. */
export const CommandParam = readBy((request, reply): CommandRequest => {
  // An empty one is as good as none.
  const key = request.headers['idempotency-key'] === '' ? undefined : keyOf(request);
  if (key === undefined)
    throw new LodeError('idempotency_key_missing', `A command needs an Idempotency-Key of ${KEY_FORM}.`);
  const { actor, sender } = senderOf(request);
  const contextFor = contextsOf(request);
  return {
    sender,
    idOf(length) {
      const seed = commandIdOf(sender, `${request.method} ${request.url}`, key);
      let drawn = 0;
      const drawOf = (bytes: number) =>
        createHash('shake256', { outputLength: bytes }).update(`${seed} ${drawn++}`).digest();
      return randomAlphanumeric(drawOf, length);
    },
    contextFor: (stream, body) => contextFor(key, stream, body, body.reason),
    personalContextFor: (stream, body) => ({
      actor,
      commandId: commandIdOf(sender, stream, key),
      // The event keeps the hash: one that tells nothing of the body once the key of the digest is destroyed.
      digested: async (digest) => {
        const normal = withNormalAmounts(body);
        const digestOf = async (request: Json) => ({ digest: await digest(canonicalJson(request)) });
        const former = normal === body ? undefined : await digestOf(body);
        return contextFor(key, stream, await digestOf(normal), undefined, former);
      },
    }),
    answered: (receipt) => answered(reply, receipt),
  };
});

/** What may be sent again: the key that it came with, if any, and how its answer tells that it was given before. */
export type RepeatableRequest = {
  readonly key: string | undefined;
  /** The result, which the answer is marked by when it is the first one again. */
  answered<R extends Pick<Receipt, 'replayed'>>(result: Promise<R>): Promise<R>;
};

/** The request of a route that takes an Idempotency-Key and needs none. */
export const RepeatableParam = readBy((request, reply): RepeatableRequest => ({
  key: keyOf(request),
  answered: (result) => answered(reply, result),
}));

/** The key that a request came with. Refuses what is none. */
function keyOf({ headers }: LodeRequest): string | undefined {
  const key = headers['idempotency-key'];
  if (typeof key !== 'string') return undefined;
  if (!KEY.test(key)) throw new LodeError('validation_failed', `An Idempotency-Key has ${KEY_FORM}.`);
  return key;
}

async function answered<R extends Pick<Receipt, 'replayed'>>(
  reply: FastifyReply,
  result: Promise<R>,
): Promise<R> {
  const done = await result;
  if (done.replayed) markReplayed(reply);
  return done;
}

/**
 * The context of the command under `key` on `stream` that the validated `body` asks for. `former` is what stood for it
 * before amounts were written all in one way, where that is another text.
 */
export type ContextFor = (
  key: string,
  stream: string,
  body: Json,
  reason?: string,
  former?: Json,
) => CommandContext;

/** A request for many commands, each under a key of its own. */
export type CommandsRequest = {
  /** Who sends them. */
  readonly actor: Actor;
  /** Contexts of the commands with these keys: they have their correlation in common. */
  contextsFor(keys: readonly string[]): ContextFor;
  /** Marks the answer as the first one again. */
  markReplayed(): void;
};

/** The commands that this request asks for. */
export const CommandsParam = readBy((request, reply): CommandsRequest => {
  const { actor, sender } = senderOf(request);
  return {
    actor,
    contextsFor: (keys) => contextsOf(request, commandIdOf(sender, request.url, keys.join('\n'))),
    markReplayed: () => markReplayed(reply),
  };
});

function markReplayed(reply: FastifyReply): void {
  void reply.header('Idempotency-Replayed', 'true');
}

/**
 * Contexts of a request's commands. What correlates them is the request's own word, or `together`, or else each its id. The
 * request remembers its first command, for whoever writes down that it failed.
 */
function contextsOf(request: LodeRequest, together?: string): ContextFor {
  const { actor, sender, session } = senderOf(request);
  const correlation = correlationSent(request) ?? together;
  const { open } = request;
  const hashOf = (body: Json) => sha256(`${request.method} ${request.url}\n${canonicalJson(body)}`);
  return (key, stream, body, reason, former = body) => {
    const commandId = commandIdOf(sender, stream, key);
    const normal = withNormalAmounts(body);
    const correlationId = correlation ?? commandId;
    const span = open?.spanFor(correlationId);
    request.correlationId ??= correlationId;
    // Of many commands each has its own.
    if (together === undefined) request.commandId ??= commandId;
    return {
      actor,
      commandId,
      requestHash: hashOf(normal),
      ...(former === normal ? {} : { formerHash: hashOf(former) }),
      correlationId,
      causationId: commandId,
      ...(session === undefined ? {} : { session }),
      ...(reason === undefined ? {} : { reason }),
      ...(span === undefined ? {} : { span }),
    };
  };
}

/** A visitor has no name: their commands are told apart by the network that they come from, which the log never has. */
function senderOf({ caller, ip }: LodeRequest): {
  readonly actor: Actor;
  readonly sender: string;
  readonly session?: string;
} {
  if (caller === undefined) {
    return { actor: { id: 'visitor', kind: 'person', role: 'visitor' }, sender: `visitor ${networkOf(ip)}` };
  }
  const { userId, role, sessionId } = caller;
  return { actor: { id: userId, kind: 'person', role }, sender: userId, session: sessionId };
}
