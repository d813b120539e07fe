import { createRedisBackend, ErrorCode, Job, Queue, UnrecoverableError, Worker } from 'bullmq';
import { systemClock } from '#kernel';
import type { JobReport, JobRun, RunByHand } from '../port.js';
import {
  LOOKS_PER_LEASE,
  STATES,
  type Outcome,
  type QueueOf,
  type RunData,
  type RunQueue,
} from '../queues/port.js';
import { pauseAfter, runId } from '../rules.js';
import type { RedisConnection } from './connection.js';

type RunResult = { readonly report: JobReport; readonly endedAt: string };
/** What BullMQ keeps of an attempt that failed is one text. */
type RunFailure = { readonly error: string; readonly endedAt: string };

/** A run that this worker has the lock of. */
type ClaimedRun = Job<RunData, RunResult>;

export type RunQueueOptions = QueueOf & { readonly connection: RedisConnection; readonly prefix: string };

/** A queue in Redis, which runs that were done elsewhere are kept in, too. */
export type RedisRunQueue = RunQueue<ClaimedRun> & {
  readonly record: (run: RunByHand) => Promise<boolean>;
};

/** BullMQ's lists. */
const LISTS = ['wait', 'delayed', 'active', 'completed', 'failed'] as const;

/** BullMQ's answers when a run is no longer this worker's, or was lost. */
const GONE: ReadonlySet<unknown> = new Set([
  ErrorCode.JobNotExist,
  ErrorCode.JobLockNotExist,
  ErrorCode.JobNotInState,
  ErrorCode.JobLockMismatch,
]);

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && GONE.has(error.code);
}

/** The runs of a kind: a queue of BullMQ's of which one run at most is under way, whoever fetches. */
export function createRunQueue(options: RunQueueOptions): RedisRunQueue {
  const bull = openQueue(options);
  const running = runningPart(options, bull);
  return {
    ...waitingPart(options, bull),
    ...running,
    ...keptPart(options, bull),
    record: (run: RunByHand) => record(options, bull, running, run),
  };
}

type Bull = ReturnType<typeof openQueue>;

function openQueue({ connection, kind, limits, prefix }: RunQueueOptions) {
  const name = encodeURIComponent(kind.name);
  // The version was looked at when the connection was made.
  const common = { connection: connection.client, prefix, skipVersionCheck: true };
  const worker = new Worker<RunData, RunResult>(
    name,
    null,
    {
      ...common,
      // Runs are fetched one by one and when the worker decides, without a connection that blocks.
      autorun: false,
      concurrency: 1,
      lockDuration: limits.leaseMs,
      // Shorter than from one look to the next, or every other look would be passed over.
      stalledInterval: Math.ceil(limits.leaseMs / LOOKS_PER_LEASE / 2),
      // How often a run is begun is counted with the run, whatever ended it.
      maxStalledCount: Number.MAX_SAFE_INTEGER,
      settings: { backoffStrategy: (failures) => pauseAfter(failures, limits) },
    },
    (queueName, queueOptions) => createRedisBackend(queueName, queueOptions),
  );
  const backend = worker.getBackend();
  const queue = new Queue<RunData, RunResult>(name, common, () => backend);
  // What fails is heard of by whoever asked for it.
  worker.on('error', () => undefined);
  queue.on('error', () => undefined);
  return { queue, worker, backend };
}

/** Runs that were asked for and have not begun. */
function waitingPart({ connection, kind, limits }: RunQueueOptions, { queue, backend }: Bull) {
  const { client, guarded } = connection;
  const kept = keptOf({ kind, limits });
  return {
    ask: (slot: string, cause: JobRun['cause']): Promise<void> =>
      guarded(async () => {
        // A Redis that was emptied has lost this setting too, so it is made again before each run.
        const [number] = await Promise.all([
          client.incr(queue.toKey('asked')),
          queue.setGlobalConcurrency(1),
        ]);
        const data = { slot, cause, attempts: 0, startedAt: null, number };
        await queue.add(kind.name, data, { ...kept, jobId: jobIdOf(kind.name, slot) });
      }),

    supersede: (slot: string): Promise<void> =>
      guarded(async () => {
        const [waiting = []] = await backend.getJobs(['wait'], 0, -1);
        const old = waiting
          .map(([, fields]) => dataOf(fields))
          .filter((data) => data.cause === 'schedule' && data.attempts === 0 && data.slot !== slot);
        // One that begins at this moment stays: BullMQ removes none that is locked.
        for (const data of old) await queue.remove(jobIdOf(kind.name, data.slot));
      }),

    counts: () =>
      guarded(async () => {
        const { active = 0, wait = 0, delayed = 0 } = await queue.getJobCounts('active', 'wait', 'delayed');
        return { active, waiting: wait + delayed, resting: delayed };
      }),
  };
}

/** The run of a kind that is under way: how it begins, lives and ends. */
function runningPart({ connection, limits, token }: RunQueueOptions, { queue, worker, backend }: Bull) {
  const { guarded } = connection;
  const lock = async (job: ClaimedRun) => (await job.extendLock(token, limits.leaseMs)) === 1;
  /** The run under way, if its lock is this worker's: Redis gave it, and the answer was lost. */
  const own = async (): Promise<ClaimedRun | undefined> => {
    const [id] = await queue.getRanges(['active'], 0, 0);
    const job = await Job.fromId<RunData, RunResult>(worker, id ?? '');
    return job !== undefined && (await lock(job)) ? job : undefined;
  };

  const move = async (job: ClaimedRun, outcome: Outcome, endedAt: string): Promise<void> => {
    if (outcome.state === 'done') {
      await job.moveToCompleted({ report: outcome.report, endedAt }, token, false);
    } else if (outcome.state === 'interrupted' || outcome.state === 'unknown') {
      if (!(await lock(job))) return;
      const { attempts } = job.data;
      await job.updateData({ ...job.data, attempts: attempts - 1 });
      if (outcome.state === 'interrupted') await job.moveToWait(token);
      // BullMQ takes the instant by the machine's clock.
      else await job.moveToDelayed(systemClock() + pauseAfter(attempts, limits), token);
    } else {
      const text = JSON.stringify({ error: outcome.error, endedAt } satisfies RunFailure);
      await job.moveToFailed(
        outcome.state === 'failed' ? new UnrecoverableError(text) : new Error(text),
        token,
      );
    }
  };

  return {
    claim: (): Promise<ClaimedRun | undefined> =>
      guarded(async () => (await worker.getNextJob(token, { block: false })) ?? own()),

    begin: (job: ClaimedRun, startedAt: string): Promise<void> =>
      guarded(() => job.updateData({ ...job.data, attempts: job.data.attempts + 1, startedAt })),

    putBack: (job: ClaimedRun): Promise<void> =>
      guarded(async () => {
        await job.moveToWait(token);
      }),

    beat: (job: ClaimedRun): Promise<boolean> => guarded(() => lock(job)),

    leave: (job: ClaimedRun, outcome: Outcome, endedAt: string): Promise<void> =>
      guarded(async () => {
        try {
          await move(job, outcome, endedAt);
        } catch (error) {
          if (!isGone(error)) throw error;
        }
      }),

    putBackStalled: async (): Promise<boolean> =>
      (await guarded(() => backend.moveStalledJobsToWait())).length > 0,
  };
}

/**
 * Keeps a run that was done elsewhere, as if it had begun and ended here; false when something of the kind is under way,
 * or there is a run for its slot.
 */
async function record(
  options: RunQueueOptions,
  bull: Bull,
  { claim, leave, putBack, putBackStalled }: Pick<ReturnType<typeof runningPart>, RecordingParts>,
  { slot, startedAt, endedAt, report }: RunByHand,
): Promise<boolean> {
  const { connection, kind } = options;
  const jobId = jobIdOf(kind.name, slot);
  await putBackStalled();
  const number = await connection.guarded(() => connection.client.incr(bull.queue.toKey('asked')));
  const data = { slot, cause: 'hand' as const, attempts: 1, startedAt, number };
  // Before all that wait, so that it is the one that is claimed.
  const first = { ...keptOf(options), jobId, lifo: true };
  await connection.guarded(() => bull.queue.add(kind.name, data, first));
  const job = await claim();
  if (job?.id === jobId) {
    await leave(job, { state: 'done', report }, endedAt ?? startedAt ?? slot);
    return true;
  }
  if (job !== undefined) await putBack(job);
  // Left where it is, it would be done once more.
  await connection.guarded(async () => {
    const added = await bull.queue.getJob(jobId);
    if (added?.data.number === number) await bull.queue.remove(jobId);
  });
  return false;
}

type RecordingParts = 'claim' | 'leave' | 'putBack' | 'putBackStalled';

/** How BullMQ tries and keeps the runs of a kind. */
function keptOf({ kind, limits }: Pick<RunQueueOptions, 'kind' | 'limits'>) {
  const keep = { count: limits.runsKept };
  return {
    attempts: kind.attempts,
    backoff: { type: 'custom' },
    removeOnComplete: keep,
    removeOnFail: keep,
    stackTraceLimit: 0,
  };
}

/** Runs in whatever state, for as long as they are kept. */
function keptPart({ connection, kind, limits }: RunQueueOptions, { queue, worker, backend }: Bull) {
  return {
    all: async (): Promise<readonly JobRun[]> => {
      const lists = await connection.guarded(() => backend.getJobs([...LISTS], 0, -1));
      const runs = LISTS.flatMap((list, index) =>
        (lists[index] ?? []).map(([, fields]) => ({
          number: dataOf(fields).number,
          run: runOf(kind.name, STATES[list], fields),
        })),
      );
      runs.sort((a, b) => b.number - a.number);
      return newest(
        runs.map(({ run }) => run),
        limits.runsKept,
      );
    },

    close: async (): Promise<void> => {
      await worker.close(true);
      await queue.close();
    },
  };
}

/** BullMQ keeps so many of those that were done and so many of those that failed. */
function newest(runs: readonly JobRun[], kept: number): readonly JobRun[] {
  let ended = 0;
  return runs.filter(({ state }) => state === 'waiting' || state === 'running' || (ended += 1) <= kept);
}

/** BullMQ refuses ids with a colon. */
function jobIdOf(kind: string, slot: string): string {
  return encodeURIComponent(runId(kind, slot));
}

/** A job as Redis keeps it: a list of names and values by turns. */
type Fields = readonly string[];

function fieldOf(fields: Fields, name: string): string {
  const at = fields.findIndex((one, index) => index % 2 === 0 && one === name);
  return (at < 0 ? undefined : fields[at + 1]) ?? 'null';
}

function dataOf(fields: Fields): RunData {
  return JSON.parse(fieldOf(fields, 'data')) as RunData;
}

function runOf(kind: string, state: JobRun['state'], fields: Fields): JobRun {
  const { slot, cause, attempts, startedAt } = dataOf(fields);
  const result = JSON.parse(fieldOf(fields, 'returnvalue')) as RunResult | null;
  // Still there when a later attempt succeeded.
  const failure = result === null ? (JSON.parse(fieldOf(fields, 'failedReason')) as RunFailure | null) : null;
  const hasEnded = state === 'done' || state === 'failed';
  return {
    id: runId(kind, slot),
    kind,
    slot,
    cause,
    state,
    attempts,
    startedAt,
    endedAt: hasEnded ? ((result ?? failure)?.endedAt ?? null) : null,
    report: result?.report ?? null,
    error: failure?.error ?? null,
  };
}
