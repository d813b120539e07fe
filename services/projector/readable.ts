import { isLodeError, pause, type Timers } from '#kernel';
import { walletModels } from '#projections';
import type { ReadStoreReader } from '#read-store';

/** Between two looks, in milliseconds: at first, and at most, as each pause is twice the one before. */
const LOOK_MS = { first: 20, most: 1_000 };

/**
 * Waits until queries can read every read model: at a first start they are being built for a moment, and longer where all
 * of them are built anew from a long log. False when `signal` is aborted before.
 */
export async function untilReadable(
  models: Pick<ReadStoreReader, 'checkpoint'>,
  timers: Timers,
  signal: AbortSignal,
): Promise<boolean> {
  for (let ms = LOOK_MS.first; !signal.aborted; ms = Math.min(2 * ms, LOOK_MS.most)) {
    if (await isReadable(models)) return true;
    await pause(timers, ms);
  }
  return false;
}

async function isReadable(models: Pick<ReadStoreReader, 'checkpoint'>): Promise<boolean> {
  try {
    await Promise.all(walletModels.map(({ name }) => models.checkpoint(name)));
    return true;
  } catch (error) {
    // Of anything else whoever reads them hears.
    return !(isLodeError(error) && error.code === 'unavailable');
  }
}
