import type { DatabaseSync } from 'node:sqlite';
import { LodeError, randomSecret, systemClock, systemRandom, systemTimers } from '#kernel';
import {
  jobLimits,
  type JobKind,
  type JobLimits,
  type JobRun,
  type Jobs,
  type JobsOptions,
} from '../port.js';
import { kindsByName, nextSlot, noSuchKind, pauseAfter, runId, slotAt } from '../rules.js';
import { createRunTable, type ActiveRun, type Outcome } from './table.js';

export type InProcessJobsOptions = JobsOptions & {
  /** A database of the worker's own connection. Its tables are made when they are missing. Closed by the caller. */
  readonly database: DatabaseSync;
  /**
   * Which of the workers that share the file this is, the same after a restart: what it ran when it died it takes up at
   * once. Drawn when left out; such runs are then taken up like those of others.
   */
  readonly owner?: string;
};

/** A run under way in this worker. */
type UnderWay = { readonly abort: AbortController; readonly ended: Promise<void> };

/** Signs of life in the time after which a worker is taken for dead. */
const BEATS_PER_LEASE = 4;
const OWNER_BYTES = 12;
const ERROR_LENGTH = 500;

/**
 * Jobs in the program itself, with what is kept of them in SQLite. Workers that share the file never run one kind at
 * once. A worker is dead when its sign of life has stood still for as long as a lease, by the timers of whoever looks:
 * no two clocks are compared, so that none of them has to be right.
 */
export function createInProcessJobs(options: InProcessJobsOptions): Jobs {
  const { onProblem, clock = systemClock, timers = systemTimers } = options;
  const kinds = kindsByName(options.kinds);
  const limits: JobLimits = { ...jobLimits, ...options.limits };
  const table = createRunTable(options.database);
  const owner = options.owner ?? randomSecret(options.random ?? systemRandom, OWNER_BYTES);
  const underWay = new Map<string, UnderWay>();
  /** Kinds that rest after an attempt failed, and other workers' runs that are watched; each with how to stop it. */
  const resting = new Map<string, () => void>();
  const watched = new Map<string, () => void>();
  let cancelNext: () => void = () => undefined;
  let isStarted = false;
  let isStopping = false;

  const now = () => new Date(clock()).toISOString();
  const problem = (kind: string, error: unknown, attempt?: number) =>
    onProblem({ kind, message: errorText(error), ...(attempt === undefined ? {} : { attempt }) });

  /** Runs work that can fail on a file error; the next look at what is due retries it. */
  function attemptTo(kind: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      problem(kind, error);
    }
  }

  /** Begins what waits, if nothing of the kind is under way anywhere. */
  function pump(kind: JobKind): void {
    const { name } = kind;
    if (isStopping || underWay.has(name) || resting.has(name)) return;
    const active = table.activeRun(name);
    // This worker's own and not under way: its end could not be written, or it is from before a restart.
    if (active?.owner === owner) {
      takeFrom(kind, active, 'its worker died, or could not keep what came of it');
      // A program that dies again and again must not use all attempts up within seconds.
      if (active.attempts > 1) {
        rest(kind, active.attempts);
        return;
      }
    } else if (active !== undefined) {
      watch(kind, active);
      return;
    }
    const run = table.claim(name, owner, now());
    if (run !== undefined) underWay.set(name, begin(kind, run));
  }

  /** Looks again after a lease: a run whose worker gave no sign meanwhile is taken over. */
  function watch(kind: JobKind, seen: ActiveRun): void {
    if (watched.has(kind.name)) return;
    const cancel = timers.after(limits.leaseMs, () => {
      watched.delete(kind.name);
      attemptTo(kind.name, () => {
        const active = table.activeRun(kind.name);
        const isSilent = active?.id === seen.id && active.owner === seen.owner && active.beat === seen.beat;
        if (isSilent) takeFrom(kind, active, 'its worker died');
        pump(kind);
      });
    });
    watched.set(kind.name, cancel);
  }

  function takeFrom(kind: JobKind, { id, owner: from, attempts }: ActiveRun, error: string): void {
    const isLast = attempts >= kind.attempts;
    const outcome: Outcome = isLast ? { state: 'failed', error } : { state: 'waiting', error, counts: true };
    if (table.leave(id, from, outcome, now())) problem(kind.name, new Error(error), attempts);
  }

  function begin(kind: JobKind, run: JobRun): UnderWay {
    const abort = new AbortController();
    let cancelBeat: () => void;
    const beat = () => {
      cancelBeat = timers.after(limits.leaseMs / BEATS_PER_LEASE, () => {
        attemptTo(kind.name, () => {
          if (!table.beat(run.id, owner)) abort.abort(new Error('another worker took over'));
        });
        if (!abort.signal.aborted) beat();
      });
    };
    beat();
    const cancelLimit = timers.after(limits.runMs, () => abort.abort(new Error('the run took too long')));
    const work = async () => {
      const outcome = await outcomeOf(kind, run, abort.signal);
      cancelBeat();
      cancelLimit();
      underWay.delete(kind.name);
      attemptTo(kind.name, () => finish(kind, run, outcome));
    };
    return { abort, ended: work() };
  }

  async function outcomeOf(kind: JobKind, run: JobRun, signal: AbortSignal): Promise<Outcome> {
    try {
      const report = await kind.run({ slot: run.slot, attempt: run.attempts, signal });
      return { state: 'done', report };
    } catch (error) {
      if (isStopping && signal.aborted) return { state: 'waiting', error: null, counts: false };
      problem(kind.name, error, run.attempts);
      const text = errorText(error);
      if (run.attempts >= kind.attempts) return { state: 'failed', error: text };
      return { state: 'waiting', error: text, counts: true };
    }
  }

  function finish(kind: JobKind, run: JobRun, outcome: Outcome): void {
    const { name } = kind;
    const isOurs = table.leave(run.id, owner, outcome, now());
    table.prune(name, limits.runsKept);
    if (isStopping) return;
    if (isOurs && outcome.state === 'waiting') rest(kind, run.attempts);
    else pump(kind);
  }

  /** Lets a kind rest after so many attempts of a run. */
  function rest(kind: JobKind, attempts: number): void {
    const wake = () => {
      resting.delete(kind.name);
      attemptTo(kind.name, () => pump(kind));
    };
    resting.set(kind.name, timers.after(pauseAfter(attempts, limits), wake));
  }

  async function reconcile(): Promise<void> {
    for (const kind of kinds.values()) {
      try {
        const slot = slotAt(clock(), await kind.everyMs());
        if (isStopping) return;
        table.add(kind.name, slot, 'schedule');
        table.supersede(kind.name, slot);
        pump(kind);
      } catch (error) {
        problem(kind.name, error);
      }
    }
  }

  async function keepReconciling(): Promise<void> {
    await reconcile();
    if (!isStopping) cancelNext = timers.after(limits.reconcileMs, () => void keepReconciling());
  }

  function kindNamed(name: string): JobKind {
    const kind = kinds.get(name);
    if (kind === undefined) throw noSuchKind(name);
    return kind;
  }

  return {
    start: () => {
      if (isStarted) return;
      isStarted = true;
      void keepReconciling();
    },
    reconcile,
    runNow: async (name) => {
      const kind = kindNamed(name);
      if (isStopping) throw new LodeError('unavailable', 'The jobs were stopped.');
      if (table.waiting(name) >= limits.waiting)
        throw new LodeError('overloaded', 'Too many runs of this job are waiting.');
      const slot = now();
      table.add(name, slot, 'hand');
      resting.get(name)?.();
      resting.delete(name);
      pump(kind);
      const run = table.get(runId(name, slot));
      if (run === undefined) throw new LodeError('unavailable', 'The run was lost. Try again.');
      return run;
    },
    schedules: () =>
      Promise.all(
        [...kinds.values()].map(async ({ name, everyMs }) => {
          const every = await everyMs();
          return {
            kind: name,
            everyMs: every,
            nextAt: nextSlot(clock(), every),
            last: table.last(name) ?? null,
          };
        }),
      ),
    runs: async (name, limit) => table.newest(kindNamed(name).name, Math.min(limit, limits.page)),
    stop: async () => {
      isStopping = true;
      cancelNext();
      for (const cancel of [...resting.values(), ...watched.values()]) cancel();
      for (const { abort } of underWay.values()) abort.abort(new Error('the program stops'));
      await Promise.all([...underWay.values()].map(({ ended }) => ended));
    },
  };
}

function errorText(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, ERROR_LENGTH);
}

export { readLastRuns, recordRun } from './table.js';
