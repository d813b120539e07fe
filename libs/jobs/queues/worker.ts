import type { Clock, Hold, Timers } from '#kernel';
import type { JobKind, JobLimits } from '../port.js';
import { endings, endNotKept, messageOf, runId, type AttemptCount } from '../rules.js';
import { LOOKS_PER_LEASE, type ClaimedRun, type Outcome, type RunQueue } from './port.js';

/** What a worker works with. */
export type Worker = {
  readonly limits: JobLimits;
  readonly clock: Clock;
  readonly hold: Hold;
  readonly timers: Timers;
  readonly onProblem: (kind: string, error: unknown, attempt?: number) => void;
  readonly counts: AttemptCount;
  isStopping: boolean;
};

/** A kind of job in a worker: its runs on the server, and what the worker is at. */
export type Lane = {
  readonly kind: JobKind;
  readonly runs: RunQueue;
  /** Begins the run that was asked for first, if nothing of the kind is under way anywhere. */
  readonly beginNext: () => Promise<void>;
  /** The beginning that goes on at the moment, and the run under way. */
  beginning: Promise<void> | undefined;
  underWay: UnderWay | undefined;
  cancelLook: () => void;
};

type UnderWay = { readonly abort: AbortController; readonly ended: Promise<void> };

/** Why a run is told to end that another worker may have by now. */
const LOCK_LOST = 'its lock was lost';
const CUT_OFF = 'Redis could not be reached for as long as a lease';

/** Extensions of a lock in the time for which it lasts. */
const BEATS_PER_LEASE = 4;

/** The worker's time as an ISO instant. */
export function nowOf({ clock }: Worker): string {
  return new Date(clock()).toISOString();
}

/** Does work that Redis can fail, and reports it; the next look at what is due tries it again. */
export async function attemptTo(worker: Worker, { kind }: Lane, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    worker.onProblem(kind.name, error);
  }
}

/** A kind that a worker has not begun anything of. */
export function createLane(worker: Worker, kind: JobKind, runs: RunQueue): Lane {
  let isAskedAgain = false;
  const lane: Lane = {
    kind,
    runs,
    // One after another, and those who ask meanwhile are all answered by the one after it.
    beginNext: () => {
      isAskedAgain = true;
      lane.beginning ??= begin();
      return lane.beginning;
    },
    beginning: undefined,
    underWay: undefined,
    cancelLook: () => undefined,
  };
  const begin = async () => {
    try {
      while (isAskedAgain) {
        isAskedAgain = false;
        await beginOne(worker, lane);
      }
    } catch (error) {
      lookAgain(worker, lane, worker.limits.leaseMs);
      throw error;
    } finally {
      lane.beginning = undefined;
    }
  };
  return lane;
}

async function beginOne(worker: Worker, lane: Lane): Promise<void> {
  const { kind, runs } = lane;
  if (worker.isStopping || worker.hold() !== undefined || lane.underWay !== undefined) return;
  const job = (await runs.claim()) ?? (await claimFromTheDead(worker, lane));
  if (job === undefined) return;
  if (worker.isStopping) {
    await runs.putBack(job);
  } else if (job.data.attempts >= kind.attempts) {
    await giveUp(worker, lane, job);
    await beginOne(worker, lane);
  } else {
    await runs.begin(job, nowOf(worker));
    // Told to stop meanwhile: nobody would tell this run to end.
    if (worker.isStopping) await runs.leave(job, { state: 'interrupted' }, nowOf(worker));
    else lane.underWay = run(worker, lane, job);
  }
}

/** Takes what a worker left behind that is dead. Looks again later as long as something is under way or rests. */
async function claimFromTheDead(worker: Worker, lane: Lane): Promise<ClaimedRun | undefined> {
  const { runs } = lane;
  const { leaseMs, retryFirstMs } = worker.limits;
  const { active, resting } = await runs.counts();
  if (active === 0) {
    if (resting > 0) lookAgain(worker, lane, retryFirstMs);
    return undefined;
  }
  const job = (await runs.putBackStalled()) ? await runs.claim() : undefined;
  if (job === undefined) lookAgain(worker, lane, leaseMs / LOOKS_PER_LEASE);
  return job;
}

function lookAgain(worker: Worker, lane: Lane, ms: number): void {
  lane.cancelLook();
  if (worker.isStopping) return;
  lane.cancelLook = worker.timers.after(ms, () => void attemptTo(worker, lane, lane.beginNext));
}

/** Ends a run of which every attempt was begun, and none came to an end that was kept. */
async function giveUp(worker: Worker, { kind, runs }: Lane, job: ClaimedRun): Promise<void> {
  await runs.leave(job, { state: 'failed', error: endNotKept }, nowOf(worker));
  worker.onProblem(kind.name, new Error(endNotKept), job.data.attempts);
}

function run(worker: Worker, lane: Lane, job: ClaimedRun): UnderWay {
  const { limits, timers } = worker;
  const abort = new AbortController();
  const letGo = keepLock(worker, lane, job, abort);
  const cancelLimit = timers.after(limits.runMs, () => abort.abort(new Error(endings.tookLong)));
  const work = async () => {
    const outcome = await outcomeOf(worker, lane, job, abort.signal);
    letGo();
    cancelLimit();
    await attemptTo(worker, lane, () => lane.runs.leave(job, outcome, nowOf(worker)));
    lane.underWay = undefined;
    await attemptTo(worker, lane, lane.beginNext);
  };
  return { abort, ended: work() };
}

/**
 * Extends the lock of a run until it is let go. Aborts the run when the lock is lost, and when it could not be extended
 * for a lease: from then on another worker may have it.
 */
function keepLock(worker: Worker, { kind, runs }: Lane, job: ClaimedRun, abort: AbortController): () => void {
  const { limits, timers, onProblem } = worker;
  let isLetGo = false;
  const inALease = () => timers.after(limits.leaseMs, () => abort.abort(new Error(CUT_OFF)));
  const scheduleBeat = () => timers.after(limits.leaseMs / BEATS_PER_LEASE, () => void beat());
  const beat = async () => {
    // Counted from before Redis was asked, so that it is over here no later than there.
    const cancelNext = inALease();
    const isOurs = await runs.beat(job).catch((error: unknown) => {
      if (!isLetGo) onProblem(kind.name, error);
      return undefined;
    });
    if (isOurs === false && !isLetGo) abort.abort(new Error(LOCK_LOST));
    if (isOurs === true) cancelEnd();
    if (isOurs === true && !isLetGo) cancelEnd = cancelNext;
    else cancelNext();
    if (!isLetGo && !abort.signal.aborted) cancelBeat = scheduleBeat();
  };
  let cancelEnd = inALease();
  let cancelBeat = scheduleBeat();
  return () => {
    isLetGo = true;
    cancelEnd();
    cancelBeat();
  };
}

/** Does the work of a run, and says what is to become of it. */
async function outcomeOf(
  worker: Worker,
  { kind }: Lane,
  { data: { slot, attempts } }: ClaimedRun,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    return { state: 'done', report: await kind.run({ slot, attempt: attempts, signal }) };
  } catch (error) {
    if ((worker.isStopping && signal.aborted) || worker.hold() !== undefined) return { state: 'interrupted' };
    worker.onProblem(kind.name, error, attempts);
    if (!worker.counts(kind.name, runId(kind.name, slot), error)) return { state: 'unknown' };
    return { state: attempts >= kind.attempts ? 'failed' : 'waiting', error: messageOf(error) };
  }
}

/** Tells the run of a kind that is under way to end, and waits for it; what is just begun is put back. */
export async function stopLane(lane: Lane): Promise<void> {
  lane.cancelLook();
  lane.underWay?.abort.abort(new Error(endings.stopped));
  await lane.beginning?.catch(() => undefined);
  lane.cancelLook();
  await lane.underWay?.ended;
}
