import type { Clock, Hold, Timers } from '#kernel';
import type { JobKind, JobLimits, JobProblem, JobRun } from '../port.js';
import { endings, endNotKept, messageOf, pauseAfter, problemOf, type AttemptCount } from '../rules.js';
import type { ActiveRun, Outcome, RunTable } from './table.js';

/** A worker: what it works with, and what it is at. */
export type Worker = {
  readonly table: RunTable;
  /** Which of the workers that share the table this is. */
  readonly owner: string;
  readonly limits: JobLimits;
  readonly clock: Clock;
  readonly hold: Hold;
  readonly timers: Timers;
  readonly onProblem: (problem: JobProblem) => void;
  /** Its runs under way, by the name of their kind. */
  readonly underWay: Map<string, UnderWay>;
  /** Kinds that rest after an attempt failed, and other workers' runs that are watched; each with how to stop it. */
  readonly resting: Map<string, () => void>;
  readonly watched: Map<string, () => void>;
  readonly counts: AttemptCount;
  isStopping: boolean;
};

/** A run under way in this worker. */
type UnderWay = { readonly abort: AbortController; readonly ended: Promise<void> };

/** Signs of life in the time after which a worker is taken for dead. */
const BEATS_PER_LEASE = 4;

/** The worker's time as an ISO instant. */
export function nowOf({ clock }: Worker): string {
  return new Date(clock()).toISOString();
}

/** Reports what went wrong with a kind, or with an attempt of a run of it. */
export function reportProblem({ onProblem }: Worker, kind: string, error: unknown, attempt?: number): void {
  onProblem(problemOf(kind, error, attempt));
}

/** Does work that a file error can fail; the next look at what is due tries it again. */
function attemptTo(worker: Worker, { name }: JobKind, work: () => void): void {
  try {
    work();
  } catch (error) {
    reportProblem(worker, name, error);
  }
}

/** Begins the run of a kind that was asked for first, if nothing of the kind is under way anywhere. */
export function beginNext(worker: Worker, kind: JobKind): void {
  const { table, owner, underWay, resting } = worker;
  const { name } = kind;
  if (worker.isStopping || worker.hold() !== undefined) return;
  if (underWay.has(name) || resting.has(name)) return;

  // 1. What another worker runs is left to it for as long as it gives signs of life.
  const active = table.activeRun(name);
  if (active !== undefined && active.owner !== owner) {
    watch(worker, kind, active);
    return;
  }

  // 2. This worker's own and not under way: its end could not be written, or it is from before a restart.
  if (active !== undefined) {
    takeFrom(worker, kind, active, endNotKept);
    // A program that dies again and again must not use all attempts up within seconds.
    if (active.attempts > 1) {
      rest(worker, kind, active.attempts);
      return;
    }
  }

  // 3. What waits.
  const run = table.claim(name, owner, nowOf(worker));
  if (run !== undefined) underWay.set(name, begin(worker, kind, run));
}

/** Looks again after a lease: a run whose worker gave no sign meanwhile is taken over. */
function watch(worker: Worker, kind: JobKind, seen: ActiveRun): void {
  const { table, limits, timers, watched } = worker;
  if (watched.has(kind.name)) return;
  const lookAgain = () => {
    const active = table.activeRun(kind.name);
    const isSilent = active?.id === seen.id && active.owner === seen.owner && active.beat === seen.beat;
    if (isSilent) takeFrom(worker, kind, active, 'its worker died');
    beginNext(worker, kind);
  };
  const cancel = timers.after(limits.leaseMs, () => {
    watched.delete(kind.name);
    attemptTo(worker, kind, lookAgain);
  });
  watched.set(kind.name, cancel);
}

/** Ends an attempt in place of the worker that began it. */
function takeFrom(worker: Worker, kind: JobKind, active: ActiveRun, error: string): void {
  const { id, owner, attempts } = active;
  const isLast = attempts >= kind.attempts;
  const outcome: Outcome = isLast ? { state: 'failed', error } : { state: 'waiting', error, counts: true };
  if (worker.table.leave(id, owner, outcome, nowOf(worker)))
    reportProblem(worker, kind.name, new Error(error), attempts);
}

/** Lets a kind rest after so many attempts of a run. */
function rest(worker: Worker, kind: JobKind, attempts: number): void {
  const { limits, timers, resting } = worker;
  const wake = () => {
    resting.delete(kind.name);
    attemptTo(worker, kind, () => beginNext(worker, kind));
  };
  resting.set(kind.name, timers.after(pauseAfter(attempts, limits), wake));
}

function begin(worker: Worker, kind: JobKind, run: JobRun): UnderWay {
  const { limits, timers } = worker;
  const abort = new AbortController();
  const cancelBeat = keepBeating(worker, kind, run, abort);
  const cancelLimit = timers.after(limits.runMs, () => abort.abort(new Error(endings.tookLong)));
  const work = async () => {
    const outcome = await outcomeOf(worker, kind, run, abort.signal);
    cancelBeat();
    cancelLimit();
    worker.underWay.delete(kind.name);
    attemptTo(worker, kind, () => finish(worker, kind, run, outcome));
  };
  return { abort, ended: work() };
}

/** Gives signs of life for a run until it is cancelled, or until the run is another's, which aborts it here. */
function keepBeating(worker: Worker, kind: JobKind, run: JobRun, abort: AbortController): () => void {
  const { table, owner, limits, timers } = worker;
  const scheduleBeat = () =>
    timers.after(limits.leaseMs / BEATS_PER_LEASE, () => {
      attemptTo(worker, kind, () => {
        if (!table.beat(run.id, owner)) abort.abort(new Error(endings.tookOver));
      });
      if (!abort.signal.aborted) cancel = scheduleBeat();
    });
  let cancel = scheduleBeat();
  return () => cancel();
}

/** Does the work of a run, and says what is to become of it. */
async function outcomeOf(
  worker: Worker,
  kind: JobKind,
  { id, slot, attempts }: JobRun,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    const report = await kind.run({ slot, attempt: attempts, signal });
    return { state: 'done', report };
  } catch (error) {
    const isInterrupted = (worker.isStopping && signal.aborted) || worker.hold() !== undefined;
    if (isInterrupted) return { state: 'waiting', error: null, counts: false };
    reportProblem(worker, kind.name, error, attempts);
    const message = messageOf(error);
    const counts = worker.counts(kind.name, id, error);
    if (counts && attempts >= kind.attempts) return { state: 'failed', error: message };
    return { state: 'waiting', error: message, counts };
  }
}

function finish(worker: Worker, kind: JobKind, run: JobRun, outcome: Outcome): void {
  const { table, owner, limits } = worker;
  const isOurs = table.leave(run.id, owner, outcome, nowOf(worker));
  table.prune(kind.name, limits.runsKept);
  if (worker.isStopping) return;
  if (isOurs && outcome.state === 'waiting') rest(worker, kind, run.attempts);
  else beginNext(worker, kind);
}

/** Tells the runs under way to end, and waits for them. */
export async function stopWorker(worker: Worker): Promise<void> {
  const { underWay, resting, watched } = worker;
  worker.isStopping = true;
  for (const cancel of [...resting.values(), ...watched.values()]) cancel();
  for (const { abort } of underWay.values()) abort.abort(new Error(endings.stopped));
  await Promise.all([...underWay.values()].map(({ ended }) => ended));
}
