import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createIdentity, SHARED_TRUST_MS } from '#identity';
import { openMongoIdentityStore } from '#identity/mongodb';
import { startDouble, type MongoDbDouble } from '#mongodb/double';
import { quietApi } from '../../lode/testing/index.js';

/* Two APIs on one MongoDB, each with an identity of its own, on a clock that the test moves. */

const ANN = 'ann';
const closing: (() => Promise<unknown>)[] = [];
let server: MongoDbDouble;
let now: number;
beforeEach(async () => {
  now = Date.parse('2026-01-01T00:00:00.000Z');
  server = await startDouble({ replicaSet: 'rs0', clock: () => now });
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await server.stop();
});

async function api(owner: string) {
  const store = await openMongoIdentityStore({ url: server.url, database: 'lode' });
  closing.push(() => store.close());
  const clock = () => now;
  const identity = await createIdentity({
    store,
    owner,
    isOpen: async () => true,
    clock,
    monotonic: clock,
    trustMs: SHARED_TRUST_MS,
  });
  const projections = { waitFor: async () => true, onChanges: () => undefined, onRebuilt: () => undefined };
  const app = await quietApi({ ports: { identity, clock, projections } });
  closing.push(() => app.close());
  return {
    identity,
    status: async (token: string, method: 'GET' | 'POST', path: string) => {
      const headers = { authorization: `Bearer ${token}` };
      return (await app.inject({ method, url: path, headers })).statusCode;
    },
  };
}

test('the bound within which an ended session is let in nowhere is a second (double)', () => {
  expect(SHARED_TRUST_MS).toBeLessThanOrEqual(1_000);
});

test('once a revocation is answered, another API (double) lets nobody change or take along anything, and after the bound nothing at all', async () => {
  const [one, two] = [await api('one'), await api('two')];
  const { accessToken } = await one.identity.sessions.start(
    { userId: ANN, role: 'user' },
    { address: '192.0.2.1', agent: 'a test' },
  );
  const shown = () => two.status(accessToken, 'GET', '/api/me/sessions');
  const guarded = () =>
    Promise.all([
      two.status(accessToken, 'POST', '/api/transfers'),
      two.status(accessToken, 'POST', `/api/accounts/${ANN}/suspend`),
      two.status(accessToken, 'GET', `/api/accounts/${ANN}/transactions?format=csv`),
      two.status(accessToken, 'GET', '/api/files/0000'),
    ]);
  expect(await shown()).toBe(200);
  // Let in, and refused for what they lack, not for the session.
  expect(await guarded()).not.toContain(401);
  await one.identity.sessions.endAllSessions(ANN);
  expect(await guarded()).toEqual([401, 401, 401, 401]);
  now += SHARED_TRUST_MS;
  expect(await shown()).toBe(401);
  expect(await guarded()).toEqual([401, 401, 401, 401]);
});
