import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { until } from '#kernel/testing';
import { openMongoLeases } from '#leases/mongodb';
import { startDouble, type MongoDbDouble } from '#mongodb/double';
import { createClosing } from './closing.js';
import type { EngineSettings } from './engines.js';
import { openInTurn } from './starting.js';

let server: MongoDbDouble;
beforeEach(async () => {
  server = await startDouble({ replicaSet: 'rs0' });
});
afterEach(() => server.stop());

/** A start on these servers, which opens nothing but says that it did. */
function start(servers: Partial<EngineSettings>) {
  const state = { isOpened: false };
  const settings = { dataFolder: '/nowhere', mongodbUrl: server.url, ...servers };
  const options = { holder: 'here', closing: createClosing(), tell: () => undefined };
  const opened = openInTurn(settings, options, async () => void (state.isOpened = true));
  return { state, opened };
}

test('a start where everything is on servers (double) waits until no other program opens them; one with a folder of its own does not', async () => {
  const others = await openMongoLeases({ url: server.url, database: 'lode', holder: 'other' });
  const lease = await others.acquire('starting');
  await start({}).opened;
  server.resetCounts();
  const { state, opened } = start({ eventStoreUrl: 'esdb://nowhere', s3Url: 'http://nowhere/bucket' });
  await until(() => (server.commands().get('findAndModify') ?? 0) >= 2);
  expect(state.isOpened).toBe(false);
  await lease?.release();
  await opened;
  expect(state.isOpened).toBe(true);
  // Nobody waits for it: it gave its turn back.
  expect(await others.isHeld('starting')).toBe(false);
  await others.close();
});
