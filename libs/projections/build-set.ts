import { hasFirstLane, laneOf, type Lanes } from '#kernel';
import { checkpointStart, type Build, type BuildState, type Checkpoint, type ReadStore } from '#read-store';
import { isOf, openBookkeeping, type Bookkeeping } from './bookkeeping.js';
import { createDocuments, createWriteOnceDocuments } from './documents.js';
import { createFold } from './fold.js';
import type { Frozen } from './health.js';
import { laneFilter, laneIn } from './lanes.js';
import type { RunnerLimits } from './limits.js';
import { createModelBuild, type ModelBuild } from './model-build.js';
import { createParking, readParked, type WasAttempted } from './parking.js';
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
  /** Those whose events are folded. */
  readonly lanes: Lanes;
  /** Nobody waits for the live models meanwhile. */
  readonly isAlone: boolean;
};

/**
 * What is in the store for the given models, with a build begun for each that has none of its version. Refuses a store
 * with builds that have diverged from the log; see `refuseDiverged`.
 */
export async function loadBuilds(
  loading: Loading,
): Promise<{ readonly buildSet: BuildSet; readonly books: Bookkeeping }> {
  const { log, store, models, limits, lanes, isAlone } = loading;
  await refuseDiverged(log, store, models);
  if (hasFirstLane(lanes)) await retireOutdated(store, models);
  const states = await store.builds();
  const books = await openBookkeeping(store, states, { logId: (await log.header())?.logId, lanes });
  const buildSet = emptyBuildSet();
  const parts: BuildParts = { store, books, limits, lanes };
  const retire = (builds: readonly Build[]) => {
    if (hasFirstLane(lanes)) buildSet.retired.push(...builds);
  };
  retire(books.outdated);
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
    const isLate = begun?.isIndexed === false && isServed && !isAlone && hasFirstLane(lanes);
    const building = isLate ? undefined : begun;
    if (active !== undefined && isServed) buildSet.builds.push(await storedBuild(parts, model, active));
    if (active !== undefined && !isServed)
      buildSet.frozen.set(model.name, { build: active.build, checkpoint: active.checkpoint });
    if (building !== undefined) buildSet.builds.push(await storedBuild(parts, model, building));
    else if (hasFirstLane(lanes) && (isLate || !isServed))
      buildSet.builds.push(await beginBuild(parts, model, isBulk));
    retire(own.filter((one) => one !== active && one !== building).map(({ build }) => build));
  }
  for (const modelBuild of buildSet.builds) {
    modelBuild.suspected = await books.marked(modelBuild.fold.build);
    modelBuild.toRecover = books.diedWith;
  }
  return { buildSet, books };
}

/**
 * Takes over what the writers of other lanes have done to builds since: those that they began are folded too, one that was swapped
 * in is read, and what is no longer read is left to whoever removes it. Gives those that were swapped in.
 */
export async function followBuilds(
  parts: BuildParts,
  buildSet: BuildSet,
  models: readonly ReadModel[],
): Promise<readonly ModelBuild[]> {
  const states = await parts.store.builds();
  const swapped: ModelBuild[] = [];
  for (const model of models) {
    const own = states.filter((one) => isBuildOf(one, model));
    const known = (one: BuildState) => buildSet.builds.find(({ fold }) => isSame(fold.build, one.build));
    const wanted = [
      own.find(({ state }) => state === 'active'),
      own.findLast(({ state }) => state === 'building'),
    ];
    const kept: ModelBuild[] = [];
    for (const one of wanted) {
      if (one === undefined) continue;
      const modelBuild = known(one) ?? (await storedBuild(parts, model, one));
      kept.push(modelBuild);
      if (one.state !== 'active' || modelBuild.isActive) continue;
      modelBuild.isActive = true;
      buildSet.frozen.delete(model.name);
      swapped.push(modelBuild);
    }
    const others = buildSet.builds.filter(({ fold }) => fold.model !== model);
    buildSet.builds = [...others, ...kept];
  }
  if (hasFirstLane(parts.lanes)) buildSet.retired = leftIn(states, buildSet, models);
  return swapped;
}

/** What is to be removed: of the models what nobody folds or reads any more, and of the runner's own documents what was before. */
function leftIn(
  states: readonly BuildState[],
  { builds, frozen, retired }: BuildSet,
  models: readonly ReadModel[],
): Build[] {
  const isModels = ({ collection }: Build) => models.some(({ name }) => name === collection);
  const used = [...builds.map(({ fold }) => fold.build), ...[...frozen.values()].map(({ build }) => build)];
  const left = states
    .filter(({ build, state }) => state !== 'active' && isModels(build))
    .map(({ build }) => build)
    .filter((build) => !used.some((one) => isSame(one, build)));
  return [...retired.filter((build) => !isModels(build)), ...left];
}

function isSame(a: Build, b: Build): boolean {
  return a.collection === b.collection && a.number === b.number;
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

/** What a build's events are folded with. */
export type BuildParts = {
  readonly store: ReadStore;
  readonly books: Bookkeeping;
  readonly limits: RunnerLimits;
  readonly lanes: Lanes;
};

/** A new, empty build of a model. */
export async function beginBuild(parts: BuildParts, model: ReadModel, bulk: boolean): Promise<ModelBuild> {
  const { name, version, indexes } = model;
  const build = await parts.store.begin(
    { name, version, indexes },
    { bulk, writesOnce: model.writesOnce === true },
  );
  return modelBuildFor(parts, model, build, {
    isActive: false,
    checkpoint: checkpointStart,
    wasAttempted: () => false,
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
  parts: BuildParts,
  model: ReadModel,
  { build, state, checkpoint }: BuildState,
): Promise<ModelBuild> {
  const { store, books, lanes } = parts;
  const anchored = store.withoutTransactions === true ? await books.anchored(build) : () => false;
  return modelBuildFor(parts, model, build, {
    isActive: state === 'active',
    checkpoint,
    wasAttempted: ({ position, stream }) => anchored(position, () => laneIn(model, stream, lanes.of)),
    isFresh: false,
  });
}

type BuildProgress = {
  readonly isActive: boolean;
  readonly checkpoint: Checkpoint;
  /** Whether an event was in a batch that was to be written. */
  readonly wasAttempted: WasAttempted;
  readonly isFresh: boolean;
};

async function modelBuildFor(
  { store, limits, lanes }: BuildParts,
  model: ReadModel,
  build: Build,
  { isActive, checkpoint, wasAttempted, isFresh }: BuildProgress,
): Promise<ModelBuild> {
  const has = laneFilter(model, lanes);
  const stored = isFresh ? [] : await readParked(store, build);
  const own = stored.filter(({ stream }) => has(laneOf(stream, lanes.of)));
  const parking = createParking(own, checkpoint, wasAttempted);
  const { isParked } = parking;
  const documents =
    model.writesOnce === true
      ? createWriteOnceDocuments()
      : createDocuments(store, build, { cached: limits.documentsCached, isFresh, isParked });
  const modelBuild = createModelBuild(
    createFold(model, build, documents, parking, { tries: limits.tries, lanes }),
    isActive,
    checkpoint,
  );
  modelBuild.isHalted = parking.count() >= limits.parked;
  return modelBuild;
}
