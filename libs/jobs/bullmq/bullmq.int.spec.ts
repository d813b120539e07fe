import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { inspect } from 'node:util';
import { serializeError, systemRandom } from '#kernel';
import { describeWhere, opened, until } from '#kernel/testing';
import { createRedisJobs, openRedisJobs, type RedisJobsOptions } from '#jobs/bullmq';
import { lackingRedis, redisServer, startRedis, type TestRedis } from '#jobs/bullmq/testing';
import { describeJobs } from '#jobs/contract';
import { jobLimits, type JobKind, type JobProblem, type Jobs } from '#jobs';
import { connectRedis, type RedisConnection } from './connection.js';
import { createRunQueue } from './runs.js';

const counting: JobKind = { name: 'count', everyMs: () => 3_600_000, attempts: 3, run: async () => ({}) };

/** Jobs that soon say that Redis is away. */
const openHasty = (options: RedisJobsOptions) => opened(() => openRedisJobs({ timeoutMs: 500, ...options }));

describeWhere(redisServer !== undefined, 'jobs on Redis', lackingRedis, () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  /** Of one test, whatever becomes of it. */
  let owned: readonly TestRedis[] = [];
  const startOwn = async (options?: readonly string[]) => {
    const own = await startRedis(options);
    owned = [...owned, own];
    return own;
  };
  afterEach(async () => {
    await Promise.all(owned.map((own) => own.stop()));
    owned = [];
  });

  describeJobs('Redis', async () => {
    const connections = new Map<Jobs, RedisConnection>();
    return {
      open: async ({ limits, ...options }) => {
        const connection = await connectRedis({ url: redis.url, random: systemRandom, timeoutMs: 60_000 });
        const jobs = createRedisJobs(connection, {
          ...options,
          // The clock of leases is that of Redis, which goes on while this process has no time for signs of life.
          limits: { ...limits, leaseMs: 4_000 },
          onProblem: () => undefined,
        });
        connections.set(jobs, connection);
        return jobs;
      },
      kill: async (jobs) => connections.get(jobs)!.close(),
      lose: () => redis.flush(),
      cleanUp: async () => {
        for (const connection of connections.values()) connection.close();
        await redis.flush();
      },
    };
  });

  test('settle what was asked of them soon when Redis is away, and go on when it is there again', async () => {
    const own = await startOwn();
    const told: (JobProblem | 'recovered')[] = [];
    const jobs = await openHasty({
      url: own.url,
      kinds: [counting, { ...counting, name: 'another' }],
      onProblem: (problem) => told.push(problem),
      onRecovered: () => told.push('recovered'),
    });
    for (const { away, back } of [
      { away: own.kill, back: own.start },
      { away: own.pause, back: own.resume },
    ]) {
      await away();
      await expect(jobs.runNow('count')).rejects.toMatchObject({ code: 'unavailable' });
      await expect(jobs.schedules()).rejects.toMatchObject({ code: 'unavailable' });
      await expect(jobs.reach()).rejects.toMatchObject({ code: 'unavailable' });
      await jobs.reconcile();
      await jobs.reconcile();
      await back();
      while (!(await jobs.runNow('count').catch(() => undefined))) await setImmediate();
      await until(() => told.at(-1) === 'recovered');
      // Once for each time that it was away, however often it was asked, and by how many kinds.
      const gone = { message: expect.stringContaining(`Redis at ${own.url} cannot`) };
      expect(told).toEqual(told.map((_, index) => (index % 2 === 0 ? gone : 'recovered')));
      told.length = 0;
    }
    await jobs.stop();
  });

  test('say what a Redis that is there refuses', async () => {
    const own = await startOwn(['--maxmemory', '1']);
    const jobs = await openRedisJobs({ url: own.url, kinds: [counting], onProblem: () => undefined });
    await expect(jobs.runNow('count')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(`Redis at ${own.url} refuses a command: OOM`),
    });
    await jobs.stop();
  });

  test('take up what Redis gave them when the answer was lost, and leave it to no other meanwhile', async () => {
    const connection = await connectRedis({ url: redis.url, random: systemRandom, timeoutMs: 60_000 });
    const queueOf = (token: string) =>
      createRunQueue({ connection, kind: counting, limits: jobLimits, prefix: 'lost', token });
    const [ours, other] = [queueOf('ours'), queueOf('other')];
    await ours.ask('2026-01-01T00:00:00.000Z', 'hand');
    const lost = await ours.claim();
    expect(await other.claim()).toBeUndefined();
    const job = await ours.claim();
    expect([lost?.id, job?.id]).toEqual([job?.id, 'count%2F2026-01-01T00%3A00%3A00.000Z']);
    await ours.begin(job!, '2026-01-01T00:00:00.000Z');
    await ours.leave(job!, { state: 'done', report: {} }, '2026-01-01T00:00:01.000Z');
    expect(await ours.all()).toMatchObject([{ state: 'done', attempts: 1 }]);
    expect([await ours.claim(), await other.claim()]).toEqual([undefined, undefined]);
    await Promise.all([ours.close(), other.close()]);
    connection.close();
  });

  describe('tell a run to end', () => {
    /** A run that goes on until it is told to end, and then says why; on a Redis of its own. */
    const hanging = async (times: { readonly timeoutMs: number; readonly leaseMs: number }) => {
      const own = await startOwn();
      const told = Promise.withResolvers<string>();
      let begun = 0;
      const run: JobKind['run'] = async ({ signal }) => {
        begun += 1;
        if (begun > 1) return {};
        return new Promise<never>((_, reject) => {
          signal.addEventListener('abort', () => {
            told.resolve(String(signal.reason));
            reject(signal.reason as Error);
          });
        });
      };
      const jobs = await openHasty({
        url: own.url,
        kinds: [{ ...counting, run }],
        clock: () => 0,
        onProblem: () => undefined,
        timeoutMs: times.timeoutMs,
        limits: { leaseMs: times.leaseMs, reconcileMs: 20, retryFirstMs: 1 },
      });
      jobs.start();
      while (begun === 0) await setImmediate();
      return { own, jobs, told: told.promise };
    };
    const lastOf = async (jobs: Jobs) => (await jobs.runs('count', 1).catch(() => []))[0];

    test('when Redis was emptied, and what is due runs again', async () => {
      const { own, jobs, told } = await hanging({ timeoutMs: 60_000, leaseMs: 10_000 });
      await own.flush();
      expect(await told).toBe('Error: its lock was lost');
      while ((await lastOf(jobs))?.state !== 'done') await setImmediate();
      expect(await lastOf(jobs)).toMatchObject({ slot: '1970-01-01T00:00:00.000Z', attempts: 1 });
      await jobs.stop();
    });

    test('when Redis was away for a lease, and it is taken up again', async () => {
      const { own, jobs, told } = await hanging({ timeoutMs: 500, leaseMs: 2_000 });
      await own.pause();
      expect(await told).toBe('Error: Redis could not be reached for as long as a lease');
      await own.resume();
      while ((await lastOf(jobs))?.state !== 'done') await setImmediate();
      await jobs.stop();
    });
  });

  test('run one of a kind at a time in a Redis that was emptied while they had it open', async () => {
    const own = await startOwn();
    const gate = Promise.withResolvers<void>();
    let now = 1;
    let begun = 0;
    const run = async () => {
      begun += 1;
      await gate.promise;
      return {};
    };
    const open = () =>
      openRedisJobs({
        url: own.url,
        kinds: [{ ...counting, run }],
        clock: () => now,
        onProblem: () => undefined,
      });
    const [first, second] = [await open(), await open()];
    await own.flush();
    expect((await first.runNow('count')).state).toBe('running');
    now += 1;
    expect((await second.runNow('count')).state).toBe('waiting');
    expect(begun).toBe(1);
    gate.resolve();
    await Promise.all([first.stop(), second.stop()]);
  });

  test('stop although Redis is away', async () => {
    const own = await startOwn();
    const ended = Promise.withResolvers<void>();
    const run: JobKind['run'] = ({ signal }) =>
      new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => {
          ended.resolve();
          reject(new Error('interrupted'));
        });
      });
    const jobs = await openHasty({
      url: own.url,
      kinds: [{ ...counting, run }],
      onProblem: () => undefined,
    });
    await jobs.runNow('count');
    await own.pause();
    await jobs.stop();
    await ended.promise;
  });

  describe('are refused', () => {
    const open = (url: string, timeoutMs = 60_000) =>
      openRedisJobs({ url, kinds: [], onProblem: () => undefined, timeoutMs });
    const refusal = async (url: string, timeoutMs?: number) =>
      open(url, timeoutMs).catch((error: unknown) => serializeError(error));
    const on = async <T>(options: readonly string[], work: (own: TestRedis) => Promise<T>): Promise<T> => {
      const own = await startOwn(options);
      return work(own).finally(own.stop);
    };

    test('by a Redis that would throw a part of them away, with what to set', async () => {
      await on(['--maxmemory-policy', 'allkeys-lru'], async ({ url }) => {
        expect(await refusal(url)).toEqual({
          code: 'storage_failed',
          message: `Redis at ${url} may throw away parts of a job when its memory is full (maxmemory-policy allkeys-lru). Set maxmemory-policy noeviction in its configuration.`,
        });
      });
    });

    test('without a password and with a wrong one, in words that hold none', async () => {
      const password = 'r@i:g/h?t#%';
      await on(['--requirepass', password], async ({ url, port }) => {
        expect(await refusal(url)).toEqual({
          code: 'storage_failed',
          message: `Redis at ${url} wants a password, and its address has none. Give it as redis://:password@host:6379.`,
        });
        expect(await refusal(`redis://:hunter2@127.0.0.1:${port}`)).toEqual({
          code: 'storage_failed',
          message: `Redis at ${url} takes neither this name nor this password, or not together.`,
        });
        await (await open(`redis://:${encodeURIComponent(password)}@127.0.0.1:${port}`)).stop();
      });
    });

    test('when nothing is there, when nothing answers, and when the address is none', async () => {
      const url = await on([], async (own) => {
        await own.pause();
        expect(await refusal(`redis://:hunter2@127.0.0.1:${own.port}`, 1_000)).toEqual({
          code: 'unavailable',
          message: expect.stringContaining(`Redis at ${own.url} cannot be reached: `),
          told: "The store of jobs can't be reached.",
        });
        await own.resume();
        return own.url;
      });
      expect(await refusal(url.replace('//', '//:hunter2@'))).toEqual({
        code: 'unavailable',
        message: `Redis at ${url} cannot be reached: connect ECONNREFUSED ${url.slice('redis://'.length)}`,
        told: "The store of jobs can't be reached.",
      });
      for (const wrong of ['http://:hunter2@127.0.0.1', 'http://127.0.0.1?password=hunter2'])
        expect(await refusal(wrong)).toEqual({
          code: 'storage_failed',
          message:
            'http://127.0.0.1 is no address of a Redis. One looks like redis://name:password@host:6379/0, or rediss:// for TLS, with nothing behind it.',
        });
    });

    test('and no error holds the password, in whatever part of it', async () => {
      await on(['--requirepass', 'right'], async ({ port }) => {
        const error = await open(`redis://:hunter2@127.0.0.1:${port}`).catch((thrown: unknown) => thrown);
        expect(inspect(error, { depth: Infinity, showHidden: true })).not.toContain('hunter2');
      });
    });
  });
});
