import type { Logger } from 'pino';
import type { CommandContext } from '#application';
import { systemMonotonic, type Clock } from '#kernel';
import { correlationSent } from './correlation.js';
import { toLodeError } from './problem.js';
import { routedTo, type LodeRequest } from './route.js';

/** Whoever is refused for load is not told of one by one: this often at most, in milliseconds. */
const OVERLOAD_EVERY_MS = 1_000;

/** What a line says of a request: never its address, which may hold an e-mail or the number of an account. */
type Logged = Pick<
  LodeRequest,
  'id' | 'method' | 'headers' | 'routed' | 'routeOptions' | 'correlationId' | 'commandId'
>;

/** Writes down a failure that is ours, with the request that it answers. */
export type FailureLog = (error: unknown, request: Logged) => void;

/**
 * A bug is logged with its stack, an engine's failure with its cause and the words for operators, which the answer lacks. The
 * correlation is that of the request's commands, and so of its trace and events.
 * That there is too much to do is no failure of a request: it is said once a second, with how many were refused since.
 */
export function createFailureLog(
  logger: Pick<Logger, 'error' | 'warn'>,
  monotonic: Clock = systemMonotonic,
): FailureLog {
  let refused = 0;
  let saidAt = -Infinity;
  return (error, request) => {
    const { code, message } = toLodeError(error);
    const { id, method, commandId, correlationId = correlationSent(request) } = request;
    const { url: route } = routedTo(request);
    if (code !== 'overloaded') {
      logger.error({ err: error, code, request: id, method, route, correlationId, commandId }, message);
      return;
    }
    refused += 1;
    const now = monotonic();
    if (now - saidAt < OVERLOAD_EVERY_MS) return;
    logger.warn({ code, refused, method, route }, message);
    saidAt = now;
    refused = 0;
  };
}

/** Writes down that one of a request's many commands failed, and is ours. */
export function logItem(
  logger: Pick<Logger, 'error'>,
  error: unknown,
  { correlationId, commandId }: Pick<CommandContext, 'correlationId' | 'commandId'>,
): void {
  const { code, message } = toLodeError(error);
  logger.error({ err: error, code, correlationId, commandId }, message);
}
