import { hasAllLanes, hasFirstLane, comparePositions, isEngineError, type Position } from '#kernel';
import type { BuildState, Checkpoint } from '#read-store';
import { advanceSingly, advanceTogether, type Advanced } from './advance.js';
import { discardBuild } from './bookkeeping.js';
import type { BuildSet } from './build-set.js';
import { budgetFor, type ReadGroup } from './read-groups.js';
import type { Budget } from './limits.js';
import type { ModelBuild } from './model-build.js';
import type { RunnerContext } from './runner-context.js';

/** A runner at work: what it works with, what it keeps, and how far behind it last found itself. */
export type Running = {
  readonly context: RunnerContext;
  readonly buildSet: BuildSet;
  isFarBehind: boolean;
  /** When it last looked what the writers of other lanes did, by the clock. */
  followedAt: number;
  /** When it last wrote up to the end of the log, by the clock. */
  wroteAt: number;
  /** Told when queries read another build. */
  readonly activated: (modelBuild: ModelBuild) => void;
};

/**
 * Crash recovery, after a death in the middle of a batch: its events a part at a time, and those of a part in whose
 * middle it died again one at a time. Each is marked in the store before it is handled, so that a poison event is known
 * the next time.
 */
export async function recoverFromCrash(context: RunnerContext, modelBuild: ModelBuild): Promise<void> {
  const { recovery } = context.limits;
  const { fold, checkpoint, suspected } = modelBuild;
  const { position } = checkpoint;
  await context.books.running(recovery.events);
  const isKnown = suspected.some((mark) => {
    const at = comparePositions(mark.position, position);
    return mark.events === 1 ? at > 0 : at >= 0;
  });
  if (!isKnown) await context.books.mark(fold.build, { position, events: recovery.events, attempts: 1 });
  const { events, atHead } = isKnown
    ? await advanceSingly(context, modelBuild, recovery.events, true)
    : await advanceOrPark(context, [modelBuild], checkpoint, recovery, undefined);
  // Alone, it is never further behind than where it marked something.
  if (context.lanes.of > 1) await context.books.unmark(fold.build);
  modelBuild.toRecover = atHead ? 0 : modelBuild.toRecover - events;
}

/** One batch for the builds of a group, not past `upTo`. */
export async function advanceGroup(
  running: Running,
  group: ReadGroup,
  upTo: Position | undefined,
): Promise<Advanced> {
  const { context, buildSet, isFarBehind } = running;
  const budget = budgetFor(group, buildSet.builds, isFarBehind, context.limits);
  await context.books.running(budget.events);
  return advanceOrPark(context, group.builds, group.checkpoint, budget, upTo);
}

/** As `advanceTogether`; when what a model made can't be written, one event at a time finds the one to park. */
async function advanceOrPark(
  context: RunnerContext,
  builds: readonly ModelBuild[],
  from: Checkpoint,
  budget: Budget,
  upTo: Position | undefined,
): Promise<Advanced> {
  try {
    return await advanceTogether(context, builds, from, budget, upTo);
  } catch (error) {
    if (isEngineError(error)) throw error;
    let events = 0;
    for (const modelBuild of builds) {
      const alone = await advanceSingly(context, modelBuild, budget.events, false);
      events = Math.max(events, alone.events);
    }
    return { events, atHead: false };
  }
}

/** Swaps in what has caught up: with the end of the log, or with a build that queries read already. */
export async function activateReady(running: Running, front: ReadGroup, atHead: boolean): Promise<void> {
  const isServed = front.builds.some(({ isActive }) => isActive);
  if (!atHead && !isServed) return;
  const { buildSet, context } = running;
  const ready = front.builds.filter(({ isActive }) => !isActive);
  // Whoever has the first lane swaps, for all.
  if (ready.length === 0 || !hasFirstLane(context.lanes)) return;
  const isShared = !hasAllLanes(context.lanes);
  const states = isShared ? await context.store.builds() : [];
  for (const modelBuild of ready) {
    if (isShared && !areOthersReady(states, modelBuild)) continue;
    const { model, build } = modelBuild.fold;
    const others = buildSet.builds.filter((one) => one !== modelBuild && one.fold.model === model);
    // In the place of one of the same version it is read as that was.
    if (!others.some(({ isActive }) => isActive) && !(await context.mayActivate(build))) continue;
    await context.store.activate(build);
    buildSet.retired.push(...others.map(({ fold }) => fold.build));
    buildSet.builds = buildSet.builds.filter((one) => !others.includes(one));
    const frozen = buildSet.frozen.get(model.name);
    if (frozen !== undefined) buildSet.retired.push(frozen.build);
    buildSet.frozen.delete(model.name);
    modelBuild.isActive = true;
    running.activated(modelBuild);
  }
}

/** Whether the writers of other lanes have brought a build as far as what is read of them, or else to where it was first ready here. */
function areOthersReady(states: readonly BuildState[], modelBuild: ModelBuild): boolean {
  const { collection, number, version } = modelBuild.fold.build;
  const readyAt = (modelBuild.readyAt ??= modelBuild.checkpoint.position);
  const alike = states.filter(({ build }) => build.collection === collection);
  const own = alike.find(({ build }) => build.number === number);
  const read = alike.find(({ build, state }) => state === 'active' && build.version === version);
  return (own?.lanes ?? []).every(
    ({ position }, lane) => comparePositions(position, read?.lanes?.[lane]?.position ?? readyAt) >= 0,
  );
}

/** Removes some of what is no longer read; true while there may be more. */
export async function discardSome({ context, buildSet }: Running): Promise<boolean> {
  const [build, ...others] = buildSet.retired;
  if (build === undefined) return false;
  if (!(await discardBuild(context.store, context.books, build))) return true;
  buildSet.retired = others;
  return others.length > 0;
}
