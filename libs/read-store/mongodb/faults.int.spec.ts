import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { allLanes, canonicalJson, isEngineError, isLodeError, positionOf, type Lanes } from '#kernel';
import { startDouble, type Fault, type MongoDbDouble } from '#mongodb/double';
import {
  foldedLate,
  idIndex,
  type Batch,
  type Build,
  type Collection,
  type Document,
  type ReadStore,
} from '#read-store';
import { openMongoReadStore, openMongoReadStoreReader } from '#read-store/mongodb';

const things: Collection = {
  name: 'things',
  version: 1,
  indexes: [
    { name: 'kind', equals: ['kind'], order: ['created'], filters: ['tone'] },
    { name: 'owner', equals: ['owner'], order: [], sparse: true },
  ],
};

function thing(n: number, position = n, fields: Partial<Document> = {}): Document {
  return {
    created: String(n).padStart(6, '0'),
    id: `t${n}`,
    kind: n % 2 ? 'odd' : 'even',
    position: positionOf(position),
    tone: 'plain',
    ...fields,
  };
}

function batchOf(
  build: Build,
  position: number,
  put: readonly Document[],
  remove: readonly string[] = [],
): Batch {
  return { build, checkpoint: { position: positionOf(position), ordinal: position }, put, remove };
}

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

describe('the read store on MongoDB 7 (double)', () => {
  let server: MongoDbDouble;
  let store: ReadStore;
  let build: Build;
  const open = () => openMongoReadStore({ url: server.url, database: 'lode' });
  const everything = { index: idIndex, equals: {}, direction: 'ascending', limit: 1_000 } as const;
  const ids = async (from = store) => (await from.list('things', everything)).map(({ id }) => id);
  const position = async () => (await store.checkpoint('things')).position;

  beforeEach(async () => {
    server = await startDouble({ replicaSet: 'rs0', version: 7 });
    store = await open();
    build = await store.begin(things, { bulk: false });
    await store.write([batchOf(build, 10, [thing(1), thing(2), thing(3)])]);
    await store.activate(build);
  });
  afterEach(async () => {
    await store.close();
    await server.stop();
  });

  const faults: readonly [Fault, documents: string, checkpoint: string][] = [
    ['not-primary', 'unavailable', 'unknown_outcome'],
    ['write-concern', 'unknown_outcome', 'unknown_outcome'],
    ['cut-before', 'unknown_outcome', 'unknown_outcome'],
    ['cut-after', 'unknown_outcome', 'unknown_outcome'],
    ['timeout-before', 'unknown_outcome', 'unknown_outcome'],
    ['timeout-after', 'unknown_outcome', 'unknown_outcome'],
    ['disk-full', 'storage_full', 'storage_full'],
  ];

  describe.each(faults)('when a write has the fault %s', (fault, documents, checkpoint) => {
    test.each([
      ['documents', [], documents],
      ['checkpoint', ['none'], checkpoint],
    ] as const)('in its %s, it says so, and the same again is written once', async (_, before, code) => {
      const batch = batchOf(build, 20, [thing(2, 15, { kind: 'new' }), thing(4, 16)], ['t1']);
      server.failNext('update', ...before, fault);
      await expect(store.write([batch])).rejects.toMatchObject({ code });
      expect(server.faultsLeft()).toBe(0);
      // Documents are never behind the checkpoint.
      if ((await position()) === '20') expect(await ids()).toEqual(['t2', 't3', 't4']);
      await store.write([batch]);
      await store.write([batchOf(build, 30, [thing(5, 25)])]);
      expect(await position()).toBe('30');
      const expected = [thing(2, 15, { kind: 'new' }), thing(3), thing(4, 16), thing(5, 25)];
      expect(await store.list('things', everything)).toEqual(expected);
    });

    test.each(['begin', 'activate', 'retire', 'discard'] as const)(
      'in a %s, the same again does it',
      async (what) => {
        const next = await store.begin({ ...things, version: 2 }, { bulk: true });
        await store.write([batchOf(next, 40, [thing(7)])]);
        const steps = {
          begin: () => store.begin({ ...things, version: 3 }, { bulk: true }),
          activate: () => store.activate(next),
          retire: () => store.retire(build),
          discard: () => store.discard(next),
        };
        server.failNext('findAndModify', fault);
        const happened = ['write-concern', 'cut-after', 'timeout-after'].includes(fault);
        const code = fault === 'not-primary' ? 'unavailable' : documents;
        await expect(steps[what]()).rejects.toMatchObject({ code });
        const before = (await store.builds()).map(({ state }) => state);
        await steps[what]();
        const after = (await store.builds()).map(({ state }) => state);
        const [one, two] = what === 'activate' ? ['retired', 'active'] : ['active', 'building'];
        expect(after).toEqual(
          {
            begin: happened
              ? ['active', 'building', 'building', 'building']
              : ['active', 'building', 'building'],
            activate: [one, two],
            retire: ['retired', 'building'],
            discard: ['active'],
          }[what],
        );
        if (!happened) expect(before).toEqual(['active', 'building']);
      },
    );
  });

  test.each(['cut-before', 'cut-after', 'timeout-before', 'not-primary'] as const)(
    'a read with the fault %s is made again, and with the same once more is unavailable',
    async (fault) => {
      server.failNext('find', fault);
      expect(await ids()).toEqual(['t1', 't2', 't3']);
      server.failNext('find', fault, fault);
      await expect(ids()).rejects.toMatchObject({ code: 'unavailable' });
      expect(await ids()).toEqual(['t1', 't2', 't3']);
    },
  );

  test('a change of the catalogue that the driver gives up under way is not taken for another writer’s', async () => {
    const url = `${server.url}&heartbeatFrequencyMS=100`;
    const watched = await openMongoReadStore({ url, database: 'lode' });
    server.failNext('findAndModify', 'silent-after');
    server.failNext('hello', 'timeout-after');
    await expect(watched.begin({ ...things, version: 2 }, { bulk: true })).rejects.toMatchObject({
      code: 'unknown_outcome',
    });
    const next = await onceThere(() => watched.begin({ ...things, version: 3 }, { bulk: true }));
    await onceThere(() => watched.write([batchOf(next, 20, [thing(4)])]));
    await onceThere(() => watched.write([batchOf(build, 20, [thing(5)])]));
    expect((await watched.checkpoint('things')).position).toBe('20');
    await watched.close();
  });

  test('says that the server is not there, and goes on when it is', async () => {
    const batch = batchOf(build, 20, [thing(4)]);
    await server.stop();
    const hasty = openMongoReadStore({ url: server.url, database: 'lode', selectMs: 50 });
    await expect(hasty).rejects.toMatchObject({ code: 'unavailable' });
    const first = store.write([batch]).catch((error: unknown) => error);
    await server.start();
    await first;
    await store.write([batch]);
    expect(await ids()).toEqual(['t1', 't2', 't3', 't4']);
  });

  test('what no majority had is written again when the primary comes back without it', async () => {
    const batch = batchOf(build, 20, [thing(4)], ['t1']);
    server.loseMajority();
    await expect(store.write([batch])).rejects.toMatchObject({ code: 'unknown_outcome' });
    // What may still be lost is not read.
    expect(await ids()).toEqual(['t1', 't2', 't3']);
    server.comeBack('without the last writes');
    expect(await onceThere(() => store.read(build, ['t1', 't4']))).toEqual([thing(1)]);
    await onceThere(() => store.write([batch]));
    expect(await ids()).toEqual(['t2', 't3', 't4']);
    expect(await position()).toBe('20');
  });

  test('a document that is there from a later position is left, and so is one that was removed later', async () => {
    server.failNext('update', 'none', 'not-primary');
    const far = batchOf(build, 50, [thing(2, 40, { kind: 'late' })], ['t3']);
    await expect(store.write([far])).rejects.toMatchObject({ code: 'unknown_outcome' });
    await store.write([
      batchOf(build, 20, [thing(2, 20, { kind: 'early' }), thing(3, 20, { kind: 'early' })]),
    ]);
    expect(await store.list('things', everything)).toEqual([thing(1), thing(2, 40, { kind: 'late' })]);
    await store.write([far]);
    expect(await store.list('things', everything)).toEqual([thing(1), thing(2, 40, { kind: 'late' })]);
    // A late event may make again what was removed: it comes without a checkpoint.
    await store.write([{ build, put: [thing(3, 5)], remove: [] }]);
    await store.write([batchOf(build, 60, [thing(1, 55)], ['t2'])]);
    expect(await ids()).toEqual(['t1', 't3']);
  });

  test('a writer that was overtaken is refused, and changes nothing', async () => {
    const newer = await open();
    const state = async () => [await newer.builds(), await newer.list('things', everything)];
    const before = await state();
    const put = batchOf(build, 20, [thing(4), thing(1, 20, { kind: 'stale' })], ['t2']);
    const conflict = { code: 'conflict' };
    await expect(store.write([put])).rejects.toMatchObject(conflict);
    await expect(store.write([{ build, put: [thing(5)], remove: ['t1'] }])).rejects.toMatchObject(conflict);
    await expect(store.begin(things, { bulk: true })).rejects.toMatchObject(conflict);
    await expect(store.activate(build)).rejects.toMatchObject(conflict);
    await expect(store.retire(build)).rejects.toMatchObject(conflict);
    await expect(store.builds()).rejects.toMatchObject(conflict);
    expect(await state()).toEqual(before);
    await newer.write([put]);
    expect(await ids(newer)).toEqual(['t1', 't3', 't4']);
    await newer.close();
  });

  /** Whether the server takes a document of the build from the newest writer, and from the one before it. */
  const taken = async () => {
    const client = new MongoClient(server.url, { retryWrites: false });
    const collectionOf = (name: string) => client.db('lode').collection<{ _id: string; epoch: number }>(name);
    const newest = (await collectionOf('read-models').findOne())?.epoch ?? 0;
    const things = collectionOf('read-models.things@1.1');
    const puts = [newest, newest - 1].map((epoch) =>
      things.insertOne({ _id: `probe ${epoch}`, epoch }).then(
        () => true,
        () => false,
      ),
    );
    const answers = await Promise.all(puts);
    await client.close();
    return answers;
  };

  test('a writer that is held up anywhere in its opening, and then in what it does about it, leaves the fence where it is', async () => {
    let [isHeld, overtakings] = [true, 0];
    for (let first = 0; isHeld; first++) {
      let isHeldAgain = true;
      for (let second = 0; isHeldAgain; second++) {
        const held = server.holdUp(first);
        const outcomes: Promise<string>[] = [];
        const writers: ReadStore[] = [];
        const openOne = async (): Promise<string> => {
          try {
            const writer = await open();
            writers.push(writer);
            return 'open';
          } catch (error) {
            return isLodeError(error) ? error.code : 'broken';
          }
        };
        const slow = openOne();
        outcomes.push(slow);
        isHeld = await Promise.race([held.arrived.then(() => true), slow.then(() => false)]);
        if (isHeld) outcomes.push(openOne());
        await outcomes.at(-1);
        const heldAgain = server.holdUp(second);
        held.release();
        isHeldAgain = await Promise.race([heldAgain.arrived.then(() => true), slow.then(() => false)]);
        if (isHeldAgain) outcomes.push(openOne());
        await outcomes.at(-1);
        heldAgain.release();
        const ended = await Promise.all(outcomes);
        expect(await taken()).toEqual([true, false]);
        if (ended[0] === 'conflict') overtakings++;
        // Of all of them one writes.
        const writing = await Promise.allSettled(
          [...writers, store].map((writer) => writer.write([{ build, put: [thing(9)], remove: [] }])),
        );
        expect(writing.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
        await Promise.all(writers.map((writer) => writer.close()));
      }
    }
    expect(overtakings).toBeGreaterThan(5);
  });

  test.each(['begin', 'activate', 'retire'] as const)(
    'and one whose first word is a %s is refused too',
    async (what) => {
      const other = await store.begin({ ...things, version: 2 }, { bulk: true });
      const newer = await open();
      const before = await newer.builds();
      const steps = {
        begin: () => store.begin(things, { bulk: true }),
        activate: () => store.activate(other),
        retire: () => store.retire(build),
      };
      await expect(steps[what]()).rejects.toMatchObject({ code: 'conflict' });
      await expect(store.discard(other)).rejects.toMatchObject({ code: 'conflict' });
      expect(await newer.builds()).toEqual(before);
      await newer.close();
    },
  );

  test('a document without a batch’s checkpoint that an overtaken writer puts is refused by the server', async () => {
    const newer = await open();
    await expect(store.write([{ build, put: [thing(9)], remove: [] }])).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await newer.read(build, ['t9'])).toEqual([]);
    await newer.close();
  });

  test('gives documents back to the byte, whatever their members are called', async () => {
    const document = thing(8, 11, {
      amounts: { $inc: '1', 'EUR.cash': '2', US_D: '3', 'a b': [{ '': null }] },
      note: 'ünïcödé \u2028 "quoted" \\ 金 \ud83d\ude00',
    });
    await store.write([batchOf(build, 20, [document])]);
    const found = await store.get('things', 't8');
    expect(found && canonicalJson(found)).toBe(canonicalJson(document));
  });

  test('keeps what was folded late into a document, for whoever writes and for no query', async () => {
    const marked = { ...thing(8, 11), [foldedLate]: ['5', '9'] };
    await store.write([{ build, put: [marked], remove: [] }]);
    expect(await store.read(build, ['t8'])).toEqual([marked]);
    expect(await store.get('things', 't8')).toEqual(thing(8, 11));
    expect(await store.getMany('things', ['t8'])).toEqual([thing(8, 11)]);
    await store.write([{ build, put: [thing(8, 11)], remove: [] }]);
    expect(await store.read(build, ['t8'])).toEqual([thing(8, 11)]);
  });

  test('refuses a document that is too large, and writes nothing', async () => {
    const large = thing(6, 12, { text: 'x'.repeat(1_048_576) });
    await expect(store.write([batchOf(build, 20, [thing(5), large])])).rejects.toMatchObject({
      code: 'body_too_large',
      message: expect.stringMatching(/t6 of things@1\.1 has 1048\d+ bytes/),
    });
    expect(await ids()).toEqual(['t1', 't2', 't3']);
    expect(await position()).toBe('10');
  });

  test('writes a batch of any size in commands that the server takes', async () => {
    const long = 'ü'.repeat(400_000);
    const put = Array.from({ length: 40 }, (_, n) => thing(n + 100, 20, { text: long }));
    const patient = await openMongoReadStore({ url: server.url, database: 'lode' });
    await patient.write([batchOf(build, 20, put)]);
    const all = put.map(({ id }) => id);
    expect(await patient.read(build, all)).toHaveLength(40);
    await patient.close();
  });

  test('makes an index again that somebody removed, and says so', async () => {
    const client = new MongoClient(server.url);
    await client.db('lode').collection('read-models.things@1.1').dropIndex('kind');
    await client.close();
    const asked = { index: 'kind', equals: { kind: 'odd' }, direction: 'ascending', limit: 9 } as const;
    await expect(store.list('things', asked)).rejects.toMatchObject({ code: 'storage_failed' });
    const told: unknown[] = [];
    const again = await openMongoReadStore({
      url: server.url,
      database: 'lode',
      onIndexesMade: ({ collection }, count) => told.push([collection, count]),
    });
    expect(told).toEqual([['things', 1]]);
    expect((await again.list('things', asked)).map(({ id }) => id)).toEqual(['t1', 't3']);
    await again.close();
  });

  test('a reader sees builds come, swap and go', async () => {
    const reader = await openMongoReadStoreReader({ url: server.url, database: 'lode' });
    await expect(reader.get('others', 'a')).rejects.toMatchObject({ code: 'unavailable' });
    expect(await reader.get('things', 't1')).toEqual(thing(1));
    const next = await store.begin({ ...things, version: 2 }, { bulk: true });
    await store.write([batchOf(next, 12, [thing(7)])]);
    await store.activate(next);
    expect(await reader.get('things', 't1')).toBeUndefined();
    expect(await reader.checkpoint('things')).toEqual({ position: '12', ordinal: 12 });
    while (!(await store.discard(build)));
    expect(await reader.getMany('things', ['t7', 't1'])).toEqual([thing(7)]);
    await store.retire(next);
    await expect(reader.get('things', 't7')).rejects.toMatchObject({ code: 'unavailable' });
    await reader.close();
    await expect(reader.get('things', 't7')).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('a batch of documents is one bulk and one write of the checkpoint', async () => {
    server.resetCounts();
    await store.write([
      batchOf(
        build,
        2_000,
        Array.from({ length: 1_000 }, (_, n) => thing(n, n + 100)),
      ),
    ]);
    expect(server.commands()).toEqual(new Map([['update', 2]]));
    expect(server.statements()).toBe(1_001);
  });

  test('batches of several builds are a bulk each and one write of all checkpoints', async () => {
    const other = await store.begin({ ...things, name: 'others' }, { bulk: true });
    server.resetCounts();
    await store.write([batchOf(build, 30, [thing(4, 20)]), batchOf(other, 30, [thing(1), thing(2)])]);
    expect(server.commands()).toEqual(new Map([['update', 3]]));
    server.resetCounts();
    await store.write([batchOf(build, 40, []), batchOf(other, 40, [])]);
    expect(server.commands()).toEqual(new Map([['update', 1]]));
  });

  test('a query is one look at the documents, and one whether they are still the ones to be read', async () => {
    await ids();
    server.resetCounts();
    await store.get('things', 't1');
    expect(server.commands()).toEqual(new Map([['find', 2]]));
    server.resetCounts();
    await store.list('things', { index: 'kind', equals: { kind: 'odd' }, direction: 'descending', limit: 2 });
    expect(server.commands()).toEqual(new Map([['find', 2]]));
  });
});

describe.each([7, 8] as const)('the read store on MongoDB %i (double), parted into lanes', (version) => {
  const others: Collection = { ...things, name: 'others' };
  const all = allLanes(4);
  let server: MongoDbDouble;
  const open = (lanes: Lanes) => openMongoReadStore({ url: server.url, database: 'lode', lanes });

  beforeEach(async () => {
    server = await startDouble({ version });
  });
  afterEach(async () => {
    await server.stop();
  });

  /** Everything that there is. */
  async function stateOf(store: ReadStore) {
    const everything = { index: idIndex, equals: {}, direction: 'ascending', limit: 1_000 } as const;
    const lists = [store.list('things', everything), store.list('others', everything)];
    return { builds: await store.builds(), documents: await Promise.all(lists) };
  }

  /** A write of one that has all lanes, in which a call is held up while another takes some. False when it has not so many calls. */
  async function takenInWrite(call: number, taken: Lanes): Promise<boolean> {
    const store = await open(all);
    const [build, other] = [
      await store.begin(things, { bulk: false }),
      await store.begin(others, { bulk: false }),
    ];
    await store.write([batchOf(build, 10, [thing(1), thing(2), thing(3)]), batchOf(other, 10, [thing(1)])]);
    await store.activate(build);
    await store.activate(other);
    const held = server.holdUp(call);
    // Of places further on than what the other one writes: it is not by them that they are refused.
    const older = { kind: 'older' };
    const slow = store
      .write([
        batchOf(build, 40, [thing(1, 40, older), thing(5, 40, older)], ['t2']),
        batchOf(other, 40, [thing(1, 40, older)]),
        batchOf(build, 50, [thing(6, 50, older)], ['t3']),
      ])
      .then(
        () => 'written',
        (error: unknown) => (isLodeError(error) ? error.code : 'broken'),
      );
    const isHeld = await Promise.race([held.arrived.then(() => true), slow.then(() => false)]);
    if (isHeld) {
      const newer = await open(taken);
      const own = { kind: 'newer' };
      await newer.write([
        batchOf(build, 90, [thing(1, 30, own), thing(7, 30, own)]),
        batchOf(other, 90, [thing(1, 30, own)]),
      ]);
      const before = await stateOf(newer);
      held.release();
      expect(await slow).toBe('conflict');
      await expect(store.write([batchOf(build, 95, [thing(8, 95, older)])])).rejects.toMatchObject({
        code: 'conflict',
      });
      expect(await stateOf(newer)).toEqual(before);
      const { builds, documents } = before;
      expect(builds.map(({ checkpoint }) => checkpoint.position)).toEqual(['90', '90']);
      expect(documents[0]).toContainEqual(thing(7, 30, own));
      if (call === 0)
        expect(documents[0]).toEqual([thing(1, 30, own), thing(2), thing(3), thing(7, 30, own)]);

      // Whoever comes for the lanes that were left begins where the one that was held stood, and refuses nobody.
      const left = all.own.filter((lane) => !taken.own.includes(lane));
      if (left.length > 0) {
        const rest = await open({ ...taken, own: left });
        await rest.write([batchOf(build, 95, [thing(9, 95)])]);
        await newer.write([batchOf(build, 100, [thing(10, 100)])]);
        await rest.close();
      }
      await newer.close();
    }
    await slow;
    await store.close();
    return isHeld;
  }

  test.each([
    ['all', all],
    ['some', { of: 4, own: [2, 3] }],
  ] as const)(
    'a writer that is held up in a write while another takes %s of its lanes is refused, and changes nothing then',
    async (_, taken) => {
      let calls = 0;
      while (await takenInWrite(calls, taken)) {
        calls++;
        await server.stop();
        server = await startDouble({ version });
      }
      // Documents and checkpoints are one call for each build, or two.
      expect(calls).toBeGreaterThanOrEqual(version === 8 ? 2 : 5);
    },
  );
});
