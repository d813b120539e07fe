import type { Inspection, Progress } from '#engines';
import { openingWith, walletModels } from '#projections';
import type { ReadStore } from '#read-store';
import {
  compareReadModels,
  describeMismatch,
  headsOf,
  ledgerKinds,
  verifyLog,
  type LogHeads,
  type LogReport,
  type Milestone,
  type ModelReport,
} from '#verify';
import { readingLog } from './folder.js';

/** Walks the log as far as it goes now. */
export function checkLog(
  engines: Pick<Inspection, 'openLog' | 'nextPosition'>,
  progress: Progress,
  since?: Milestone,
): Promise<LogReport> {
  return readingLog(engines, async (log) => {
    const upTo = await log.head();
    // Where each position follows the one before, the last says how many events there are.
    const all = engines.nextPosition === undefined ? since?.events : Number(upTo);
    return verifyLog({
      log,
      kinds: ledgerKinds,
      upTo,
      nextPosition: engines.nextPosition,
      progress: (events) => progress('Checking the log', events, all),
      ...(since === undefined ? {} : { since }),
    });
  });
}

/** What differs between the log as it was when these heads were kept and the same events now; undefined when nothing does. */
export function checkHeads(
  engines: Pick<Inspection, 'openLog'>,
  kept: LogHeads,
  progress: Progress,
): Promise<string | undefined> {
  return readingLog(engines, async (log) => {
    const found = await headsOf({
      log,
      upTo: await log.head(),
      events: kept.events,
      progress: (events) => progress('Comparing the heads', events, kept.events),
    });
    return describeMismatch(kept, found);
  });
}

/** Folds the log again and compares; empty when there are no read models. */
export async function checkReadModels(
  engines: Inspection,
  progress: Progress,
): Promise<readonly ModelReport[]> {
  const live = await engines.openModels();
  if (live === undefined) return [];
  try {
    return await compareIn(engines.openScratchModels(), engines, live, progress);
  } finally {
    await live.close();
  }
}

async function compareIn(
  scratch: ReadStore,
  engines: Inspection,
  live: NonNullable<Awaited<ReturnType<Inspection['openModels']>>>,
  progress: Progress,
): Promise<readonly ModelReport[]> {
  try {
    const keys = await engines.openPersonKeys();
    try {
      return await readingLog(engines, async (log) => {
        const ordinals = (await live.builds()).map(({ checkpoint }) => checkpoint.ordinal);
        const total = Math.max(0, ...ordinals);
        return compareReadModels({
          log,
          live,
          scratch,
          models: walletModels,
          ...openingWith(keys),
          progress: (events) => progress('Folding the log again', events, total),
        });
      });
    } finally {
      await keys.close();
    }
  } finally {
    await scratch.close();
  }
}
