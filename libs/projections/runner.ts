import {
  hasAllLanes,
  hasFirstLane,
  comparePositions,
  createRunLoop,
  LodeError,
  logStart,
  oneLane,
  plainFailure,
  systemClock,
  systemRandom,
  systemTimers,
  type Clock,
  type ErrorCode,
  type Failing,
  type Lanes,
  type Pause,
  type Position,
  type Random,
  type RunLoop,
  type Timers,
  type Tracer,
} from '#kernel';
import { buildName, checkpointStart, damageIn, leastOf, type Damage, type ReadStore } from '#read-store';

import {
  beginBuild,
  emptyBuildSet,
  followBuilds,
  loadBuilds,
  strayBuilds,
  type BuildSet,
} from './build-set.js';
import type { DocumentChange } from './delivery.js';
import { UnsureFold } from './fold.js';
import { modelHealth, type BuildHealth, type RunnerHealth } from './health.js';
import { readGroupsOf } from './read-groups.js';
import { runnerLimits, type RunnerLimits } from './limits.js';
import { noteWaiting, type ModelBuild } from './model-build.js';
import { chosen, isHeld, readTaken, type ParkedEvent, type ParkedQuery } from './parking.js';
import { mendDocuments, type Mended } from './mending.js';
import type { Opening } from './personal-data.js';
import { createPositionGate, type PositionGate } from './position-gate.js';
import type { ReadModel } from './read-model.js';
import { alignParking, discardParked, ownTaken, replayStream, type Replayed } from './replay.js';
import { activateReady, advanceGroup, discardSome, recoverFromCrash, type Running } from './steps.js';
import { createTasks, type Tasks } from './tasks.js';
import type { RunnerContext, FoldedLog } from './runner-context.js';
import type { TracedBatch } from './traced.js';

/** What the runner tells; plain data, so that it can cross a thread. */
export type RunnerReport =
  /**
   * All active models stand at `position` now, and, where others fold lanes, each lane at one of its own; `changes` are the
   * documents that this write changed.
   */
  | {
      readonly type: 'advanced';
      readonly position: Position;
      readonly lanes?: readonly Position[];
      readonly changes: readonly DocumentChange[];
    }
  /** Queries read another build from now on: whatever was fetched of the collection before is to be fetched again. */
  | { readonly type: 'activated'; readonly collection: string; readonly version: number }
  /** A model holds this many parked and waiting events now; `error` is why one of them was parked last. */
  | {
      readonly type: 'parked';
      readonly model: string;
      readonly version: number;
      readonly parked: number;
      readonly error?: string;
    }
  /** Nobody knows which documents of a build have an event that can't be folded any more: the model is built anew. */
  | { readonly type: 'unsure'; readonly model: string; readonly version: number; readonly message: string }
  /** Documents of a model are not what was written; without ids an index. `mended` is what was done about it. */
  | {
      readonly type: 'damaged';
      readonly model: string;
      readonly version: number;
      readonly documents: readonly string[];
      readonly mended: Mended;
    }
  | {
      readonly type: 'failing';
      readonly code: ErrorCode;
      readonly message: string;
      readonly attempts: number;
    }
  | { readonly type: 'recovered' };

/** With the step before every model; see `openPersonalData` and `openingWith`. */
export type RunnerOptions = Opening & {
  readonly log: FoldedLog;
  readonly store: ReadStore;
  readonly models: readonly ReadModel[];
  /** Those whose events it folds; the store was opened to write them. All of one when it is left out. */
  readonly lanes?: Lanes;
  /** Called in order; it must not throw. */
  readonly report?: (report: RunnerReport) => void;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly timers?: Timers;
  /** Left out where nobody traces what becomes of commands. */
  readonly tracer?: Tracer | undefined;
  readonly limits?: Partial<RunnerLimits>;
  /** As the context has it; any build, when left out. */
  readonly mayActivate?: RunnerContext['mayActivate'];
  /** Nobody waits for the live models meanwhile, so that the indexes of a rebuild are made at its end, which is sooner. */
  readonly isAlone?: boolean;
};

export type ProjectionRunner = {
  /**
   * Begins to run. It goes on until `stop`; failures are reported, shown by `health`, and tried again. That the store has
   * builds which diverged from the log is one of them (`storage_failed`): nothing is folded then.
   */
  readonly start: () => void;
  /** The log may have grown. */
  readonly wake: () => void;
  /** Finishes the batch under way. The stores are the caller's to close. */
  readonly stop: () => Promise<void>;
  readonly health: () => RunnerHealth;
  /** The builds that it keeps; none until the store has been looked at. */
  readonly builds: () => readonly BuildHealth[];
  /** True once all active models have reached the position; false after `timeoutMs`. */
  readonly waitFor: (position: Position, timeoutMs: number) => Promise<boolean>;
  /**
   * Builds a model beside the one that is read, and swaps when it has caught up (reported as `activated`). Resolves once
   * the build has begun; does nothing when one is under way. One that has halted is replaced: it would never catch up.
   * `route_not_found` for a model that there is not.
   */
  readonly rebuild: (model: string) => Promise<void>;
  /**
   * Ends the building of a model beside the one that is read, for good: no later start goes on with it. False when none
   * was under way. Errors as `rebuild`, and `validation_failed` while there is no other build to be read.
   */
  readonly cancelRebuild: (model: string) => Promise<boolean>;
  /** A query met damaged documents, which are made again, or an index. Does nothing where that is done. */
  readonly mend: (damage: Damage) => Promise<void>;
  /** The streams that a model has parked events of. Errors as `rebuild`, and `unavailable` while a build of an earlier version is read. */
  readonly parkedStreams: (model: string) => Promise<readonly string[]>;
  /** Parked events of a model, those that wait behind them, and discarded ones, in log order. Errors as `parkedStreams`. */
  readonly parked: (model: string, asked: ParkedQuery) => Promise<readonly ParkedEvent[]>;
  /** Leaves out a parked event; see `discardParked`. Errors as `parkedStreams`. */
  readonly discardParked: (model: string, eventId: string) => Promise<Replayed | undefined>;
  /**
   * Overwrites what read models have had of a stream, which the log says at `position` to be forgotten. Throws
   * `unavailable` while a build, a parked event or a reader still has it: then it is to be repeated.
   */
  readonly overwrite: (position: Position, stream: string) => Promise<void>;
  /** Folds the parked events of a stream again, in order; see `replayStream`. Errors as `parkedStreams`. */
  readonly replayParked: (model: string, stream: string) => Promise<Replayed>;
};

/** A runner: what it works with, and how it stands. */
type Runner = {
  readonly options: RunnerOptions;
  readonly limits: RunnerLimits;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly report: (report: RunnerReport) => void;
  readonly gate: PositionGate;
  readonly tasks: Tasks<Running>;
  readonly isStopping: () => boolean;
  buildSet: BuildSet;
  /** Undefined until the store has been looked at. */
  running: Running | undefined;
};

/**
 * Keeps read models true to the log: pulls pages after the checkpoint, folds them, writes documents and checkpoint
 * together. Models at the same position read the log together; one behind catches up by itself in between.
 */
export function createProjectionRunner(options: RunnerOptions): ProjectionRunner {
  const { report = () => {}, clock = systemClock, timers = systemTimers } = options;
  const limits: RunnerLimits = { ...runnerLimits, ...options.limits };
  const loop: RunLoop = createRunLoop({
    turn: () => turnOrMend(runner),
    onFailing: ({ code, message, attempts }) => {
      noteAllWaiting(runner);
      report({ type: 'failing', code, message, attempts });
    },
    onRecovered: () => report({ type: 'recovered' }),
    onStopped: () => finish(runner),
    retry: { firstMs: limits.backOffFirstMs, lastMs: limits.backOffLastMs, jitter: 0.5 },
    clock,
    timers,
    random: options.random ?? systemRandom,
  });
  const { isStopping, wake } = loop;
  const gate = createPositionGate(timers, limits.waiters);
  const tasks = createTasks<Running>({ waitingMax: limits.jobs, isStopping, onAsked: wake });
  const state = { buildSet: emptyBuildSet(), running: undefined };
  const overwritten = new Set<string>();
  const runner: Runner = { options, limits, clock, timers, report, gate, tasks, isStopping, ...state };

  return {
    start: loop.start,
    wake: () => {
      noteAllWaiting(runner);
      wake();
    },
    stop: loop.stop,
    health: () => healthOf(runner, loop.failing()),
    builds: () =>
      runner.buildSet.builds.map(({ fold: { model, parking }, isActive, isHalted }) => ({
        model: model.name,
        isActive,
        isHalted,
        parked: parking.count(),
      })),
    waitFor: gate.waitFor,
    rebuild: (name) => tasks.ask((running) => beginRebuild(running, options, name)),
    cancelRebuild: (name) => tasks.ask((running) => cancelRebuild(running, name)),
    mend: (damage) => tasks.ask((running) => mend(runner, running, damage, false).then(() => undefined)),
    parkedStreams: (name) =>
      tasks.ask(async (running) => {
        const parked = await takenBy(running, name);
        return [...new Set(parked.filter(isHeld).map(({ stream }) => stream))];
      }),
    parked: (name, asked) => tasks.ask(async (running) => chosen(await takenBy(running, name), asked)),
    discardParked: (name, eventId) =>
      tasks.ask(({ context, buildSet }) => discardParked(context, activeBuildOf(buildSet, name), eventId)),
    overwrite: async (position, stream) => {
      // Whoever erases asks, and the reactor that would finish it asks again: nothing of the stream comes in between.
      if (overwritten.has(stream)) return;
      await tasks.ask((running) => overwrite(running, position, stream));
      if (overwritten.size >= OVERWRITTEN_MAX) overwritten.clear();
      overwritten.add(stream);
    },
    replayParked: (name, stream) =>
      tasks.ask(({ context, buildSet }) => replayStream(context, activeBuildOf(buildSet, name), stream)),
  };
}

/**
 * A turn, after which what it met of damage is mended; a build that can't be gone on with stands still from then on, and
 * another is begun in the next turn.
 */
async function turnOrMend(runner: Runner): Promise<Pause> {
  try {
    return await turn(runner);
  } catch (error) {
    const damage = damageIn(error);
    if (damage !== undefined && (await mend(runner, runner.running, damage, true)))
      return { until: 'yielded' };
    if (!(error instanceof UnsureFold)) throw error;
    const unsure = runner.buildSet.builds.find(({ fold }) => fold.build === error.build);
    if (unsure === undefined) throw error;
    unsure.isUnsure = true;
    unsure.isHalted = true;
    const { collection, version } = error.build;
    runner.report({ type: 'unsure', model: collection, version, message: error.message });
    return { until: 'yielded' };
  }
}

/** True when the damage was in one of the builds that the runner keeps. */
async function mend(
  { buildSet, report }: Runner,
  running: Running | undefined,
  { build, ids }: Damage,
  folding: boolean,
): Promise<boolean> {
  const damaged = buildSet.builds.find(({ fold }) => buildName(fold.build) === build);
  if (running === undefined || damaged === undefined) return false;
  const mended = await mendDocuments(running.context, damaged, { ids }, folding);
  const { collection: model, version } = damaged.fold.build;
  if (mended !== undefined) report({ type: 'damaged', model, version, documents: ids, mended });
  return true;
}

/**
 * One turn of a runner: bounded work, so that live models never wait for more than one batch of anything else. When it
 * throws, an engine failed, and nothing is lost by trying it again.
 */
async function turn(runner: Runner): Promise<Pause> {
  const { clock, limits, tasks } = runner;
  const idle: Pause = { until: 'woken', ms: limits.pollMs };
  const busy: Pause = { until: 'yielded' };

  // 1. The builds that the store has, with one begun for each model that has none of its version.
  const running = (runner.running ??= await open(runner));
  const { context, buildSet } = running;

  // 2. What the writers of other lanes did to builds, and what was asked for from outside.
  await followOthers(runner, running);
  await tasks.doAll(running);
  for (const modelBuild of buildSet.builds) {
    if (modelBuild.isParkingUnsure) await alignParking(context, modelBuild);
    if ((modelBuild.isUnsure || modelBuild.isDamaged) && !isReplaced(buildSet, modelBuild))
      await beginRebuild(running, runner.options, modelBuild.fold.model.name);
  }
  const began = clock();

  // 3. Crash recovery: after a death in the middle of a batch its events go first, in small parts.
  const crashed = buildSet.builds.find((modelBuild) => modelBuild.toRecover > 0 && !modelBuild.isHalted);
  if (crashed !== undefined) {
    await recoverFromCrash(context, crashed);
    return busy;
  }

  // 4. A batch for the builds that are furthest ahead.
  const [front] = readGroupsOf(buildSet.builds);
  if (front === undefined) return idle;
  const { events, atHead } = await advanceGroup(running, front, undefined);
  running.isFarBehind = !atHead;

  // 5. What has caught up with them, or with the log, is what queries read from now on.
  await activateReady(running, front, atHead);

  // 6. A batch for the builds that are furthest behind, or else some of the removal of an old build.
  const groups = readGroupsOf(buildSet.builds);
  const [next, back] = [groups.at(-2), groups.at(-1)];
  if (next !== undefined && back !== undefined) {
    await advanceGroup(running, back, next.checkpoint.position);
    return busy;
  }
  if ((await discardSome(running)) || !atHead) return busy;

  // 7. At the end of the log it waits for the next events, or lets a few gather where they come fast.
  if (events === 0) return idle;
  const now = clock();
  const isFast = isAtRate(limits.gatherFrom, events, now - running.wroteAt);
  running.wroteAt = now;
  if (!isFast) return idle;
  const ms = gatherFor(now - began, limits);
  return ms === 0 ? busy : { until: 'stopped', ms };
}

/** Looks at the store, and says how far its models have come. */
async function open(runner: Runner): Promise<Running> {
  const { options, limits, clock, timers, report, gate, isStopping } = runner;
  const { log, store, models, lanes = oneLane, isAlone = false } = options;
  const { buildSet, books } = await loadBuilds({ log, store, models, limits, lanes, isAlone });
  runner.buildSet = buildSet;
  const position = activePosition(models, buildSet);
  gate.reached(position);
  // What was folded before this start is there for queries, though nothing may be written for long.
  if (position !== logStart) report({ type: 'advanced', position, changes: [] });
  // Whoever died may have changed documents by a replay or a mend and not come to say so.
  if (books.diedWith > 0) await store.write([books.amended()]);
  const context: RunnerContext = {
    log,
    store,
    books,
    open: options.open,
    prepare: options.prepare ?? (async () => {}),
    clock,
    limits,
    lanes,
    yieldToEventLoop: timers.yieldNow,
    isStopping,
    mayActivate: options.mayActivate ?? (async () => true),
    wrote: (builds, changes, batch) => wrote(runner, builds, changes, batch),
    tracer: options.tracer,
  };
  const activated = (modelBuild: ModelBuild) => {
    const { collection, version } = modelBuild.fold.build;
    report({ type: 'activated', collection, version });
    context.wrote([modelBuild], []);
  };
  return {
    context,
    buildSet,
    isFarBehind: true,
    followedAt: clock(),
    wroteAt: Number.NEGATIVE_INFINITY,
    activated,
  };
}

/** Looks what became of builds, once a second, where others write lanes of theirs. */
async function followOthers({ options: { models }, clock }: Runner, running: Running): Promise<void> {
  const { context, buildSet } = running;
  const { lanes, limits } = context;
  if (hasAllLanes(lanes) || Math.abs(clock() - running.followedAt) < limits.followMs) return;
  running.followedAt = clock();
  for (const modelBuild of await followBuilds(context, buildSet, models)) running.activated(modelBuild);
}

/** Told after each write which documents of active builds it changed. */
function wrote(
  runner: Runner,
  builds: readonly ModelBuild[],
  changes: readonly DocumentChange[],
  batch: TracedBatch | undefined,
): void {
  const { options, limits, clock, report, gate, buildSet } = runner;
  for (const modelBuild of builds) noteParked(modelBuild, limits, clock(), report);
  if (!builds.some(({ isActive }) => isActive)) return;
  const position = activePosition(options.models, buildSet);
  gate.reached(position);
  // One that is behind comes to what the others had long ago.
  if (activeOf(builds) === activeOf(buildSet.builds)) batch?.record();
  report({ type: 'advanced', position, changes: batch?.withCauses(changes) ?? changes });
}

function activeOf(builds: readonly ModelBuild[]): number {
  return builds.filter(({ isActive }) => isActive).length;
}

async function finish({ running, gate, tasks }: Runner): Promise<void> {
  // When this can't be written the next start takes its first events one at a time, which is slow and right.
  await running?.context.books.stopped().catch(() => {});
  gate.close();
  tasks.refuseAll();
}

function noteAllWaiting({ buildSet, clock }: Runner): void {
  for (const modelBuild of buildSet.builds) noteWaiting(modelBuild, clock(), clock());
}

function healthOf({ options, buildSet, clock, limits }: Runner, failing: Failing | undefined): RunnerHealth {
  const state = {
    failingSince: failing?.since,
    furthest: Math.max(0, ...buildSet.builds.map(({ checkpoint }) => checkpoint.ordinal)),
    now: clock(),
    stalledAfterMs: limits.stalledAfterMs,
  };
  const models = options.models.map((model) => {
    const builds = buildSet.builds.filter(({ fold }) => fold.model === model);
    return modelHealth(model, builds, buildSet.frozen.get(model.name), state);
  });
  if (failing === undefined) return { models };
  const { code, message, attempts } = failing;
  return { models, failing: { code, message, attempts } };
}

/** The build of a model that queries read; `unavailable` while that is one of an earlier version, to which nothing is done. */
function activeBuildOf(buildSet: BuildSet, name: string): ModelBuild {
  const modelBuild = buildSet.builds.find(({ isActive, fold }) => isActive && fold.model.name === name);
  if (modelBuild !== undefined) return modelBuild;
  if (!buildSet.frozen.has(name)) throw noModel(name);
  throw plainFailure('unavailable', `${name} is read as an earlier version made it, until it is built anew.`);
}

/** Streams that are remembered as overwritten. One more, and they are overwritten once more when that is asked for. */
const OVERWRITTEN_MAX = 10_000;

async function overwrite(
  { context: { store }, buildSet }: Running,
  position: Position,
  stream: string,
): Promise<void> {
  const { builds, frozen, retired } = buildSet;
  const stands = [...builds, ...frozen.values()].map(({ checkpoint }) => checkpoint.position);
  if (retired.length > 0 || stands.some((stand) => comparePositions(stand, position) < 0))
    throw plainFailure('unavailable', 'A build of a read model still has what is to be forgotten.');
  for (const { fold, checkpoint } of builds) {
    const taken = await readTaken(store, fold.build, checkpoint, stream);
    if (taken.some(isHeld))
      throw plainFailure('unavailable', `${fold.model.name} has parked events of what is to be forgotten.`);
  }
  await store.overwrite?.();
}

/** The events that queries of a model miss. */
function takenBy({ context, buildSet }: Running, name: string): Promise<readonly ParkedEvent[]> {
  return ownTaken(context, activeBuildOf(buildSet, name));
}

function noModel(name: string): LodeError {
  return new LodeError('route_not_found', `There is no read model ${name}.`);
}

async function beginRebuild(
  { context, buildSet }: Running,
  { models, isAlone = false }: RunnerOptions,
  name: string,
): Promise<void> {
  const model = models.find((one) => one.name === name);
  if (model === undefined) throw noModel(name);
  // Refuses who has been replaced, and so can't say that it is done.
  await context.store.builds();
  const beside = buildSet.builds.filter(({ isActive, fold }) => !isActive && fold.model === model);
  if (beside.some(({ isHalted }) => !isHalted)) return;
  const { lanes, store } = context;
  // Where others write lanes, one that nobody here knows may be theirs.
  const strays = hasAllLanes(lanes) ? await strayBuilds(store, buildSet, model) : [];
  const begun = await beginBuild(context, model, isAlone);
  const over = [...strays, ...beside.map(({ fold }) => fold.build)];
  if (hasFirstLane(lanes)) buildSet.retired.push(...over);
  else for (const build of over) await store.retire(build);
  buildSet.builds = [...buildSet.builds.filter((one) => !beside.includes(one)), begun];
}

/**
 * True when a build beside an unsure one is to take its place. One that has stopped with too many parked events is not begun
 * again by itself: it would only stop again.
 */
function isReplaced({ builds }: BuildSet, { fold }: ModelBuild): boolean {
  return builds.some((one) => one.fold.model === fold.model && !one.isActive && !one.isUnsure);
}

async function cancelRebuild({ context, buildSet }: Running, name: string): Promise<boolean> {
  await context.store.builds();
  const own = buildSet.builds.filter(({ fold }) => fold.model.name === name);
  if (own.length === 0) throw noModel(name);
  const beside = own.filter(({ isActive }) => !isActive);
  if (beside.length === own.length)
    throw new LodeError('validation_failed', `There is no other build of ${name} that could be read.`);
  for (const modelBuild of beside) {
    const { build } = modelBuild.fold;
    await context.store.retire(build);
    if (hasFirstLane(context.lanes)) buildSet.retired.push(build);
    buildSet.builds = buildSet.builds.filter((one) => one !== modelBuild);
  }
  return beside.length > 0;
}

/** Where every model that queries read has got to; the log's start while one cannot be read yet. */
function activePosition(models: readonly ReadModel[], buildSet: BuildSet): Position {
  const [first, ...others] = models.map(
    (model) =>
      buildSet.frozen.get(model.name)?.checkpoint ??
      buildSet.builds.find(({ isActive, fold }) => isActive && fold.model === model)?.checkpoint ??
      checkpointStart,
  );
  return first === undefined ? logStart : leastOf([first, ...others]).position;
}

function noteParked(
  modelBuild: ModelBuild,
  limits: RunnerLimits,
  now: number,
  report: (report: RunnerReport) => void,
): void {
  const { build, model, parking } = modelBuild.fold;
  const parked = parking.count();
  if (parked !== modelBuild.parkedReported) {
    modelBuild.parkedReported = parked;
    const error = parking.lastError();
    report({
      type: 'parked',
      model: model.name,
      version: build.version,
      parked,
      ...(error === undefined ? {} : { error }),
    });
  }
  modelBuild.isHalted = modelBuild.isUnsure || parked >= limits.parked;
  if (modelBuild.isHalted) noteWaiting(modelBuild, now, now);
}

/** Whether so many events in so many milliseconds are `perSecond` or more. By a clock that was set back they are. */
function isAtRate(perSecond: number, events: number, ms: number): boolean {
  return (events * 1_000) / Math.max(0, ms) >= perSecond;
}

/** Milliseconds to wait after a batch that took so long (by the clock, which may have been set back). */
function gatherFor(took: number, { gatherMs, gatherMostMs }: RunnerLimits): number {
  return Math.max(gatherMs, Math.min(took, gatherMostMs));
}
