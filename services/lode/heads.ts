import type { Logger } from 'pino';
import type { Condition } from '#application';
import type { Stores } from '#engines';
import { createRunLoop, systemMonotonic, systemRandom, type Clock, type Timers } from '#kernel';

type HeadParts = { readonly logger: Logger; readonly timers: Timers; readonly monotonic?: Clock };

/** Between two looks at how far log and identities have come, in milliseconds: with its writing it is kept each second. */
const LOOK_MS = 800;
/** What can't be kept is told once a second at most. */
const RETRY = { firstMs: 1_000, lastMs: 10_000, jitter: 0 };

/** Keeps how far log and identities have come while a program runs, beside what it answers. Closing the engines does it last. */
export function keepHeads(
  { keepHead }: Pick<Stores, 'keepHead'>,
  { logger, timers, monotonic = systemMonotonic }: HeadParts,
): { readonly condition: Condition['head']; readonly stop: () => Promise<void> } {
  const stopping = Promise.withResolvers<undefined>();
  // Opening the engines has kept it.
  let [keptAt, told] = [monotonic(), ''];
  const loop = createRunLoop({
    turn: async () => {
      // A server that says nothing holds up no stop.
      await Promise.race([keepHead(), stopping.promise]);
      keptAt = monotonic();
      return { until: 'stopped', ms: LOOK_MS };
    },
    onFailing: (failing) => {
      if (failing.message === told) return;
      told = failing.message;
      logger.error(failing, 'how far log and identities have come can not be kept');
    },
    onRecovered: () => {
      told = '';
      logger.info('how far log and identities have come is kept again');
    },
    onStopped: async () => undefined,
    retry: RETRY,
    clock: monotonic,
    random: systemRandom,
    timers,
  });
  loop.start();
  return {
    condition: () => ({ ageMs: monotonic() - keptAt, failure: loop.failing()?.code }),
    stop: () => {
      stopping.resolve(undefined);
      return loop.stop();
    },
  };
}
