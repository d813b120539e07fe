import type { DatabaseSync } from 'node:sqlite';
import type { JobRun, RunByHand } from '#jobs';
import { createInProcessJobs, recordRun as recordInFile } from '#jobs/in-process';
import { invariant, systemRandom } from '#kernel';
import type { Closing } from './closing.js';
import type { Engines, EngineSettings } from './engines.js';
import { logIdOf, type LogEngine } from './log.js';

type Where = Pick<EngineSettings, 'redisUrl' | 'redisMayBeAway'>;
type InFile = { readonly database: DatabaseSync; readonly owner: string };

/** Loaded where there is a Redis alone: its clients would make every command and thread without one start later. */
const redis = () => import('#jobs/bullmq');

/** Jobs in Redis when there is an address of one, else in the file of what processes remember. Errors as `connectRedis`. */
export async function openJobs(
  { redisUrl, redisMayBeAway }: Where,
  { database, owner, logId }: InFile & { readonly logId: string },
  closing: Closing,
): Promise<Engines['createJobs']> {
  if (redisUrl === undefined) return (options) => createInProcessJobs({ ...options, database, owner });
  const { connectRedis, createRedisJobs, redisDefaults } = await redis();
  const { timeoutMs } = redisDefaults;
  const connection = await connectRedis({
    url: redisUrl,
    random: systemRandom,
    timeoutMs,
    mayBeAway: redisMayBeAway ?? false,
  });
  closing.add(connection.close);
  return (options) => createRedisJobs(connection, { ...options, prefix: redisPrefixOf(logId) });
}

/** The last run of each job in Redis; undefined when jobs are kept in the folder. */
export function runsInRedis(
  { redisUrl }: Where,
  log: LogEngine,
): (() => Promise<readonly JobRun[]>) | undefined {
  if (redisUrl === undefined) return undefined;
  return async () => {
    const [{ readLastRuns }, place] = [await redis(), await placeInRedis(redisUrl, log)];
    return place === undefined ? [] : readLastRuns(place);
  };
}

/** Keeps a run that was done by hand where jobs are kept. `openFile` opens what the processes remember. */
export async function keepRun(
  { redisUrl }: Where,
  { log, openFile }: { readonly log: LogEngine; readonly openFile: () => DatabaseSync },
  run: RunByHand,
): Promise<void> {
  if (redisUrl !== undefined) {
    const [{ recordRun }, place] = [await redis(), await placeInRedis(redisUrl, log)];
    invariant(place !== undefined, 'what was done by hand was done to a log');
    return recordRun(place, run);
  }
  const database = openFile();
  try {
    recordInFile(database, run);
  } finally {
    database.close();
  }
}

/** Forgets the runs in Redis, if jobs are kept there. */
export async function forgetRunsInRedis({ redisUrl }: Where, log: LogEngine): Promise<void> {
  if (redisUrl === undefined) return;
  const [{ forgetRuns }, place] = [await redis(), await placeInRedis(redisUrl, log)];
  if (place !== undefined) await forgetRuns(place);
}

/** Where the runs of a log's jobs are; undefined for a log that has none yet. */
async function placeInRedis(url: string, log: LogEngine) {
  const [{ redisDefaults }, logId] = [await redis(), await logIdOf(log)];
  return logId === undefined ? undefined : { ...redisDefaults, url, prefix: redisPrefixOf(logId) };
}

/** What keys and channels of a log begin with in Redis: those of another log are not seen. */
export function redisPrefixOf(logId: string): string {
  return `lode:${logId}`;
}
