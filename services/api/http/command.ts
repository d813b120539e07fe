import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { CommandContext } from '#commands';
import { canonicalJson, commandIdOf, derivedAlphanumeric, LodeError, sha256, type Json } from '#kernel';
import type { FastifyReply } from 'fastify';
import type { LodeRequest } from './route.js';

const KEY = /^[\x21-\x7e]{1,255}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A command's request: who sends it under which key, and how its answer tells that it was given before. */
export type CommandRequest = {
  /** The context of the command on `stream` that the validated `body` asks for; `reason` is the person's own. */
  contextFor(stream: string, body: Json, reason?: string): CommandContext;
  /** The id of the new `what` that this request makes: the request sent again makes no second one. */
  newId(what: string, length: number): string;
  /** Marks the answer as the first one again. */
  markReplayed(replayed: boolean): void;
};

/** The command that this request is. Refuses with `idempotency_key_missing` before anything is looked at. */
export const TheCommand = createParamDecorator((_: unknown, host: ExecutionContext): CommandRequest => {
  const request = host.switchToHttp().getRequest<LodeRequest>();
  const reply = host.switchToHttp().getResponse<FastifyReply>();
  const { caller } = request;
  if (caller === undefined) throw new Error('a command comes from somebody who is signed in');
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string' || !KEY.test(key)) {
    throw new LodeError(
      'idempotency_key_missing',
      'A command needs an Idempotency-Key of 1 to 255 visible characters.',
    );
  }
  const correlation = request.headers['x-correlation-id'];
  return {
    contextFor(stream, body, reason) {
      const commandId = commandIdOf(caller.userId, stream, key);
      return {
        actor: { kind: 'person', id: caller.userId, role: caller.role },
        commandId,
        requestHash: sha256(`${request.method} ${request.url}\n${canonicalJson(body)}`),
        correlationId: typeof correlation === 'string' && UUID.test(correlation) ? correlation : randomUUID(),
        causationId: commandId,
        session: caller.sessionId,
        ...(reason === undefined ? {} : { reason }),
      };
    },
    newId: (what, length) => derivedAlphanumeric(commandIdOf(caller.userId, what, key), length),
    markReplayed(replayed) {
      if (replayed) void reply.header('Idempotency-Replayed', 'true');
    },
  };
});
