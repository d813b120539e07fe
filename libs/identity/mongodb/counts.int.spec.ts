import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { ATTEMPT_LIMITS, createIdentity, type Attempt, type Identity, type IdentityStore } from '#identity';
import { openMongoIdentityStore } from '#identity/mongodb';
import { hasCode } from '#kernel';
import { startDouble, type MongoDbDouble } from '#mongodb/double';

/* Two programs on one MongoDB, which count what is tried at an account together. */

const ANN = 'ann@example.org';
const { burst, everyMs } = ATTEMPT_LIMITS.account;
const hasher = { hash: async () => 'nothing', verify: async () => false };
const unknown = async () => false;

describe('attempts at an account, on MongoDB (double)', () => {
  let server: MongoDbDouble;
  let now: number;
  let stores: IdentityStore[];
  let programs: readonly [Identity, Identity];
  /** `ahead` is by how many milliseconds its clock is, beside that of the others. */
  const open = async (ahead = 0): Promise<Identity> => {
    const store = await openMongoIdentityStore({ url: server.url, database: 'lode' });
    stores.push(store);
    return createIdentity({ store, hasher, isOpen: async () => true, clock: () => now + ahead });
  };
  beforeEach(async () => {
    now = 1_000_000;
    stores = [];
    server = await startDouble({ replicaSet: 'rs0', clock: () => now });
    programs = [await open(), await open()];
  });
  afterEach(async () => {
    for (const store of stores) await store.close();
    await server.stop();
  });

  /** Attempts from as many networks, by turns through the programs and all at once; how many were let through. */
  const tryAll = async (count: number, from = 0): Promise<number> => {
    const tries = Array.from({ length: count }, async (_, n): Promise<number> => {
      const attempt: Attempt = { account: ANN, address: `198.51.100.${from + n}` };
      try {
        await programs[n % 2 === 0 ? 0 : 1].attempts.begin(attempt, unknown);
        return 1;
      } catch (error) {
        if (!hasCode(error, 'too_many_attempts')) throw error;
        return 0;
      }
    });
    return (await Promise.all(tries)).reduce((sum, one) => sum + one, 0);
  };

  test('are as many as one program would let through, however many are made at once and wherever', async () => {
    expect(await tryAll(2 * burst)).toBe(burst);
    const third = await open();
    await expect(
      third.attempts.begin({ account: ANN, address: '203.0.113.1' }, unknown),
    ).rejects.toMatchObject({ code: 'too_many_attempts', details: { retryAfterSeconds: everyMs / 1_000 } });
    await third.attempts.begin({ account: 'bob@example.org', address: '203.0.113.1' }, unknown);
    now += everyMs;
    expect(await tryAll(2, 200)).toBe(1);
  });

  test('are no more by programs whose clocks are apart', async () => {
    programs = [programs[0], await open(60 * 60_000)];
    expect(await tryAll(4 * burst)).toBe(burst);
    now += everyMs;
    expect(await tryAll(4, 230)).toBe(1);
  });

  test('are nothing to a network of the owner’s own, whichever program it comes to', async () => {
    await tryAll(2 * burst);
    const home = { account: ANN, address: '203.0.113.1' };
    for (const { attempts } of programs) {
      await attempts.begin(home, async () => true);
      await attempts.succeeded(home);
      await attempts.begin(home, unknown);
    }
  });

  test('that came to something, or were not looked at, count for nobody', async () => {
    const [{ attempts }] = programs;
    const home = { account: ANN, address: '203.0.113.1' };
    await attempts.begin(home, unknown);
    await attempts.succeeded(home);
    const elsewhere = { account: ANN, address: '203.0.114.1' };
    await attempts.begin(elsewhere, unknown);
    await attempts.notLookedAt(elsewhere);
    expect(await tryAll(2 * burst)).toBe(burst);
  });

  test('are forgotten once they count no more, and say nothing of whose account it was', async () => {
    await tryAll(3);
    const client = await MongoClient.connect(server.url);
    const kept = await client.db('lode').collection('identity.counts').find().toArray();
    await client.close();
    expect(kept).toHaveLength(1);
    expect(JSON.stringify(kept)).not.toContain(ANN);
    const [store] = stores;
    expect(await store?.prune(now)).toBe(0);
    // A program whose clock is ahead frees nobody.
    expect(await store?.prune(now + 3 * everyMs + 1)).toBe(0);
    now += 3 * everyMs + 1;
    expect(await store?.prune(now)).toBe(1);
    expect(await tryAll(2 * burst, 100)).toBe(burst);
  });
});
