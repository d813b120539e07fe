import { noHold, randomSecret, systemClock, systemRandom, systemTimers } from '#kernel';
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
import { connectRedis, type RedisConnection } from './connection.js';
import { createRunQueue } from './runs.js';
import { createLane, nowOf, stopLane, type Lane, type Worker } from './worker.js';

export type RedisJobsOptions = JobsOptions & {
  /** `redis://name:password@host:6379/0`, or `rediss://…` for TLS. */
  readonly url: string;
  /** What the names of all keys begin with: `lode` when left out. */
  readonly prefix?: string;
  /** Milliseconds in which Redis has to answer. */
  readonly timeoutMs?: number;
};

const PREFIX = 'lode';
const TIMEOUT_MS = 5_000;

/** What keys begin with, and how long Redis may take, where nothing else is asked for. */
export const redisDefaults = { prefix: PREFIX, timeoutMs: TIMEOUT_MS } as const;

export { forgetRuns, readLastRuns, recordRun, type RedisByHand } from './by-hand.js';
export { connectRedis, type RedisConnection } from './connection.js';
const TOKEN_BYTES = 12;

/**
 * Jobs in Redis 6.2 or later, by BullMQ. Nothing in it has to last: what is due is put back at the next look, whatever
 * became of Redis, and it is looked as soon as Redis is there again. A worker is dead when the lock of its run has run
 * out, by the clock of Redis.
 *
 * Throws `unavailable` when Redis can't be reached, and `storage_failed` when its address, its password or how it is
 * set up has to be changed first.
 */
export async function openRedisJobs(options: RedisJobsOptions): Promise<Jobs> {
  const { url, random = systemRandom, timeoutMs = TIMEOUT_MS } = options;
  return createRedisJobs(await connectRedis({ url, random, timeoutMs }), options);
}

/** The jobs on a connection, which they close. */
export function createRedisJobs(
  connection: RedisConnection,
  options: JobsOptions & Pick<RedisJobsOptions, 'prefix'>,
): Jobs {
  const { onProblem, clock = systemClock, timers = systemTimers, hold = noHold, prefix = PREFIX } = options;
  const limits = { ...jobLimits, ...options.limits };
  const token = randomSecret(options.random ?? systemRandom, TOKEN_BYTES);
  const counts = createAttemptCount();
  const worker: Worker = { limits, clock, hold, timers, onProblem, counts, isStopping: false };
  const lanes = [...kindsByName(options.kinds).values()].map((kind) =>
    createLane(worker, kind, createRunQueue({ connection, kind, limits, prefix, token })),
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
    connection.close();
  };

  return {
    start: () => {
      if (isStarted) return;
      isStarted = true;
      void keepReconciling();
      connection.onReconnected(() => void reconcile());
    },
    reconcile,
    runNow: async (name) => runNow(worker, kindNamed(byName, name)),
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
    worker.onProblem(problemOf(kind.name, error));
  }
}

async function runNow(worker: Worker, { kind, runs, beginNext }: Lane): Promise<JobRun> {
  if (worker.isStopping) throw wereStopped();
  const held = worker.hold();
  if (held !== undefined) throw held;
  if ((await runs.counts()).waiting >= worker.limits.waiting) throw tooManyWait();
  const slot = nowOf(worker);
  await runs.ask(slot, 'hand');
  await beginNext();
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
