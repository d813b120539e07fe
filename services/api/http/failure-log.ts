import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { systemMonotonic, type Clock } from '#kernel';
import { toLodeError } from './problem.js';

/** Whoever is refused for load is not told of one by one: this often at most, in milliseconds. */
const OVERLOAD_EVERY_MS = 1_000;

/** Writes down a failure that is ours, with the request that it answers. */
export type FailureLog = (error: unknown, request: Pick<FastifyRequest, 'id' | 'method' | 'url'>) => void;

/**
 * A bug is logged with its stack, an engine's failure with its cause and the words for operators, which the answer lacks.
 * That there is too much to do is no failure of a request: it is said once a second, with how many were refused since.
 */
export function createFailureLog(
  logger: Pick<Logger, 'error' | 'warn'>,
  monotonic: Clock = systemMonotonic,
): FailureLog {
  let refused = 0;
  let saidAt = -Infinity;
  return (error, { id, method, url }) => {
    const { code, message } = toLodeError(error);
    if (code !== 'overloaded') {
      logger.error({ err: error, code, request: id, method, url }, message);
      return;
    }
    refused += 1;
    const now = monotonic();
    if (now - saidAt < OVERLOAD_EVERY_MS) return;
    logger.warn({ code, refused, method, url }, message);
    saidAt = now;
    refused = 0;
  };
}
