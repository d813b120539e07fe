import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openRedisJobs } from '#jobs/bullmq';
import { lackingRedis, redisServer, startRedis, type TestRedis } from '#jobs/bullmq/testing';
import { describeWhere, opened, until } from '#kernel/testing';
import type { JobKind } from '#jobs';

/* What a Redis that is emptied, killed and paused in the middle of runs does to work that comes to the same twice. */

const OUTAGES = 50;
const EVERY = 3_600_000;
const START = Math.floor(Date.parse('2026-03-01T00:00:00.000Z') / EVERY) * EVERY;
/** Of the programs that share the Redis, in milliseconds. */
const TIMES = { timeoutMs: 300, leaseMs: 600, reconcileMs: 20, retryFirstMs: 1, retryLastMs: 5 };

/** A ledger that knows each credit by its slot, as an account knows the id of a command. */
function createLedger() {
  const credited = new Map<string, number>();
  let tries = 0;
  return {
    credit: (slot: string) => {
      tries += 1;
      if (!credited.has(slot)) credited.set(slot, 1);
    },
    credited,
    tries: () => tries,
  };
}

describeWhere(redisServer !== undefined, 'jobs on a Redis that fails', lackingRedis, () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  test(`${OUTAGES} times in the middle of a run forget no slot and do no work twice`, async () => {
    const ledger = createLedger();
    let now = START;
    let problems = 0;
    let begun = Promise.withResolvers<void>();
    let gate = Promise.withResolvers<void>();
    const kind: JobKind = {
      name: 'credit',
      everyMs: () => EVERY,
      attempts: 1_000,
      run: async ({ slot, signal }) => {
        begun.resolve();
        const told = new Promise<never>((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        });
        await Promise.race([gate.promise, told]);
        ledger.credit(slot);
        return {};
      },
    };
    const open = () =>
      opened(() =>
        openRedisJobs({
          url: redis.url,
          kinds: [kind],
          clock: () => now,
          limits: TIMES,
          timeoutMs: TIMES.timeoutMs,
          onProblem: () => (problems += 1),
        }),
      );
    const workers = [await open(), await open()] as const;
    for (const worker of workers) worker.start();

    const noticed = async () => {
      const before = problems;
      await until(() => problems > before);
    };
    const outages = [
      redis.flush,
      async () => {
        await redis.kill();
        await noticed();
        await redis.start();
      },
      async () => {
        await redis.pause();
        await noticed();
        await redis.resume();
      },
    ];
    for (let number = 0; number < OUTAGES; number++) {
      begun = Promise.withResolvers();
      gate = Promise.withResolvers();
      now = START + number * EVERY;
      await begun.promise;
      await outages[number % outages.length]!();
      gate.resolve();
      const slot = new Date(now).toISOString();
      const isDone = async () => {
        const runs = await workers[number % 2]!.runs('credit', 10).catch(() => []);
        return runs.some((run) => run.slot === slot && run.state === 'done');
      };
      await until(isDone);
      expect(ledger.credited.get(slot)).toBe(1);
    }
    for (const worker of workers) await worker.stop();
    expect(ledger.credited.size).toBe(OUTAGES);
    // Work was begun more often than it had an effect, or there were no outages at all.
    expect(ledger.tries()).toBeGreaterThan(OUTAGES);
  });
});
