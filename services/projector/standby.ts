import {
  comparePositions,
  createRunLoop,
  systemClock,
  systemRandom,
  type Position,
  type Timers,
} from '#kernel';
import { walletModels } from '#projections';
import type { ReadStoreReader } from '#read-store';

/** Between two looks at the documents, in milliseconds: whoever waits to see what they wrote waits that much longer. */
const LOOK_MS = 100;

/**
 * Tells how far the documents are that another program writes, again and again, until it is ended by what it gives.
 * Which documents changed is not told.
 */
export function followDocuments(
  models: Pick<ReadStoreReader, 'checkpoint'>,
  timers: Timers,
  hear: (position: Position) => void,
): () => Promise<void> {
  const loop = createRunLoop({
    turn: async () => {
      const stands = await Promise.all(walletModels.map(({ name }) => models.checkpoint(name)));
      const [first, ...others] = stands.map(({ position }) => position);
      if (first !== undefined)
        hear(others.reduce((least, one) => (comparePositions(one, least) < 0 ? one : least), first));
      return { until: 'stopped', ms: LOOK_MS };
    },
    // Until the first of them are built there is nothing to tell.
    onFailing: () => undefined,
    onRecovered: () => undefined,
    onStopped: async () => undefined,
    retry: { firstMs: LOOK_MS, lastMs: 10 * LOOK_MS, jitter: 0 },
    clock: systemClock,
    random: systemRandom,
    timers,
  });
  loop.start();
  return loop.stop;
}
