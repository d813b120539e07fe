import type { FastifyInstance } from 'fastify';
import { logStart, parsePosition, type Position } from '#kernel';

/** Where Nest keeps the scope of the log. */
export const LOG_SCOPE = Symbol('log scope');

/** Digits of the log's id that a scope has: enough to tell apart the logs that one client may have seen. */
const DIGITS = 8;
const SCOPED_POSITION = /^([^.]+)(?:\.([0-9a-f]{8}))?$/;
const SCOPED_CURSOR = /^(.*)-([0-9a-f]{8})$/;

/**
 * How positions and cursors travel: with the beginning of the id of the log that they are of, so that one of another log
 * is told from those of this one. Without it, as in bodies and from earlier versions, they are taken for this log's.
 */
export type LogScope = {
  readonly position: (position: Position) => string;
  /** Undefined for a text that is no position. */
  readonly readPosition: (text: string) => Position | 'of another log' | undefined;
  readonly cursor: (cursor: string) => string;
  /** Undefined for a cursor of another log. */
  readonly readCursor: (text: string) => string | undefined;
};

export function createLogScope(logId: string): LogScope {
  const scope = logId.slice(0, DIGITS);
  return {
    position: (position) => `${position}.${scope}`,
    readPosition: (text) => {
      const [, place = '', found = scope] = SCOPED_POSITION.exec(text) ?? [];
      const position = parsePosition(place);
      return position === undefined || found === scope ? position : 'of another log';
    },
    // Of the letters that a cursor may have.
    cursor: (cursor) => `${cursor}-${scope}`,
    readCursor: (text) => {
      const [, cursor, found] = SCOPED_CURSOR.exec(text) ?? [];
      if (cursor === undefined) return text;
      return found === scope ? cursor : undefined;
    },
  };
}

/** The headers of an answer that knows nothing of what its client has seen: that was another log, and this one begins here. */
export function staleHeaders(scope: LogScope): Readonly<Record<string, string>> {
  return { 'Lode-Stale': 'true', 'Lode-Position': scope.position(logStart) };
}

/** Gives answers to commands their position as a header too, with its scope. */
export function tellPositions(fastify: FastifyInstance, scope: LogScope): void {
  fastify.addHook('preSerialization', (request, reply, payload, done) => {
    if (
      request.method !== 'GET' &&
      typeof payload === 'object' &&
      payload !== null &&
      'position' in payload
    ) {
      const position = parsePosition(String(payload.position));
      if (position !== undefined) void reply.header('Lode-Position', scope.position(position));
    }
    done(null, payload);
  });
}
