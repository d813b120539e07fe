import { systemRandom } from '#kernel';
import { REDIS_TIMEOUT_MS } from '#redis';
import type { Jobs, JobsOptions } from '../port.js';
import { createQueuedJobs } from '../queues/jobs.js';
import { connectRedis, type RedisConnection } from './connection.js';
import { createRunQueue } from './runs.js';

export type RedisJobsOptions = JobsOptions & {
  /** `redis://name:password@host:6379/0`, or `rediss://…` for TLS. */
  readonly url: string;
  /** What the names of all keys begin with: `lode` when left out. */
  readonly prefix?: string;
  /** Milliseconds in which Redis has to answer. */
  readonly timeoutMs?: number;
};

const PREFIX = 'lode';
/** How long Redis keeps what was written to see whether it can be, in milliseconds. */
const REACH_MS = 60_000;

/** What keys begin with, and how long Redis may take, where nothing else is asked for. */
export const redisDefaults = { prefix: PREFIX, timeoutMs: REDIS_TIMEOUT_MS } as const;

export { forgetRuns, readLastRuns, recordRun, type RedisByHand } from './by-hand.js';
export { connectRedis, type RedisConnection } from './connection.js';

/**
 * Jobs in Redis 6.2 or later, by BullMQ. Nothing in it has to last: what is due is put back at the next look, whatever
 * became of Redis, and it is looked as soon as Redis is there again. A worker is dead when the lock of its run has run
 * out, by the clock of Redis.
 *
 * Throws `unavailable` when Redis can't be reached, and `storage_failed` when its address, its password or how it is
 * set up has to be changed first.
 */
export async function openRedisJobs(options: RedisJobsOptions): Promise<Jobs> {
  const { url, random = systemRandom, timeoutMs = REDIS_TIMEOUT_MS } = options;
  return createRedisJobs(await connectRedis({ url, random, timeoutMs }), options);
}

/** The jobs on a connection, which they close. */
export function createRedisJobs(
  connection: RedisConnection,
  options: JobsOptions & Pick<RedisJobsOptions, 'prefix'>,
): Jobs {
  const { prefix = PREFIX } = options;
  const { isAway, onOutage, onReconnected, close } = connection;
  return createQueuedJobs(
    {
      queueOf: (which) => createRunQueue({ ...which, connection, prefix }),
      reach: async () => {
        // A server that is full, or a replica by now, answers all but a write.
        await connection.guarded(() => connection.client.set(`${prefix}:reach`, '', 'PX', REACH_MS));
      },
      ...{ isAway, onOutage, onReconnected, close },
    },
    options,
  );
}
