import type { Logger } from 'pino';
import type { Stores } from '#engines';
import { createRunLoop, systemMonotonic, systemRandom, type Timers } from '#kernel';

/** Between two looks at how far log and identities have come, in milliseconds: with its writing it is kept each second. */
const LOOK_MS = 800;
const RETRY = { firstMs: LOOK_MS, lastMs: 10_000, jitter: 0 };

/** Keeps how far log and identities have come while a program runs, beside what it answers. Closing the engines does it last. */
export function keepHeads(
  { keepHead }: Pick<Stores, 'keepHead'>,
  { logger, timers }: { readonly logger: Logger; readonly timers: Timers },
): { readonly stop: () => Promise<void> } {
  const stopping = Promise.withResolvers<undefined>();
  const loop = createRunLoop({
    turn: async () => {
      // A server that says nothing holds up no stop.
      await Promise.race([keepHead(), stopping.promise]);
      return { until: 'stopped', ms: LOOK_MS };
    },
    onFailing: (failing) => {
      if (failing.attempts === 1)
        logger.warn(failing, 'how far log and identities have come can not be kept');
    },
    onRecovered: () => undefined,
    onStopped: async () => undefined,
    retry: RETRY,
    clock: systemMonotonic,
    random: systemRandom,
    timers,
  });
  loop.start();
  return {
    stop: () => {
      stopping.resolve(undefined);
      return loop.stop();
    },
  };
}
