import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JobKind, Jobs } from '#jobs';
import { describeWhere } from '#kernel/testing';
import { forgetRuns, openRedisJobs, readLastRuns, recordRun, redisDefaults } from '#jobs/bullmq';
import { lackingRedis, redisServer, startRedis, type TestRedis } from '#jobs/bullmq/testing';

const HOUR = 3_600_000;
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
const byHand = (slot: string) => ({
  kind: 'sweep',
  slot,
  startedAt: slot,
  endedAt: at(59),
  report: { done: 2 },
});

describeWhere(redisServer !== undefined, 'runs by hand in Redis', lackingRedis, () => {
  let redis: TestRedis;
  let jobs: Jobs | undefined;
  const inRedis = () => ({ ...redisDefaults, url: redis.url });
  const open = async (kind: Partial<JobKind> = {}): Promise<Jobs> => {
    const sweep = {
      name: 'sweep',
      everyMs: () => HOUR,
      attempts: 3,
      run: async () => ({ done: 1 }),
      ...kind,
    };
    jobs = await openRedisJobs({
      kinds: [sweep],
      onProblem: () => undefined,
      url: redis.url,
      clock: () => Date.parse(at(30)),
    });
    return jobs;
  };
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterEach(async () => {
    await jobs?.stop();
    jobs = undefined;
    await redis.flush();
  });
  afterAll(() => redis.stop());

  test('are listed as if they had been done here, and are the last ones', async () => {
    await recordRun(inRedis(), byHand(at(10)));
    await recordRun(inRedis(), byHand(at(20)));
    const run = {
      id: `sweep/${at(20)}`,
      ...byHand(at(20)),
      cause: 'hand',
      state: 'done',
      attempts: 1,
      error: null,
    };
    expect(await readLastRuns(inRedis())).toEqual([run]);
    const worker = await open();
    expect(await worker.runs('sweep', 10)).toEqual([run, expect.objectContaining({ slot: at(10) })]);
  });

  test('go before those that wait, which stay', async () => {
    const worker = await open({ run: () => Promise.reject(new Error('not now')) });
    await worker.reconcile();
    await worker.stop();
    await recordRun(inRedis(), byHand(at(20)));
    const again = await open();
    expect(await again.runs('sweep', 10)).toMatchObject([
      { slot: at(20), state: 'done' },
      { slot: at(0), state: 'waiting' },
    ]);
  });

  test('do not replace a run that there is', async () => {
    const worker = await open();
    const { slot } = await worker.runNow('sweep');
    const listed = async () => (await worker.runs('sweep', 10)).find((run) => run.slot === slot);
    while ((await listed())?.state !== 'done');
    await expect(recordRun(inRedis(), { ...byHand(slot), report: { done: 3 } })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await listed()).toMatchObject({ state: 'done', report: { done: 1 } });
  });

  test('are not left to be done again when one of the job is under way', async () => {
    const begun = Promise.withResolvers<undefined>();
    const worker = await open({
      run: ({ signal }) => {
        begun.resolve(undefined);
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('ended'))));
      },
    });
    await worker.reconcile();
    await begun.promise;
    await expect(recordRun(inRedis(), byHand(at(20)))).rejects.toMatchObject({ code: 'conflict' });
    expect(await worker.runs('sweep', 10)).toMatchObject([{ slot: at(0), state: 'running' }]);
  });

  test('are forgotten with all others', async () => {
    await recordRun(inRedis(), byHand(at(10)));
    await forgetRuns(inRedis());
    expect(await readLastRuns(inRedis())).toEqual([]);
    expect(await (await open()).runs('sweep', 10)).toEqual([]);
  });
});
