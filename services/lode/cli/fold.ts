import { setTimeout } from 'node:timers/promises';
import { LodeError, type Position } from '#kernel';
import { openPersonKeys } from '#identity/sqlite';
import {
  createProjectionRunner,
  openPersonalData,
  walletModels,
  type ProjectionRunner,
  type RunnerReport,
} from '#projections';
import { openSqliteReadStore } from '#read-store/sqlite';
import type { Places } from '../data-folder.js';
import type { Progress } from './command.js';
import { asLog, readingLog } from './folder.js';

/** The projections of a data folder at work, while no program runs. */
export type Folding = {
  readonly runner: ProjectionRunner;
  /** Rejects when the read models can't be written. */
  readonly failed: Promise<never>;
  /** Resolves once nothing is left of builds that queries no longer read. */
  readonly cleared: () => Promise<void>;
};

/** The longest that read models may take to catch up, in milliseconds: a day. */
const PATIENCE_MS = 24 * 60 * 60 * 1_000;
/** How often it is looked whether an old build is gone, in milliseconds. */
const LOOK_MS = 20;

/** Runs the projections for as long as some work takes; `report` hears what they report. */
export function folding<T>(
  places: Places,
  progress: Progress,
  report: (report: RunnerReport) => void,
  work: (folding: Folding) => Promise<T>,
): Promise<T> {
  return readingLog(places.log, async (reader) => {
    const log = asLog(reader);
    const keys = openPersonKeys({ file: places.identity });
    const store = openSqliteReadStore({ file: places.readModels });
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
      models: walletModels,
      open: openPersonalData(keys.decrypt),
      report: (told) => {
        if (told.type === 'failing') failed.reject(new LodeError(told.code, told.message));
        report(told);
      },
    });
    runner.start();
    try {
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

/** Brings the read models of a data folder up to a position, and lets go of what old builds have left. */
export function catchUp(places: Places, progress: Progress, upTo: Position): Promise<void> {
  return folding(
    places,
    progress,
    () => undefined,
    async ({ runner, failed, cleared }) => {
      await Promise.race([runner.waitFor(upTo, PATIENCE_MS), failed]);
      await Promise.race([cleared(), failed]);
    },
  );
}
