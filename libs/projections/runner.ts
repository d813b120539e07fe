import { setImmediate } from 'node:timers/promises';
import {
  createSignal,
  LodeError,
  logStart,
  systemClock,
  systemRandom,
  systemTimers,
  serializeError,
  type Clock,
  type ErrorCode,
  type Position,
  type Random,
  type Timers,
} from '#kernel';
import { checkpointStart, type ReadStore } from '#read-store';

import { assemble, beginBuild, emptyCrew, type Crew } from './crew.js';
import { modelHealth, type RunnerHealth } from './health.js';
import { leastOf } from './lanes.js';
import { runnerLimits, type RunnerLimits } from './limits.js';
import { noteWaiting, type Member } from './member.js';
import { readParked } from './parking.js';
import type { OpenEvent } from './personal-data.js';
import { createPositionGate } from './position-gate.js';
import type { ReadModel } from './read-model.js';
import { replayStream, type Replayed } from './replay.js';
import { step, type Running } from './steps.js';
import type { DocumentChange, Log, Works } from './works.js';

/** What the runner tells; plain data, so that it can cross a thread. */
export type RunnerReport =
  /** All active models stand at `position` now; `changes` are the documents that this write changed. */
  | { readonly type: 'advanced'; readonly position: Position; readonly changes: readonly DocumentChange[] }
  /** Queries read another build from now on: whatever was fetched of the collection before is to be fetched again. */
  | { readonly type: 'activated'; readonly collection: string; readonly version: number }
  /** A model holds this many parked and waiting events now. */
  | { readonly type: 'parked'; readonly model: string; readonly version: number; readonly parked: number }
  | {
      readonly type: 'failing';
      readonly code: ErrorCode;
      readonly message: string;
      readonly attempts: number;
    }
  | { readonly type: 'recovered' };

export type RunnerOptions = {
  readonly log: Log;
  readonly store: ReadStore;
  readonly models: readonly ReadModel[];
  /** The step before every model; see `openPersonalData`. */
  readonly open: OpenEvent;
  /** Called in order; it must not throw. */
  readonly report?: (report: RunnerReport) => void;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly timers?: Timers;
  readonly limits?: Partial<RunnerLimits>;
};

export type ProjectionRunner = {
  /**
   * Begins to run. It goes on until `stop`; failures are reported, shown by `health`, and tried again. That the store has
   * builds which strayed from the log is one of them (`storage_failed`): nothing is folded then.
   */
  readonly start: () => void;
  /** The log may have grown. */
  readonly wake: () => void;
  /** Finishes the batch under way. The stores are the caller's to close. */
  readonly stop: () => Promise<void>;
  readonly health: () => RunnerHealth;
  /** True once all active models have reached the position; false after `timeoutMs`. */
  readonly waitFor: (position: Position, timeoutMs: number) => Promise<boolean>;
  /**
   * Builds a model beside the one that is read, and swaps when it has caught up (reported as `activated`). Resolves once
   * the build has begun; does nothing when one is under way. `validation_failed` for a model that there is not.
   */
  readonly rebuild: (model: string) => Promise<void>;
  /** The streams that a model has parked events of. Errors as `rebuild`. */
  readonly parkedStreams: (model: string) => Promise<readonly string[]>;
  /** Folds the parked events of a stream again, in order; see `replayStream`. Errors as `rebuild`. */
  readonly replayParked: (model: string, stream: string) => Promise<Replayed>;
};

/** Something asked of the runner from outside, done between two steps. */
type Job = { readonly run: (running: Running) => Promise<void>; readonly refuse: (error: unknown) => void };

/**
 * Keeps read models true to the log: pulls pages after the checkpoint, folds them, writes documents and checkpoint
 * together. Models at the same position read the log together; one behind catches up by itself in between.
 */
export function createProjectionRunner(options: RunnerOptions): ProjectionRunner {
  const { store, models, report = () => {}, clock = systemClock, timers = systemTimers } = options;
  const limits: RunnerLimits = { ...runnerLimits, ...options.limits };
  const gate = createPositionGate(timers, limits.waiters);
  const signal = createSignal(timers);
  const jobs: Job[] = [];
  let crew: Crew = emptyCrew();
  let failing: (NonNullable<RunnerHealth['failing']> & { readonly since: number }) | undefined;
  let isStopping = false;
  let ended: Promise<void> | undefined;

  const prepare = async (): Promise<Running> => {
    const assembled = await assemble(options.log, store, models, limits);
    crew = assembled.crew;
    const position = activePosition(models, crew);
    gate.reached(position);
    // What was folded before this start is there for queries, though nothing may be written for long.
    if (position !== logStart) report({ type: 'advanced', position, changes: [] });
    const works: Works = {
      log: options.log,
      store,
      books: assembled.books,
      open: options.open,
      clock,
      limits,
      yieldToEventLoop: () => setImmediate(),
      isStopping: () => isStopping,
      wrote,
    };
    return { works, crew, isFarBehind: true, activated };
  };

  const wrote = (members: readonly Member[], changes: readonly DocumentChange[]) => {
    for (const member of members) noteParked(member, limits, clock(), report);
    if (!members.some(({ isActive }) => isActive)) return;
    const position = activePosition(models, crew);
    gate.reached(position);
    report({ type: 'advanced', position, changes });
  };

  const activated = (member: Member) => {
    const { collection, version } = member.fold.build;
    report({ type: 'activated', collection, version });
    wrote([member], []);
  };

  const failed = async (error: unknown) => {
    const attempts = (failing?.attempts ?? 0) + 1;
    const { code, message } = serializeError(error);
    failing = { code, message, attempts, since: failing?.since ?? clock() };
    for (const member of crew.members) noteWaiting(member, clock(), clock());
    report({ type: 'failing', code, message, attempts });
    await signal.stopOr(backOff(attempts, limits, options.random ?? systemRandom));
  };

  const recovered = () => {
    if (failing === undefined) return;
    failing = undefined;
    report({ type: 'recovered' });
  };

  const turn = async (running: Running) => {
    for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) await job.run(running);
    signal.lower();
    const began = clock();
    const outcome = await step(running);
    recovered();
    const gather = outcome === 'caught up' ? gatherFor(clock() - began, limits) : 0;
    if (outcome === 'idle') await signal.raisedOr(limits.pollMs);
    else if (gather > 0) await signal.stopOr(gather);
    else await setImmediate();
  };

  const run = async () => {
    let running: Running | undefined;
    while (!isStopping) {
      try {
        running ??= await prepare();
        await turn(running);
      } catch (error) {
        await failed(error);
      }
    }
    // When this can't be written the next start takes its first events one at a time, which is slow and right.
    await running?.works.books.stopped().catch(() => {});
    gate.close();
    const stopped = new LodeError('unavailable', 'The read models were stopped.');
    for (const job of jobs.splice(0)) job.refuse(stopped);
  };

  const ask = <Answer>(work: (running: Running) => Promise<Answer>): Promise<Answer> => {
    if (isStopping) return Promise.reject(new LodeError('unavailable', 'The read models were stopped.'));
    if (jobs.length >= limits.jobs)
      return Promise.reject(new LodeError('overloaded', 'Too much is asked at once.'));
    return new Promise((resolve, refuse) => {
      const run = async (running: Running) => {
        try {
          resolve(await work(running));
        } catch (error) {
          refuse(error);
        }
      };
      jobs.push({ run, refuse });
      signal.raise();
    });
  };

  return {
    start: () => {
      ended ??= run();
    },
    wake: () => {
      for (const member of crew.members) noteWaiting(member, clock(), clock());
      signal.raise();
    },
    stop: async () => {
      isStopping = true;
      signal.stop();
      await ended;
    },
    health: () => {
      const state = {
        failingSince: failing?.since,
        furthest: Math.max(0, ...crew.members.map(({ checkpoint }) => checkpoint.ordinal)),
        now: clock(),
        stalledAfterMs: limits.stalledAfterMs,
      };
      const rows = models.map((model) => {
        const builds = crew.members.filter(({ fold }) => fold.model === model);
        return modelHealth(model, builds, crew.frozen.get(model.name), state);
      });
      if (failing === undefined) return { models: rows };
      const { code, message, attempts } = failing;
      return { models: rows, failing: { code, message, attempts } };
    },
    waitFor: gate.waitFor,
    rebuild: (name) => ask((running) => beginRebuild(running, models, name)),
    parkedStreams: (name) =>
      ask(async ({ works }) => {
        const parked = await readParked(works.store, memberOf(crew, name).fold.build);
        return [...new Set(parked.map(({ stream }) => stream))];
      }),
    replayParked: (name, stream) => ask(({ works }) => replayStream(works, memberOf(crew, name), stream)),
  };
}

/** The build of a model that queries read. */
function memberOf(crew: Crew, name: string): Member {
  const member = crew.members.find(({ isActive, fold }) => isActive && fold.model.name === name);
  if (member === undefined) throw noModel(name);
  return member;
}

function noModel(name: string): LodeError {
  return new LodeError('validation_failed', `There is no read model ${name}.`);
}

async function beginRebuild(
  { works, crew }: Running,
  models: readonly ReadModel[],
  name: string,
): Promise<void> {
  const model = models.find((one) => one.name === name);
  if (model === undefined) throw noModel(name);
  if (crew.members.some(({ isActive, fold }) => !isActive && fold.model === model)) return;
  crew.members.push(await beginBuild(works.store, model, works.limits, false));
}

/** Where every model that queries read has got to; the log's start while one cannot be read yet. */
function activePosition(models: readonly ReadModel[], crew: Crew): Position {
  const [first, ...others] = models.map(
    (model) =>
      crew.frozen.get(model.name)?.checkpoint ??
      crew.members.find(({ isActive, fold }) => isActive && fold.model === model)?.checkpoint ??
      checkpointStart,
  );
  return first === undefined ? logStart : leastOf([first, ...others]).position;
}

function noteParked(
  member: Member,
  limits: RunnerLimits,
  now: number,
  report: (report: RunnerReport) => void,
): void {
  const { build, model, parking } = member.fold;
  const parked = parking.count();
  if (parked !== member.parkedReported) {
    member.parkedReported = parked;
    report({ type: 'parked', model: model.name, version: build.version, parked });
  }
  member.isHalted = parked >= limits.parked;
  if (member.isHalted) noteWaiting(member, now, now);
}

/** Milliseconds to wait after a batch that took so long (by the clock, which may have been set back). */
function gatherFor(took: number, { gatherMs, gatherMostMs }: RunnerLimits): number {
  return Math.max(gatherMs, Math.min(took, gatherMostMs));
}

/** Milliseconds to wait after the n-th failure in a row: longer each time, drawn so that many don't come back at once. */
function backOff(attempts: number, limits: RunnerLimits, random: Random): number {
  const longest = Math.min(limits.backOffLastMs, limits.backOffFirstMs * 2 ** Math.min(attempts - 1, 20));
  return longest * (0.5 + (random(1)[0] ?? 0) / 510);
}
