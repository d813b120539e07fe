import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { isEngineError } from '#kernel';
import { leaseLimits, type Lease } from '#leases';
import { openMongoLeases } from '#leases/mongodb';
import { startDouble, type Fault, type MongoDbDouble } from '#mongodb/double';

const NAME = 'runner';
const FAULTS: readonly Fault[] = [
  'not-primary',
  'write-concern',
  'cut-before',
  'cut-after',
  'timeout-before',
  'timeout-after',
  'disk-full',
];
/** The command was carried out. */
const happens = (fault: Fault) => ['write-concern', 'cut-after', 'timeout-after'].includes(fault);
/** The server said that it was not. */
const codes: { readonly [Kind in Fault]?: string } = {
  'not-primary': 'unavailable',
  'disk-full': 'storage_full',
};

/** Tries again while the connections are found out that were cut. */
async function onceThere<Done>(work: () => Promise<Done>): Promise<Done> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isEngineError(error)) throw error;
    }
  }
}

describe('leases on MongoDB (double)', () => {
  type Opened = Awaited<ReturnType<typeof openMongoLeases>>;
  let server: MongoDbDouble;
  let now: number;
  let [ann, bob]: Opened[] = [];
  const open = (holder: string) => openMongoLeases({ url: server.url, database: 'lode', holder });

  beforeEach(async () => {
    now = 1_000;
    server = await startDouble({ replicaSet: 'rs0', clock: () => now });
    [ann, bob] = [await open('ann'), await open('bob')];
  });
  afterEach(async () => {
    await ann?.close();
    await bob?.close();
    await server.stop();
  });

  const acquired = async (leases: Opened | undefined): Promise<Lease> => {
    const lease = await leases?.acquire(NAME);
    if (lease === undefined) throw new Error('the lease was refused');
    return lease;
  };

  describe.each(FAULTS)('when a write has the fault %s', (fault) => {
    test('an acquire gives a lease when it happened, fails when it did not, and is made again at once', async () => {
      const before = await acquired(ann);
      await before.release();
      server.failNext('findAndModify', fault);
      const outcome = await acquired(ann).catch((error: unknown) => error);
      expect(server.faultsLeft()).toBe(0);
      expect(outcome).toMatchObject(
        happens(fault) ? { name: NAME, epoch: 2 } : { code: codes[fault] ?? 'unavailable' },
      );
      expect((await acquired(ann)).epoch).toBe(happens(fault) ? 3 : 2);
      expect(await bob?.acquire(NAME)).toBeUndefined();
    });

    test('the first acquire of all comes to one lease', async () => {
      server.failNext('insert', fault);
      const first = await acquired(ann).catch((error: unknown) => error);
      expect(server.faultsLeft()).toBe(0);
      if (!isEngineError(first)) expect(first).toMatchObject({ epoch: 1 });
      const { epoch } = await acquired(ann);
      expect(epoch).toBe(isEngineError(first) ? 1 : 2);
      expect(await bob?.acquire(NAME)).toBeUndefined();
    });

    test('a renewal is made once more when its answer is lost', async () => {
      const lease = await acquired(ann);
      now += leaseLimits.ttlMs - 1;
      server.failNext('update', fault);
      if (fault in codes) await expect(lease.renew()).rejects.toMatchObject({ code: codes[fault] });
      else expect(await lease.renew()).toBe(true);
      expect(server.faultsLeft()).toBe(0);
      now += 1;
      expect((await bob?.acquire(NAME))?.epoch).toBe(fault in codes ? 2 : undefined);
    });

    test('a release is made once more when its answer is lost, and ends no later lease', async () => {
      const lease = await acquired(ann);
      server.failNext('update', fault);
      if (fault in codes) await expect(lease.release()).rejects.toMatchObject({ code: codes[fault] });
      else await lease.release();
      expect(server.faultsLeft()).toBe(0);
      expect((await bob?.acquire(NAME))?.epoch).toBe(fault in codes ? undefined : 2);
      await lease.release();
      const next = await acquired(bob);
      await lease.release();
      expect(await next.renew()).toBe(true);
      expect(await lease.renew()).toBe(false);
    });
  });

  test('an acquiring whose answer is lost is not taken for a later one of somebody else', async () => {
    const lease = await acquired(ann);
    server.failNext('findAndModify', 'cut-before');
    await expect(bob?.acquire(NAME)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await lease.renew()).toBe(true);
    // The earlier life of the same holder has it: its epoch is not given twice.
    server.failNext('findAndModify', 'cut-before');
    const again = await open('ann');
    await expect(again.acquire(NAME)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await lease.renew()).toBe(true);
    expect((await acquired(again)).epoch).toBe(2);
    expect(await lease.renew()).toBe(false);
    await again.close();
  });

  test('a renewal of which nothing is heard twice fails, and the lease stays', async () => {
    const lease = await acquired(ann);
    server.failNext('update', 'cut-after', 'cut-after');
    await expect(lease.renew()).rejects.toMatchObject({ code: 'unavailable' });
    expect(await lease.renew()).toBe(true);
  });

  test.each(['with all', 'without the last writes'] as const)(
    'a lease that no majority has is nobody’s word; the primary comes back %s',
    async (how) => {
      const before = await acquired(ann);
      await before.release();
      server.loseMajority();
      await expect(ann?.acquire(NAME)).rejects.toMatchObject({ code: 'unavailable' });
      server.comeBack(how);
      const next = await onceThere(() => acquired(ann));
      expect(next.epoch).toBe(how === 'with all' ? 3 : 2);
      expect(await onceThere(() => Promise.resolve(bob?.acquire(NAME)))).toBeUndefined();
    },
  );

  test('says that the server is not there', async () => {
    const lease = await acquired(ann);
    await ann?.close();
    await expect(lease.renew()).rejects.toMatchObject({ code: 'unavailable' });
    await server.stop();
    const away = openMongoLeases({ url: server.url, database: 'lode', holder: 'ann', selectMs: 50 });
    await expect(away).rejects.toMatchObject({ code: 'unavailable' });
    await server.start();
  });

  test('goes by the server’s clock, and takes names as they are', async () => {
    const client = new MongoClient(server.url);
    const odd = await open('$holder');
    expect(await odd.acquire('$$ROOT')).toMatchObject({ epoch: 1 });
    const stored = await client.db('lode').collection<{ _id: string }>('leases').find().toArray();
    expect(stored).toMatchObject([
      { _id: '$$ROOT', holder: '$holder', epoch: 1, until: new Date(now + leaseLimits.ttlMs) },
    ]);
    await odd.close();
    await client.close();
  });

  test('an acquire is one command, whether it gets the lease or not', async () => {
    await acquired(ann);
    for (const leases of [ann, bob]) {
      server.resetCounts();
      await leases?.acquire(NAME);
      expect(server.commands()).toEqual(new Map([['findAndModify', 1]]));
    }
  });
});
