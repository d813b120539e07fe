import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDouble, type MongoDbDouble } from '#mongodb/double';
import { openMongoOrders } from '#orders/mongodb';
import { logOf } from './log.js';
import { forgetProcesses } from './processes.js';
import { PROJECTOR } from './turns.js';

let folder: string;
let server: MongoDbDouble;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lode-engines-'));
  server = await startDouble();
});
afterEach(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

test('what was ordered (double) is forgotten with what reactors remember: the log is not what it was', async () => {
  const log = logOf({ dataFolder: folder });
  const own = await log.open();
  const { logId } = await own.events.ensureHeader();
  await own.events.close();
  const place = { url: server.url, database: 'lode' };
  const [orders, others] = [
    await openMongoOrders({ ...place, logId }),
    await openMongoOrders({ ...place, logId: 'another' }),
  ];
  const order = { id: 'one', to: PROJECTOR, what: { ask: 'replay', model: 'accounts', stream: null } };
  for (const one of [orders, others]) await one.place(order);
  await forgetProcesses({ dataFolder: folder, mongodbUrl: server.url }, log);
  expect([await orders.waiting([PROJECTOR]), await others.waiting([PROJECTOR])]).toEqual([[], [order]]);
  for (const one of [orders, others]) await one.close();
});
