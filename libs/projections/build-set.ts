import { logStart, type Position } from '#kernel';
import { checkpointStart, type Build, type BuildState, type Checkpoint, type ReadStore } from '#read-store';
import { isOf, openBookkeeping, type Bookkeeping } from './bookkeeping.js';
import { createDocuments, createWriteOnceDocuments } from './documents.js';
import { createFold } from './fold.js';
import type { Frozen } from './health.js';
import type { RunnerLimits } from './limits.js';
import { createModelBuild, type ModelBuild } from './model-build.js';
import { createParking, readParked } from './parking.js';
import type { ReadModel } from './read-model.js';
import { refuseDiverged } from './diverged.js';
import type { Log } from './runner-context.js';

/** All builds that a runner keeps, and those that wait to be removed. */
export type BuildSet = {
  builds: ModelBuild[];
  retired: Build[];
  /** By model: what queries read while the first build of a new version is made. */
  readonly frozen: Map<string, Frozen>;
};

/** A runner's builds before it has looked. */
export function emptyBuildSet(): BuildSet {
  return { builds: [], retired: [], frozen: new Map() };
}

/** What a runner looks at its store for. */
export type Loading = {
  readonly log: Log;
  readonly store: ReadStore;
  readonly models: readonly ReadModel[];
  readonly limits: RunnerLimits;
  /** Nobody waits for the live models meanwhile. */
  readonly isAlone: boolean;
};

/**
 * What is in the store for the given models, with a build begun for each that has none of its version. Refuses a store
 * with builds that have diverged from the log; see `refuseDiverged`.
 */
export async function loadBuilds({
  log,
  store,
  models,
  limits,
  isAlone,
}: Loading): Promise<{ readonly buildSet: BuildSet; readonly books: Bookkeeping }> {
  await refuseDiverged(log, store, models);
  await retireOutdated(store, models);
  const states = await store.builds();
  const books = await openBookkeeping(store, states, (await log.header())?.logId);
  const buildSet = emptyBuildSet();
  buildSet.retired.push(...books.outdated);
  const served = new Set(
    models.filter((model) => states.some((one) => one.state === 'active' && isBuildOf(one, model))),
  );
  const isBulk = isAlone || served.size === 0;
  for (const model of models) {
    const own = states.filter(({ build }) => build.collection === model.name);
    const active = own.find(({ state }) => state === 'active');
    const isServed = served.has(model);
    const begun = own.findLast((one) => one.state === 'building' && isOf(one, model));
    // Left by a runner that was alone. Its indexes would be made while live models wait; with the model read meanwhile,
    // nobody waits for another build that has them from its beginning.
    const isLate = begun?.isIndexed === false && isServed && !isAlone;
    const building = isLate ? undefined : begun;
    if (active !== undefined && isServed)
      buildSet.builds.push(await storedBuild(store, books, model, active, limits));
    if (active !== undefined && !isServed)
      buildSet.frozen.set(model.name, { build: active.build, checkpoint: active.checkpoint });
    if (building !== undefined)
      buildSet.builds.push(await storedBuild(store, books, model, building, limits));
    else if (isLate || !isServed) buildSet.builds.push(await beginBuild(store, model, limits, isBulk));
    buildSet.retired.push(
      ...own.filter((one) => one !== active && one !== building).map(({ build }) => build),
    );
  }
  for (const modelBuild of buildSet.builds) {
    modelBuild.suspected = await books.marked(modelBuild.fold.build);
    modelBuild.toRecover = books.diedWith;
  }
  return { buildSet, books };
}

/** Takes what today's queries would misread from them. To be done before anybody queries: nothing else keeps it back. */
export async function retireOutdated(store: ReadStore, models: readonly ReadModel[]): Promise<void> {
  for (const { build, state } of await store.builds()) {
    const oldest = models.find(({ name }) => name === build.collection)?.oldestServed ?? 0;
    if (state === 'active' && build.version < oldest) await store.retire(build);
  }
}

function isBuildOf(state: BuildState, model: ReadModel): boolean {
  return state.build.collection === model.name && isOf(state, model);
}

/** A new, empty build of a model. */
export async function beginBuild(
  store: ReadStore,
  model: ReadModel,
  limits: RunnerLimits,
  bulk: boolean,
): Promise<ModelBuild> {
  const { name, version, indexes } = model;
  const build = await store.begin(
    { name, version, indexes },
    { bulk, writesOnce: model.writesOnce === true },
  );
  return modelBuildFor(store, model, build, limits, {
    isActive: false,
    checkpoint: checkpointStart,
    attempted: logStart,
    isFresh: true,
  });
}

/** Builds of a model that nobody fills: the answer to their beginning was lost, and so were they. */
export async function strayBuilds(
  store: Pick<ReadStore, 'builds'>,
  { builds, retired }: BuildSet,
  { name }: ReadModel,
): Promise<readonly Build[]> {
  const known = [...builds.map(({ fold }) => fold.build), ...retired];
  return (await store.builds())
    .filter(({ build, state }) => state === 'building' && build.collection === name)
    .map(({ build }) => build)
    .filter(({ number }) => !known.some((one) => one.collection === name && one.number === number));
}

async function storedBuild(
  store: ReadStore,
  books: Bookkeeping,
  model: ReadModel,
  { build, state, checkpoint }: BuildState,
  limits: RunnerLimits,
): Promise<ModelBuild> {
  const anchored = store.withoutTransactions === true ? await books.anchored(build) : undefined;
  return modelBuildFor(store, model, build, limits, {
    isActive: state === 'active',
    checkpoint,
    attempted: anchored ?? checkpoint.position,
    isFresh: false,
  });
}

type BuildProgress = {
  readonly isActive: boolean;
  readonly checkpoint: Checkpoint;
  /** The end of the last batch that was to be written. */
  readonly attempted: Position;
  readonly isFresh: boolean;
};

async function modelBuildFor(
  store: ReadStore,
  model: ReadModel,
  build: Build,
  limits: RunnerLimits,
  { isActive, checkpoint, attempted, isFresh }: BuildProgress,
): Promise<ModelBuild> {
  const parking = createParking(isFresh ? [] : await readParked(store, build), checkpoint, attempted);
  const { isParked } = parking;
  const documents =
    model.writesOnce === true
      ? createWriteOnceDocuments()
      : createDocuments(store, build, { cached: limits.documentsCached, isFresh, isParked });
  const modelBuild = createModelBuild(
    createFold(model, build, documents, parking, limits.tries),
    isActive,
    checkpoint,
  );
  modelBuild.isHalted = parking.count() >= limits.parked;
  return modelBuild;
}
