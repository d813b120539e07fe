import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { createExecutor } from '#commands';
import { openEngines, type Engines } from '#engines';
import { isLodeError, logStart, systemClock, systemTimers, type Timers } from '#kernel';
import { until } from '#kernel/testing';
import { accessDecider, accessStream, productDecider, productStream } from '#ledger';
import { walletModels } from '#projections';
import { createProjector, type Projector } from './index.js';
import type { ProjectorData } from './messages.js';
import { threadOf } from './start-thread.js';

const fields = {
  ...{ amount: 1n, ownerName: 'Ann', productName: 'Rig', description: '', title: '', subtitle: '' },
  ...{ image: 'i', ownerImage: 'o', recommendedImages: [] },
};
/** The longest that anybody waits for a position here, in milliseconds. */
const WAIT_MS = 60_000;
/** Deaths of a thread one after the other. */
const DEATHS = 2;
/** The first two pauses before a thread is begun again are of a length between these; the test has no time for them. */
const [SHORTEST_MS, LONGEST_MS] = [500, 1_999];
const timers: Timers = {
  ...systemTimers,
  after: (ms, done) => systemTimers.after(ms >= SHORTEST_MS && ms <= LONGEST_MS ? 1 : ms, done),
};

describe('a projector whose thread dies', () => {
  let folder: string;
  let engines: Engines;
  let projector: Projector;
  let workers: Worker[];
  let problems: Readonly<Record<string, unknown>>[];
  let restarts: number;
  /** Has the next threads die as soon as they begin. */
  let stillborn: number;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lode-death-'));
    engines = await openEngines({ dataFolder: folder }, 'serve', () => undefined);
    [workers, problems, restarts, stillborn] = [[], [], 0, 0];
    projector = createProjector({
      thread: () => {
        const handle = engines.share();
        const worker = new Worker(new URL('./thread.js', import.meta.url), {
          workerData: { engines: handle, isBesideCommands: false } satisfies ProjectorData,
          transferList: handle.transfer,
        });
        workers.push(worker);
        if (stillborn > 0) {
          stillborn -= 1;
          void worker.terminate();
        }
        return threadOf(worker);
      },
      models: engines.models,
      leases: engines.leases,
      timers,
      onProblem: (problem) => problems.push(problem),
      onRestart: () => (restarts += 1),
      say: () => undefined,
    });
    await projector.start();
  });
  afterEach(async () => {
    await projector.stop();
    await engines.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const context = () => {
    const id = randomUUID();
    const actor = { kind: 'operator', id: 'operator', role: 'system' } as const;
    return { actor, commandId: id, requestHash: 'h', correlationId: id, causationId: id };
  };
  /** Something that a reactor handles; gives where it is. */
  async function signIn() {
    const executor = createExecutor({ store: engines.events, decider: accessDecider, clock: systemClock });
    const command = { type: 'RecordSignIn', sessionId: randomUUID() } as const;
    return (await executor.execute(accessStream('anna'), command, context())).position;
  }
  /** Something that changes a document which people look at. */
  async function createProduct() {
    const executor = createExecutor({ store: engines.events, decider: productDecider, clock: systemClock });
    const productId = randomUUID();
    const command = { type: 'CreateProduct', productId, fields } as const;
    await executor.execute(productStream(productId), command, context());
    return productId;
  }

  const kill = () => workers.at(-1)?.terminate();
  const isWell = async () => {
    try {
      return (await projector.feed.status()).length === walletModels.length;
    } catch (error) {
      if (isLodeError(error) && error.code === 'unavailable') return false;
      throw error;
    }
  };

  test('is not ready until another one is begun, which goes on where the one before was', async () => {
    const changed: string[] = [];
    projector.feed.onChanges((changes) => changed.push(...changes.map(({ id }) => id)));
    const first = await signIn();
    expect(await projector.feed.waitFor(first, WAIT_MS)).toBe(true);
    for (let deaths = 1; deaths <= DEATHS; deaths++) {
      expect(await isWell()).toBe(true);
      await kill();
      await until(() => problems.length === deaths);
      expect(problems.at(-1)).toMatchObject({ type: 'ended' });
      // Whoever asks for it before another one is there is told at once, and whoever waits is not let down.
      expect(workers).toHaveLength(deaths);
      await expect(projector.feed.status()).rejects.toMatchObject({ code: 'unavailable' });
      expect(await projector.feed.waitFor(await signIn(), WAIT_MS)).toBe(true);
      await until(isWell);
      expect([restarts, workers.length]).toEqual([deaths, deaths + 1]);
      const { followUps } = await projector.reactions.followUps('access').read(logStart, 100);
      expect(followUps).toHaveLength(1 + deaths);
      const product = await createProduct();
      await until(() => changed.includes(product));
    }
    await projector.stop();
    await expect(projector.feed.status()).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('and that can’t be begun again is tried until it can', async () => {
    stillborn = 1;
    await kill();
    await until(() => restarts === 2 && stillborn === 0);
    await until(isWell);
    expect(problems.map(({ type }) => type)).toEqual(['ended', 'restarting']);
    expect(await projector.feed.waitFor(await signIn(), WAIT_MS)).toBe(true);
    await projector.stop();
  });

  test('while it is dead, can be stopped', async () => {
    stillborn = Number.MAX_SAFE_INTEGER;
    await kill();
    await until(() => restarts > 1);
    await projector.stop();
    await expect(projector.feed.status()).rejects.toMatchObject({ code: 'unavailable' });
  });
});
