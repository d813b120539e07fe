import { LodeError, randomSecret, systemRandom } from '#kernel';
import { jobLimits, type JobRun, type RunByHand } from '../port.js';
import { connectRedis, type RedisConnection } from './connection.js';
import { createRunQueue, type RedisRunQueue } from './runs.js';

const TOKEN_BYTES = 12;
/** Names that one look through the keys asks for. */
const SCANNED = 1_000;
/** What BullMQ keeps of each queue, whatever is in it. */
const META = ':meta';

export type RedisByHand = {
  readonly url: string;
  readonly prefix: string;
  /** Milliseconds in which Redis has to answer. */
  readonly timeoutMs: number;
};

/** The run of each job that began last, by the names of the jobs. Errors as `openRedisJobs`. */
export function readLastRuns(options: RedisByHand): Promise<readonly JobRun[]> {
  return connected(options, async (connection) => {
    const names = await kindsIn(connection, options.prefix);
    const found: JobRun[] = [];
    for (const name of names) {
      const runs = await withQueue(connection, options, name, (queue) => queue.all());
      const last = runs.find(({ attempts }) => attempts > 0);
      if (last !== undefined) found.push(last);
    }
    return found;
  });
}

/**
 * Keeps a job's run that somebody did by hand. Refuses with `conflict` when one of the job counts as under way, or there is
 * one for the slot.
 */
export function recordRun(options: RedisByHand, run: RunByHand): Promise<void> {
  return connected(options, async (connection) => {
    if (await withQueue(connection, options, run.kind, (queue) => queue.record(run))) return;
    throw new LodeError('conflict', `A run of ${run.kind} is under way, or one for ${run.slot} is there.`);
  });
}

/** Forgets all runs. */
export function forgetRuns(options: RedisByHand): Promise<void> {
  return connected(options, async (connection) => {
    for await (const keys of keysIn(connection, `${options.prefix}:*`))
      if (keys.length > 0) await connection.guarded(() => connection.client.unlink(keys));
  });
}

async function connected<T>(
  { url, timeoutMs }: RedisByHand,
  work: (connection: RedisConnection) => Promise<T>,
): Promise<T> {
  const connection = await connectRedis({ url, timeoutMs, random: systemRandom });
  try {
    return await work(connection);
  } finally {
    connection.close();
  }
}

async function withQueue<T>(
  connection: RedisConnection,
  { prefix }: RedisByHand,
  name: string,
  work: (queue: RedisRunQueue) => Promise<T>,
): Promise<T> {
  const token = randomSecret(systemRandom, TOKEN_BYTES);
  const queue = createRunQueue({ connection, kind: { name, attempts: 1 }, limits: jobLimits, prefix, token });
  try {
    return await work(queue);
  } finally {
    await queue.close();
  }
}

async function kindsIn(connection: RedisConnection, prefix: string): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const keys of keysIn(connection, `${prefix}:*${META}`))
    for (const key of keys) names.push(decodeURIComponent(key.slice(prefix.length + 1, -META.length)));
  // Redis may give a key more than once.
  return [...new Set(names)].sort();
}

async function* keysIn({ client, guarded }: RedisConnection, pattern: string): AsyncGenerator<string[]> {
  let cursor = '0';
  do {
    const [next, keys] = await guarded(() => client.scan(cursor, 'MATCH', pattern, 'COUNT', SCANNED));
    yield keys;
    cursor = next;
  } while (cursor !== '0');
}
