import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { quantile } from './client.mjs';

/** Kinds whose runs are asked for at once; of each, one run is under way at a time. */
const KINDS = 8;
const HOUR_MS = 3_600_000;

/**
 * Runs that were asked for by hand, done and kept, a second: by the embedded adapter, and by that of Redis with a
 * redis-server of its own when this machine has one.
 */
export async function measureJobs(root, folder, seconds, say) {
  const dist = (...path) => import(join(root, 'dist', 'libs', 'jobs', ...path, 'index.js'));
  const { createInProcessJobs } = await dist('in-process');
  const { openRedisJobs } = await dist('bullmq');
  const { lackingRedis, redisServer, startRedis } = await dist('bullmq', 'testing');
  const name = (adapter) => `jobs: ${KINDS} kinds, one run after another, ${adapter}`;

  const database = new DatabaseSync(join(folder, 'processes.sqlite'));
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
  const rows = [
    {
      name: name('embedded'),
      ...(await rate((options) => createInProcessJobs({ ...options, database }), seconds)),
    },
  ];
  database.close();
  if (redisServer === undefined) {
    say(`not run: jobs on Redis (${lackingRedis})`);
    return rows;
  }
  const redis = await startRedis();
  rows.push({
    name: name('Redis'),
    ...(await rate((options) => openRedisJobs({ ...options, url: redis.url }), seconds)),
  });
  await redis.stop();
  return rows;
}

async function rate(open, seconds) {
  const done = new Map();
  // Each run has a moment, and so an id, of its own.
  let now = 0;
  const kinds = Array.from({ length: KINDS }, (_, number) => ({
    name: `bench-${number}`,
    everyMs: () => HOUR_MS,
    attempts: 1,
    run: async () => {
      done.get(`bench-${number}`).resolve();
      return {};
    },
  }));
  const fail = ({ message }) => {
    throw new Error(message);
  };
  const jobs = await open({ kinds, clock: () => ++now, onProblem: fail });
  const latencies = [];
  const start = performance.now();
  await Promise.all(
    kinds.map(async ({ name }) => {
      while (performance.now() - start < seconds * 1_000) {
        done.set(name, Promise.withResolvers());
        const sent = performance.now();
        await jobs.runNow(name);
        await done.get(name).promise;
        latencies.push(performance.now() - sent);
      }
    }),
  );
  const elapsed = (performance.now() - start) / 1_000;
  await jobs.stop();
  latencies.sort((a, b) => a - b);
  return {
    perSecond: latencies.length / elapsed,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  };
}
