import { setTimeout } from 'node:timers/promises';
import type { ExclusiveEngines, Progress } from '#engines';
import { LodeError, type Position } from '#kernel';
import {
  createProjectionRunner,
  dropDiverged,
  openPersonalData,
  walletModels,
  type ProjectionRunner,
  type RunnerReport,
} from '#projections';
import { readingLog } from './folder.js';

/** The projections of a data folder at work, while no program runs. */
export type Folding = {
  readonly runner: ProjectionRunner;
  /** Rejects when the read models can't be written. */
  readonly failed: Promise<never>;
  /** Resolves once nothing is left of builds that queries no longer read. */
  readonly cleared: () => Promise<void>;
};

/** The longest that read models may take to catch up, in milliseconds: a day. */
const WAIT_MAX_MS = 24 * 60 * 60 * 1_000;
/** How often it is looked whether an old build is gone, in milliseconds. */
const LOOK_MS = 20;

/** What the projections are to do, and who hears of it. */
export type FoldingOptions = {
  readonly engines: ExclusiveEngines;
  readonly progress: Progress;
  readonly report?: (report: RunnerReport) => void;
  /** Models to build anew. Others that have diverged from the log are left as they are then, not refused. */
  readonly anew?: readonly string[];
};

/**
 * Runs the projections for as long as some work takes. Refuses a folder whose files don't fit together as a start does.
 */
export function withProjections<T>(
  { engines, progress, report = () => undefined, anew = [] }: FoldingOptions,
  work: (folding: Folding) => Promise<T>,
): Promise<T> {
  return readingLog(engines, async (log) => {
    const { dropped, models } = await planFor(engines, anew);
    const keys = engines.openPersonKeys();
    const store = engines.openModelsToWrite();
    const failed = Promise.withResolvers<never>();
    let folded = 0;
    const runner = createProjectionRunner({
      log: {
        head: log.head,
        readAll: async (after, limit) => {
          const page = await log.readAll(after, limit);
          if (page.length > 0) progress('Folding the log', (folded += page.length));
          return page;
        },
      },
      store,
      models,
      open: openPersonalData(keys.decrypt),
      report: (told) => {
        if (told.type === 'failing') failed.reject(new LodeError(told.code, told.message));
        report(told);
      },
    });
    try {
      if (dropped.length > 0) engines.forgetRemembered();
      await dropDiverged(store, dropped);
      // Asked before it starts: a model that has no build yet, or no longer, gets one by that, and not a second one.
      const begun = Promise.all(anew.map((name) => runner.rebuild(name)));
      runner.start();
      await Promise.race([begun, failed.promise]);
      const cleared = async () => {
        while ((await store.builds()).some(({ state }) => state === 'retired')) await setTimeout(LOOK_MS);
      };
      return await work({ runner, failed: failed.promise, cleared });
    } finally {
      await runner.stop();
      await store.close();
      keys.close();
    }
  });
}

/** How the read models of a folder stand against its log: the builds to be dropped, and the models that can be folded then. */
async function planFor({ divergedBuilds }: ExclusiveEngines, anew: readonly string[]) {
  const diverged = await divergedBuilds({ refuse: anew.length === 0 });
  const left = new Set(diverged.map(({ build }) => build.collection).filter((name) => !anew.includes(name)));
  return {
    dropped: diverged.filter(({ build }) => !left.has(build.collection)),
    models: walletModels.filter(({ name }) => !left.has(name)),
  };
}

/** Brings the read models of a data folder up to a position, and lets go of what old builds have left. */
export function catchUp(engines: ExclusiveEngines, progress: Progress, upTo: Position): Promise<void> {
  return withProjections({ engines, progress }, async ({ runner, failed, cleared }) => {
    await Promise.race([runner.waitFor(upTo, WAIT_MAX_MS), failed]);
    await Promise.race([cleared(), failed]);
  });
}
