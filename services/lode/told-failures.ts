import type { Logger } from 'pino';
import type { Clock } from '#kernel';

/** Without a failure for this long a collector that failed is taken for well again, in milliseconds. */
const CALM_MS = 60_000;

/** Says when batches begin to fail, and when that is over: not with each of a collector that takes every other one. */
export function tellFailures(
  where: string,
  logger: Pick<Logger, 'warn' | 'info'>,
  monotonic: Clock,
): (error: Error | undefined) => void {
  let failedAt: number | undefined;
  return (error) => {
    if (error !== undefined) {
      if (failedAt === undefined) logger.warn(`traces can't be sent to ${where}: ${error.message}`);
      failedAt = monotonic();
    } else if (failedAt !== undefined && monotonic() - failedAt >= CALM_MS) {
      failedAt = undefined;
      logger.info(`traces are sent to ${where} again`);
    }
  };
}
