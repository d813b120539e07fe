import {
  invariant,
  noHold,
  randomSecret,
  serializeError,
  systemClock,
  systemRandom,
  systemTimers,
} from '#kernel';
import { jobLimits, type JobRun, type Jobs, type JobsOptions, type Schedule } from '../port.js';
import {
  createAttemptCount,
  kindNamed,
  kindsByName,
  nextSlot,
  problemOf,
  runId,
  runWasLost,
  slotAt,
  tooManyWait,
  wereStopped,
} from '../rules.js';
import type { QueueServer } from './port.js';
import { createLane, nowOf, stopLane, type Lane, type Worker } from './worker.js';

const TOKEN_BYTES = 12;

/** Jobs on a server of queues, which they close. */
export function createQueuedJobs(server: QueueServer, options: JobsOptions): Jobs {
  const { onRecovered, clock = systemClock, timers = systemTimers, hold = noHold } = options;
  const { onlyAsks = false } = options;
  const limits = { ...jobLimits, ...options.limits };
  const token = randomSecret(options.random ?? systemRandom, TOKEN_BYTES);
  const counts = createAttemptCount();
  const onProblem = (kind: string, error: unknown, attempt?: number) => {
    // That Redis is away was told when it went.
    if (!server.isAway(error)) options.onProblem(problemOf(kind, error, attempt));
  };
  server.onOutage((failure) => {
    if (failure === undefined) onRecovered?.();
    else options.onProblem({ message: serializeError(failure).message });
  });
  const worker: Worker = { limits, clock, hold, timers, onProblem, counts, isStopping: false };
  const lanes = [...kindsByName(options.kinds).values()].map((kind) =>
    createLane(worker, kind, server.queueOf({ kind, limits, token })),
  );
  const byName = new Map(lanes.map((lane) => [lane.kind.name, lane]));
  const reconcile = async () => {
    await Promise.all(lanes.map((lane) => reconcileOne(worker, lane)));
  };
  let isStarted = false;
  let cancelNext = () => {};
  let stopped: Promise<void> | undefined;

  const keepReconciling = async () => {
    await reconcile();
    if (!worker.isStopping) cancelNext = timers.after(limits.reconcileMs, () => void keepReconciling());
  };
  const stop = async () => {
    worker.isStopping = true;
    cancelNext();
    await Promise.all(lanes.map(stopLane));
    await Promise.all(lanes.map(({ runs }) => runs.close()));
    server.close();
  };

  return {
    start: () => {
      invariant(!onlyAsks, 'who only asks for runs begins none');
      if (isStarted) return;
      isStarted = true;
      void keepReconciling();
      server.onReconnected(() => void reconcile());
    },
    reconcile,
    runNow: async (name) => runNow(worker, kindNamed(byName, name), onlyAsks),
    reach: server.reach,
    schedules: () => Promise.all(lanes.map((lane) => scheduleOf(worker, lane))),
    runs: async (name, limit) =>
      (await kindNamed(byName, name).runs.all()).slice(0, Math.min(limit, limits.page)),
    stop: () => (stopped ??= stop()),
  };
}

/** Asks for the run of a kind that is due, in place of those that were due before, and begins what can begin. */
async function reconcileOne(worker: Worker, { kind, runs, beginNext }: Lane): Promise<void> {
  try {
    if (worker.hold() !== undefined) return;
    const slot = slotAt(worker.clock(), await kind.everyMs());
    if (worker.isStopping) return;
    await runs.ask(slot, 'schedule');
    await runs.supersede(slot);
    await beginNext();
  } catch (error) {
    worker.onProblem(kind.name, error);
  }
}

async function runNow(worker: Worker, { kind, runs, beginNext }: Lane, onlyAsks: boolean): Promise<JobRun> {
  if (worker.isStopping) throw wereStopped();
  const held = worker.hold();
  if (held !== undefined) throw held;
  if ((await runs.counts()).waiting >= worker.limits.waiting) throw tooManyWait();
  const slot = nowOf(worker);
  await runs.ask(slot, 'hand');
  if (!onlyAsks) await beginNext();
  const id = runId(kind.name, slot);
  const run = (await runs.all()).find((one) => one.id === id);
  if (run === undefined) throw runWasLost();
  return run;
}

async function scheduleOf({ clock }: Worker, { kind, runs }: Lane): Promise<Schedule> {
  const everyMs = await kind.everyMs();
  const last = (await runs.all()).find(({ attempts }) => attempts > 0) ?? null;
  return { kind: kind.name, everyMs, nextAt: nextSlot(clock(), everyMs), last };
}
