import { checkpointStart, type Build, type BuildState, type Checkpoint, type ReadStore } from '#read-store';
import { isOf, openBookkeeping, type Bookkeeping } from './bookkeeping.js';
import { createDocuments, createWriteOnceDocuments } from './documents.js';
import { createFold } from './fold.js';
import type { Frozen } from './health.js';
import type { RunnerLimits } from './limits.js';
import { createMember, type Member } from './member.js';
import { createParking, readParked } from './parking.js';
import type { ReadModel } from './read-model.js';
import { refuseStrayed } from './strayed.js';
import type { Log } from './works.js';

/** All builds that a runner keeps, and those that wait to be removed. */
export type Crew = {
  members: Member[];
  retired: Build[];
  /** By model: what queries read while the first build of a new version is made. */
  readonly frozen: Map<string, Frozen>;
};

/** A runner's builds before it has looked. */
export function emptyCrew(): Crew {
  return { members: [], retired: [], frozen: new Map() };
}

/**
 * What is in the store for the given models, with a build begun for each that has none of its version. Refuses a store
 * with builds that have strayed from the log; see `refuseStrayed`.
 */
export async function assemble(
  log: Log,
  store: ReadStore,
  models: readonly ReadModel[],
  limits: RunnerLimits,
): Promise<{ readonly crew: Crew; readonly books: Bookkeeping }> {
  await refuseStrayed(log, store, models);
  await retireOutdated(store, models);
  const states = await store.builds();
  const books = await openBookkeeping(store, states);
  const crew = emptyCrew();
  const isBulk = !models.some((model) =>
    states.some((one) => one.state === 'active' && isBuildOf(one, model)),
  );
  for (const model of models) {
    const own = states.filter(({ build }) => build.collection === model.name);
    const active = own.find(({ state }) => state === 'active');
    const building = own.findLast((one) => one.state === 'building' && isOf(one, model));
    const isServed = active !== undefined && isOf(active, model);
    if (active !== undefined && isServed) crew.members.push(await memberOf(store, model, active, limits));
    if (active !== undefined && !isServed)
      crew.frozen.set(model.name, { build: active.build, checkpoint: active.checkpoint });
    if (building !== undefined) crew.members.push(await memberOf(store, model, building, limits));
    else if (!isServed) crew.members.push(await beginBuild(store, model, limits, isBulk));
    crew.retired.push(...own.filter((one) => one !== active && one !== building).map(({ build }) => build));
  }
  for (const member of crew.members) {
    member.suspect = await books.marked(member.fold.build);
    member.careful = books.diedWith;
  }
  return { crew, books };
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
): Promise<Member> {
  const { name, version, indexes } = model;
  const build = await store.begin(
    { name, version, indexes },
    { bulk, writesOnce: model.writesOnce === true },
  );
  return memberFor(store, model, build, limits, {
    isActive: false,
    checkpoint: checkpointStart,
    isFresh: true,
  });
}

function memberOf(
  store: ReadStore,
  model: ReadModel,
  { build, state, checkpoint }: BuildState,
  limits: RunnerLimits,
): Promise<Member> {
  return memberFor(store, model, build, limits, { isActive: state === 'active', checkpoint, isFresh: false });
}

type Standing = { readonly isActive: boolean; readonly checkpoint: Checkpoint; readonly isFresh: boolean };

async function memberFor(
  store: ReadStore,
  model: ReadModel,
  build: Build,
  limits: RunnerLimits,
  { isActive, checkpoint, isFresh }: Standing,
): Promise<Member> {
  const documents =
    model.writesOnce === true
      ? createWriteOnceDocuments()
      : createDocuments(store, build, { cached: limits.documentsCached, isFresh });
  const parking = createParking(isFresh ? [] : await readParked(store, build));
  const member = createMember(
    createFold(model, build, documents, parking, limits.tries),
    isActive,
    checkpoint,
  );
  member.isHalted = parking.count() >= limits.parked;
  return member;
}
