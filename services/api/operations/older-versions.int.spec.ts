import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { positionOf } from '#kernel';
import { notifications, openPersonalData, transactions, trialBalance, walletModels } from '#projections';
import { decryptForTests, histories, memoryLog, settled, started } from '#projections/testing';
import { openSqliteReadStore, openSqliteReadStoreReader } from '#read-store/sqlite';
import { quietApi } from '../../lode/testing/index.js';

const folder = mkdtempSync(join(tmpdir(), 'lode-older-versions-'));
const file = join(folder, 'read-models.sqlite');
const store = openSqliteReadStore({ file });
const reader = openSqliteReadStoreReader({ file });
const [history] = fc.sample(histories, 1);
const log = memoryLog(history?.events);
let app: Awaited<ReturnType<typeof quietApi>>;

beforeAll(async () => {
  app = await quietApi({
    ports: {
      eventStore: log,
      readStore: reader,
      identity: { sessions: { authenticate: () => ({ userId: 'ada', role: 'admin', sessionId: 's1' }) } },
      projections: { onChanges: () => () => undefined, onRebuilt: () => () => undefined },
    },
  });
});
afterAll(async () => {
  await app.close();
  await reader.close();
  await store.close();
  rmSync(folder, { recursive: true });
});

/** Makes documents of version 2, whose ids were in another order or of other stretches, what queries read. */
async function leaveVersion2(): Promise<void> {
  for (const { name } of [transactions, notifications, trialBalance]) {
    const build = await store.begin({ name, version: 2, indexes: [] }, { bulk: false });
    const old = { id: 'event-1', position: positionOf(1), sums: {}, userId: 'anna' };
    await store.write([
      { build, checkpoint: { position: positionOf(1), ordinal: 1 }, put: [old], remove: [] },
    ]);
    await store.activate(build);
    // The API has the file open before the projector sees it.
    expect(await reader.get(name, 'event-1')).toEqual(old);
  }
}

test('what is misread today is never answered with: 503 while it is built anew, and right after', async () => {
  await leaveVersion2();
  const { promise: held, resolve: letOn } = Promise.withResolvers<undefined>();
  const running = started({
    log: { ...log, readAll: (after, limit) => held.then(() => log.readAll(after, limit)) },
    store,
    models: walletModels,
    open: openPersonalData(decryptForTests),
  });
  const { runner } = running;
  while (runner.health().models.some(({ version }, n) => version !== walletModels[n]?.version))
    await new Promise(setImmediate);
  expect(new Set(runner.health().models.map(({ state }) => state))).toEqual(new Set(['rebuilding']));

  const asked = async (url: string) => {
    const { statusCode, headers, ...answer } = await app.inject({
      method: 'GET',
      url: `/api${url}`,
      headers: { authorization: 'Bearer any' },
    });
    return [statusCode, headers['retry-after'], answer.json<unknown>()] as const;
  };
  const queries = [
    ['/transactions', 'transactions'],
    ['/transactions?type=credit&currency=BTC', 'transactions'],
    ['/accounts/anna/transactions', 'transactions'],
    ['/accounts/anna/notifications', 'notifications'],
    ['/trial-balance', 'trial-balance'],
    // That there was none of in the version before.
    ['/daily-sums?from=2026-01-01&to=2026-01-02', 'daily-sums'],
  ] as const;
  for (const [url, model] of queries) {
    const detail = `The read model ${model} is being built.`;
    expect(await asked(url)).toEqual([503, '1', expect.objectContaining({ code: 'unavailable', detail })]);
  }

  letOn(undefined);
  const head = await log.head();
  await settled(running, head);
  for (const [url] of queries) expect([url, (await asked(url))[0]]).toEqual([url, 200]);
  expect(await asked('/transactions?limit=1')).toMatchObject([200, undefined, { items: [{}] }]);
  expect(await asked('/trial-balance')).toMatchObject([200, undefined, { position: head, balanced: true }]);
  await runner.stop();
});
