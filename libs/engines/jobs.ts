import type { DatabaseSync } from 'node:sqlite';
import type { JobRun, RunByHand } from '#jobs';
import { createInProcessJobs, recordRun as recordInFile } from '#jobs/in-process';
import { systemRandom } from '#kernel';
import type { Closing } from './closing.js';
import type { Engines, EngineSettings } from './engines.js';

type Where = Pick<EngineSettings, 'redisUrl'>;

/** Loaded where there is a Redis alone: its clients would make every command and thread without one start later. */
const redis = () => import('#jobs/bullmq');

/** Jobs in Redis when there is an address of one, else in the file of what processes remember. Errors as `connectRedis`. */
export async function openJobs(
  { redisUrl }: Where,
  { database, owner }: { readonly database: DatabaseSync; readonly owner: string },
  closing: Closing,
): Promise<Engines['createJobs']> {
  if (redisUrl === undefined) return (options) => createInProcessJobs({ ...options, database, owner });
  const { connectRedis, createRedisJobs, redisDefaults } = await redis();
  const { timeoutMs } = redisDefaults;
  const connection = await connectRedis({ url: redisUrl, random: systemRandom, timeoutMs });
  closing.add(connection.close);
  return (options) => createRedisJobs(connection, options);
}

/** The last run of each job in Redis; undefined when jobs are kept in the folder. */
export function runsInRedis({ redisUrl }: Where): (() => Promise<readonly JobRun[]>) | undefined {
  if (redisUrl === undefined) return undefined;
  return async () => {
    const { readLastRuns, redisDefaults } = await redis();
    return readLastRuns({ ...redisDefaults, url: redisUrl });
  };
}

/** Keeps a run that was done by hand where jobs are kept. `openFile` opens what the processes remember. */
export async function keepRun(
  { redisUrl }: Where,
  openFile: () => DatabaseSync,
  run: RunByHand,
): Promise<void> {
  if (redisUrl !== undefined) {
    const { recordRun, redisDefaults } = await redis();
    return recordRun({ ...redisDefaults, url: redisUrl }, run);
  }
  const database = openFile();
  try {
    recordInFile(database, run);
  } finally {
    database.close();
  }
}

/** Forgets the runs in Redis, if jobs are kept there. */
export async function forgetRunsInRedis({ redisUrl }: Where): Promise<void> {
  if (redisUrl === undefined) return;
  const { forgetRuns, redisDefaults } = await redis();
  await forgetRuns({ ...redisDefaults, url: redisUrl });
}
