import type { ExclusiveEngines, Progress, Turn } from '#engines';
import {
  allLanes,
  comparePositions,
  isLodeError,
  LodeError,
  systemMonotonic,
  systemTimers,
  type Position,
} from '#kernel';
import {
  createProjectionRunner,
  dropDiverged,
  openingWith,
  walletModels,
  type BuildHealth,
  type ProjectionRunner,
  type RunnerReport,
} from '#projections';
import { checkpointStart } from '#read-store';
import { readingLog } from './folder.js';
import { count } from './output.js';
import { createWatch, LOOK_MS, type Watch } from './watch.js';

/** The projections of a data folder at work, while no program runs. */
export type Folding = {
  readonly runner: ProjectionRunner;
  /** Resolves once something is so. Rejects when the read models can't be written, and when they stand still. */
  readonly waitUntil: Watch['until'];
  /** Nothing is left of builds that queries no longer read. */
  readonly isCleared: () => Promise<boolean>;
};

/** What the projections are to do, and who hears of it. */
export type FoldingOptions = {
  readonly engines: ExclusiveEngines;
  readonly progress: Progress;
  readonly report?: (report: RunnerReport) => void;
  /** Models to build anew. Others that have diverged from the log are left as they are then, not refused. */
  readonly anew?: readonly string[];
};

/**
 * Runs the projections for as long as some work takes. Refuses stores that don't fit together as a start does, and with
 * `unavailable` while another program runs them, which can only be on a server.
 */
export async function withProjections<T>(
  options: FoldingOptions,
  work: (folding: Folding) => Promise<T>,
): Promise<T> {
  const turn = await options.engines.takeProjector();
  if (turn === undefined)
    throw new LodeError(
      'unavailable',
      'A program that runs writes the read models: an admin can have one rebuilt there with POST /api/projections/{model}/rebuild.',
    );
  try {
    return await fold({ ...options, turn }, work);
  } finally {
    await turn.release();
  }
}

function fold<T>(
  { engines, turn, progress, report = () => undefined, anew = [] }: FoldingOptions & { readonly turn: Turn },
  work: (folding: Folding) => Promise<T>,
): Promise<T> {
  return readingLog(engines, async (log) => {
    const { dropped, models } = await planFor(engines, anew);
    const keys = await engines.openPersonKeys();
    const store = await engines.openModelsToWrite().catch(async (error: unknown) => {
      // Left open, its connection would keep the command from ending.
      await keys.close();
      throw error;
    });
    const watch = createWatch(systemTimers, systemMonotonic);
    turn.lost.catch(watch.failed);
    let folded = 0;
    const runner = createProjectionRunner({
      lanes: allLanes(engines.lanes),
      log: {
        head: log.head,
        header: log.header,
        readAll: async (after, limit) => {
          const page = await log.readAll(after, limit);
          if (page.length > 0) {
            progress('Folding the log', (folded += page.length));
            watch.moved();
          }
          return page;
        },
      },
      store: {
        ...store,
        discard: (build) => {
          watch.moved();
          return store.discard(build);
        },
      },
      models,
      isAlone: true,
      ...openingWith(keys),
      report: (told) => {
        if (told.type === 'failing') watch.failed(new LodeError(told.code, told.message));
        if (told.type === 'activated') watch.moved();
        report(told);
      },
    });
    try {
      if (dropped.length > 0) await engines.forgetRemembered();
      await dropDiverged(store, dropped);
      // Asked before it starts: a model that has no build yet, or no longer, gets one by that, and not a second one.
      const left = new Set(anew);
      for (const name of anew) void runner.rebuild(name).then(() => left.delete(name), watch.failed);
      runner.start();
      await watch.until(() => left.size === 0);
      return await work({
        runner,
        waitUntil: watch.until,
        isCleared: async () => (await store.builds()).every(({ state }) => state !== 'retired'),
      });
    } finally {
      await runner.stop();
      await store.close();
      await keys.close();
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

/** Whether there are read models that could hold anything. */
export async function areThereModels({ openModels }: Pick<ExclusiveEngines, 'openModels'>): Promise<boolean> {
  const models = await openModels();
  await models?.close();
  return models !== undefined;
}

/** Refuses a build that has stopped because so many of its events are parked: it would be waited for without end. */
export function refuseHalted({ model, isHalted, parked }: BuildHealth): void {
  if (!isHalted) return;
  throw new LodeError(
    'unavailable',
    `The read model ${model} has stopped, because ${count(parked)} of its events are parked: see docs/how-to/rebuild.md.`,
  );
}

/**
 * Brings the read models up to the end of the log, and lets go of what old builds have left; or waits until a program that
 * shares them has. Events of the stream `again` that are parked are folded again, which that program does by itself.
 * Refuses with `unavailable` when one of them has stopped.
 */
export async function catchUp(engines: ExclusiveEngines, progress: Progress, again?: string): Promise<void> {
  const upTo = await readingLog(engines, (log) => log.head());
  const turn = await engines.takeProjector();
  if (turn === undefined) return othersCaughtUp(engines, upTo, progress);
  try {
    await foldUpTo({ engines, turn, progress }, upTo, again);
  } finally {
    await turn.release();
  }
}

function foldUpTo(
  options: FoldingOptions & { readonly turn: Turn },
  upTo: Position,
  again: string | undefined,
): Promise<void> {
  return fold(options, async ({ runner, waitUntil, isCleared }) => {
    await waitUntil(async () => {
      const isThere = await runner.waitFor(upTo, LOOK_MS);
      const builds = runner.builds();
      // Also one that got there, because it takes nothing that comes next; but one with a build beside it is soon mended.
      const advancing = new Set(builds.filter(({ isHalted }) => !isHalted).map(({ model }) => model));
      for (const build of builds) if (!advancing.has(build.model)) refuseHalted(build);
      return isThere && !builds.some(({ isActive, isHalted }) => isActive && isHalted);
    });
    if (again !== undefined)
      for (const { model, isActive, parked } of runner.builds())
        if (isActive && parked > 0) await runner.replayParked(model, again);
    await waitUntil(isCleared);
  });
}

/** Waits until the documents that queries read are as of a position, while another program writes them. */
async function othersCaughtUp(
  { openModels }: Pick<ExclusiveEngines, 'openModels'>,
  upTo: Position,
  progress: Progress,
): Promise<void> {
  const models = await openModels();
  if (models === undefined) return;
  const watch = createWatch(systemTimers, systemMonotonic);
  let seen = -1;
  try {
    await watch.until(async () => {
      const active = (await models.builds()).filter(({ state }) => state === 'active');
      const stands = walletModels.map(
        ({ name }) => active.find(({ build }) => build.collection === name)?.checkpoint ?? checkpointStart,
      );
      const ordinal = Math.min(...stands.map((stand) => stand.ordinal));
      if (ordinal !== seen) {
        watch.moved();
        progress('Waiting for the read models', ordinal);
      }
      seen = ordinal;
      return stands.every(({ position }) => comparePositions(position, upTo) >= 0);
    });
  } finally {
    await models.close();
  }
}

/** As `catchUp`, after something that stays in the log whatever becomes of this: a failure says that first. */
export async function catchUpAfter(
  done: string,
  engines: ExclusiveEngines,
  progress: Progress,
  again?: string,
): Promise<void> {
  try {
    await catchUp(engines, progress, again);
  } catch (error) {
    throw failureAfter(done, error);
  }
}

/** What failed after something that stays in the log, which its message says first; a bug stays what it is. */
export function failureAfter(done: string, error: unknown): unknown {
  if (!isLodeError(error)) return error;
  return new LodeError(error.code, `${done} ${error.message}`, {}, { cause: error });
}
