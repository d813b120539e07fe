import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { isEngineError } from '#kernel';
import { memberLimits, type Member } from '#membership';
import { openMongoMembership } from '#membership/mongodb';
import { startDouble, type Fault, type MongoDbDouble } from '#mongodb/double';

const FAULTS: readonly Fault[] = [
  'cut-before',
  'cut-after',
  'timeout-before',
  'timeout-after',
  'write-concern',
];
const ANN: Member = { name: 'ann', program: '1.0.0', projects: true, kinds: { Opened: 1 }, models: {} };

describe.each(FAULTS)('a membership on MongoDB (double) whose write has the fault %s', (fault) => {
  let server: MongoDbDouble;
  let now: number;
  let membership: Awaited<ReturnType<typeof openMongoMembership>>;
  beforeEach(async () => {
    now = 1_000;
    server = await startDouble({ replicaSet: 'rs0', clock: () => now });
    membership = await openMongoMembership({ url: server.url, database: 'lode' });
  });
  afterEach(async () => {
    await membership.close();
    await server.stop();
  });

  test('is joined, renewed and left all the same', async () => {
    server.failNext('update', fault);
    const joined = await membership.join(ANN);
    expect([server.faultsLeft(), await membership.members()]).toEqual([0, [ANN]]);
    now += memberLimits.ttlMs - 1;
    server.failNext('update', fault);
    expect(await joined.renew()).toBe(true);
    now += memberLimits.ttlMs - 1;
    expect(await membership.members()).toEqual([ANN]);
    server.failNext('delete', fault);
    await joined.leave();
    expect([server.faultsLeft(), await membership.members()]).toEqual([0, []]);
  });

  test('is none, or whole, when it is never heard of', async () => {
    server.failNext('update', fault, fault);
    await expect(membership.join(ANN)).rejects.toMatchObject({ code: 'unavailable' });
    expect([[], [ANN]]).toContainEqual(await membership.members());
    for (;;) {
      const joined = await membership.join(ANN).catch((error: unknown) => {
        if (!isEngineError(error)) throw error;
      });
      if (joined !== undefined) break;
    }
    expect(await membership.members()).toEqual([ANN]);
  });
});

test('a membership on MongoDB (double) that is held up on its way is not removed by whoever joins meanwhile', async () => {
  const server = await startDouble({ replicaSet: 'rs0' });
  const [ann, bob] = [
    await openMongoMembership({ url: server.url, database: 'lode' }),
    await openMongoMembership({ url: server.url, database: 'lode' }),
  ];
  try {
    await ann.members();
    // Those who joined are removed once they have run out; then it is joined, and then it is looked whether it was.
    const held = server.holdUp(2);
    const joining = ann.join(ANN);
    await held.arrived;
    await bob.join({ ...ANN, name: 'bob' });
    held.release();
    await joining;
    expect(await bob.members()).toEqual([ANN, { ...ANN, name: 'bob' }]);
  } finally {
    await Promise.all([ann.close(), bob.close()]);
    await server.stop();
  }
});
