import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findVersitygw } from '#files/s3/testing';
import { redisServer } from '#jobs/bullmq/testing';
import { describeWhere, until } from '#kernel/testing';
import { everyPart } from '../parts.js';
import {
  activeBuild,
  checkNothingLost,
  codeOf,
  createCluster,
  killInTurn,
  SEED,
  signIn,
  tell,
  type Load,
} from '../testing/index.js';

/* Three of each program on the same servers, killed one after another under load. */

const OF_EACH = 3;
/** How many are killed in all; `LODE_PROGRAM_KILLS` says otherwise. Each round kills one of each kind. */
const KILLS = Number(process.env['LODE_PROGRAM_KILLS'] ?? 12);
const ROUNDS = Math.ceil(KILLS / everyPart.length);
/** Ends a test that hangs. More kills than these take longer than the default. */
const TEST_MS = 600_000 + KILLS * 60_000;

const isHere = redisServer !== undefined && findVersitygw() !== undefined;

describeWhere(isHere, 'three of each (doubles of two servers)', 'no redis-server or versitygw', () => {
  const cluster = createCluster(OF_EACH);
  const { folder, programs } = cluster;
  let load: Load;

  beforeAll(async () => {
    load = await cluster.start(ROUNDS);
  });
  afterAll(() => cluster.stop());

  test(
    `lose nothing and do nothing twice when they are killed in turn under load (${KILLS} kills, seed ${SEED})`,
    async () => {
      await killInTurn(cluster, load, KILLS);
      await checkNothingLost(cluster, load);
    },
    TEST_MS,
  );

  test(
    'do what is ordered of the projections while nobody runs them, as soon as somebody does',
    async () => {
      const [api] = programs.api;
      if (api === undefined) throw new Error('there is an API');
      for (const program of programs.projector.splice(0)) {
        program.child.kill('SIGKILL');
        await program.ended;
      }
      const again = await signIn(api.visitor, load.admin);
      const before = await activeBuild(folder, 'products');
      const asked = await again.api.call('rebuildModel', { params: { model: 'products' } });
      expect([asked.status, codeOf(asked)]).toEqual([503, 'unknown_outcome']);
      await cluster.add('projector');
      await until(async () => (await activeBuild(folder, 'products')) > before);
      await until(async () =>
        (await again.api.get('projections')).models.every(({ state }) => state === 'current'),
      );
      expect(await tell(folder, 'verify')).toMatchObject({ code: 0, json: { wrong: [] } });
    },
    TEST_MS,
  );
});
