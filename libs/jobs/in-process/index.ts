import type { DatabaseSync } from 'node:sqlite';
import { invariant, noHold, randomSecret, systemClock, systemRandom, systemTimers } from '#kernel';
import { jobLimits, type JobKind, type JobRun, type Jobs, type JobsOptions, type Schedule } from '../port.js';
import {
  createAttemptCount,
  kindNamed,
  kindsByName,
  nextSlot,
  runId,
  runWasLost,
  slotAt,
  tooManyWait,
  wereStopped,
} from '../rules.js';
import { createRunTable } from './table.js';
import { beginNext, nowOf, reportProblem, stopWorker, type Worker } from './worker.js';

export type InProcessJobsOptions = JobsOptions & {
  /** A database of the worker's own connection. Its tables are made when they are missing. Closed by the caller. */
  readonly database: DatabaseSync;
  /**
   * Which of the workers that share the file this is, the same after a restart: what it ran when it died it takes up at
   * once. Drawn when left out; such runs are then taken up like those of others.
   */
  readonly owner?: string;
};

type Kinds = ReadonlyMap<string, JobKind>;

const OWNER_BYTES = 12;

/**
 * Jobs in the program itself, with what is kept of them in SQLite. Workers that share the file never run one kind at
 * once. A worker is dead when its sign of life has stood still for as long as a lease, by the timers of whoever looks:
 * no two clocks are compared, so that none of them has to be right.
 */
export function createInProcessJobs(options: InProcessJobsOptions): Jobs {
  const { onProblem, clock = systemClock, timers = systemTimers, hold = noHold } = options;
  const { onlyAsks = false } = options;
  const kinds = kindsByName(options.kinds);
  const limits = { ...jobLimits, ...options.limits };
  const table = createRunTable(options.database);
  const owner = options.owner ?? randomSecret(options.random ?? systemRandom, OWNER_BYTES);
  const worker: Worker = {
    table,
    owner,
    limits,
    clock,
    hold,
    timers,
    onProblem,
    underWay: new Map(),
    resting: new Map(),
    watched: new Map(),
    counts: createAttemptCount(),
    isStopping: false,
  };
  let isStarted = false;
  let cancelNext = () => {};

  const keepReconciling = async () => {
    await reconcile(worker, kinds);
    if (!worker.isStopping) cancelNext = timers.after(limits.reconcileMs, () => void keepReconciling());
  };

  return {
    start: () => {
      invariant(!onlyAsks, 'who only asks for runs begins none');
      if (isStarted) return;
      isStarted = true;
      void keepReconciling();
    },
    reconcile: () => reconcile(worker, kinds),
    runNow: async (name) => runNow(worker, kindNamed(kinds, name), onlyAsks),
    // The file is this program's own.
    reach: async () => undefined,
    schedules: () => Promise.all([...kinds.values()].map((kind) => scheduleOf(worker, kind))),
    runs: async (name, limit) => table.newest(kindNamed(kinds, name).name, Math.min(limit, limits.page)),
    stop: () => {
      cancelNext();
      return stopWorker(worker);
    },
  };
}

/** Asks for the run of each kind that is due, in place of those that were due before, and begins what can begin. */
async function reconcile(worker: Worker, kinds: Kinds): Promise<void> {
  const { table, clock, hold } = worker;
  if (hold() !== undefined) return;
  for (const kind of kinds.values()) {
    try {
      const slot = slotAt(clock(), await kind.everyMs());
      if (worker.isStopping) return;
      table.add(kind.name, slot, 'schedule');
      table.supersede(kind.name, slot);
      beginNext(worker, kind);
    } catch (error) {
      reportProblem(worker, kind.name, error);
    }
  }
}

/** Asks for a run of a kind by hand; a kind that rests is woken for it. */
function runNow(worker: Worker, kind: JobKind, onlyAsks: boolean): JobRun {
  const { table, limits, resting } = worker;
  const { name } = kind;
  if (worker.isStopping) throw wereStopped();
  const held = worker.hold();
  if (held !== undefined) throw held;
  if (table.waiting(name) >= limits.waiting) throw tooManyWait();
  const slot = nowOf(worker);
  table.add(name, slot, 'hand');
  resting.get(name)?.();
  resting.delete(name);
  if (!onlyAsks) beginNext(worker, kind);
  const run = table.get(runId(name, slot));
  if (run === undefined) throw runWasLost();
  return run;
}

async function scheduleOf({ table, clock }: Worker, { name, everyMs }: JobKind): Promise<Schedule> {
  const every = await everyMs();
  return { kind: name, everyMs: every, nextAt: nextSlot(clock(), every), last: table.last(name) ?? null };
}

export { readLastRuns, recordRun } from './table.js';
