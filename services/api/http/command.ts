import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { createHash, randomUUID } from 'node:crypto';
import type { CommandContext } from '#commands';
import { networkOf } from '#identity';
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
import type { LodeRequest } from './route.js';

const KEY = /^[\x21-\x7e]{1,255}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A command's request: who sends it under which key, and how its answer tells that it was given before. */
export type CommandRequest = {
  /** Who sends it: a user's id, or for a visitor the network that the request came from. Not to be kept. */
  readonly sender: string;
  /** Letters and digits that are the same each time this request is sent, and for no other sender or key. */
  idOf(length: number): string;
  /** The context of the command on `stream` that the validated `body` asks for; `reason` is the person's own. */
  contextFor(stream: string, body: Json, reason?: string): CommandContext;
  /** Marks the answer as the first one again. */
  markReplayed(replayed: boolean): void;
};

/** The command that this request is. Refuses with `idempotency_key_missing` before anything is looked at. */
export const TheCommand = createParamDecorator((_: unknown, host: ExecutionContext): CommandRequest => {
  const request = host.switchToHttp().getRequest<LodeRequest>();
  const reply = host.switchToHttp().getResponse<FastifyReply>();
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string' || !KEY.test(key)) {
    throw new LodeError(
      'idempotency_key_missing',
      'A command needs an Idempotency-Key of 1 to 255 visible characters.',
    );
  }
  const correlation = request.headers['x-correlation-id'];
  const { actor, sender, session } = senderOf(request);
  return {
    sender,
    idOf(length) {
      const seed = commandIdOf(sender, `${request.method} ${request.url}`, key);
      let drawn = 0;
      const drawOf = (bytes: number) =>
        createHash('shake256', { outputLength: bytes }).update(`${seed} ${drawn++}`).digest();
      return randomAlphanumeric(drawOf, length);
    },
    contextFor(stream, body, reason) {
      const commandId = commandIdOf(sender, stream, key);
      return {
        actor,
        commandId,
        requestHash: sha256(`${request.method} ${request.url}\n${canonicalJson(body)}`),
        correlationId: typeof correlation === 'string' && UUID.test(correlation) ? correlation : randomUUID(),
        causationId: commandId,
        ...(session === undefined ? {} : { session }),
        ...(reason === undefined ? {} : { reason }),
      };
    },
    markReplayed(replayed) {
      if (replayed) void reply.header('Idempotency-Replayed', 'true');
    },
  };
});

/** A visitor has no name: their commands are told apart by the network that they come from, which the log never has. */
function senderOf({ caller, ip }: LodeRequest): {
  readonly actor: Actor;
  readonly sender: string;
  readonly session?: string;
} {
  if (caller === undefined) {
    return { actor: { kind: 'person', id: 'visitor', role: 'visitor' }, sender: `visitor ${networkOf(ip)}` };
  }
  const { userId, role, sessionId } = caller;
  return { actor: { kind: 'person', id: userId, role }, sender: userId, session: sessionId };
}
