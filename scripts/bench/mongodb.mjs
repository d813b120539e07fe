import { createRequire } from 'node:module';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { quantile } from './client.mjs';

const DATABASE = 'lode-bench';
/** Documents of a batch, and how many different ones there are: most writes replace one. */
const BATCH = 1_000;
const DOCUMENTS = 20_000;

/**
 * Documents a second into MongoDB, by turns: batches through the adapter, each document guarded by its position and each
 * batch with its checkpoint, and the same documents by the driver's own `bulkWrite`, upserted by their ids, with the same
 * write concern and without a checkpoint. Against `MONGODB_URL` where it is set, else the double of the tests, which is
 * no database: as 8.0, where a batch is one command, and as 7.0, where its checkpoint is another.
 */
export async function measureMongo(root, folder, seconds) {
  const { spawnDouble } = await libraryOf(root, 'mongodb', 'double');
  mkdirSync(folder, { recursive: true });
  if (process.env.MONGODB_URL)
    return measureOn(root, { url: process.env.MONGODB_URL, called: 'MONGODB_URL' }, seconds);
  const rows = [];
  for (const version of [8, 7]) {
    const double = await spawnDouble(join(folder, `journal-${version}.bson`), undefined, version);
    rows.push(...(await measureOn(root, { url: double.url(), called: `double ${version}.0` }, seconds)));
    await double.kill();
  }
  return rows;
}

async function measureOn(root, { url, called }, seconds) {
  const { openMongoReadStore } = await libraryOf(root, 'read-store', 'mongodb');
  const { positionOf } = await libraryOf(root, 'kernel');
  const { MongoClient } = createRequire(join(root, 'package.json'))('mongodb');
  const client = new MongoClient(url, { retryWrites: false });
  const database = client.db(DATABASE);
  // What an earlier run left; the double begins with nothing, and can't.
  if (called === 'MONGODB_URL') await database.dropDatabase();
  const store = await openMongoReadStore({ url, database: DATABASE });
  const indexes = [{ name: 'kind', equals: ['kind'], order: ['created'] }];
  const build = await store.begin({ name: 'bench', version: 1, indexes }, { bulk: false });
  await database.collection('raw').createIndex({ kind: 1, created: 1, _id: 1 });

  const batchAt = (from) =>
    Array.from({ length: BATCH }, (_, n) => documentAt((from + n) % DOCUMENTS, positionOf(from + n + 1)));
  const ways = [
    async (from, documents) => {
      const position = documents.at(-1).position;
      const checkpoint = { position, ordinal: from + BATCH };
      await store.write([{ build, checkpoint, put: documents, remove: [] }]);
    },
    (_, documents) =>
      database.collection('raw').bulkWrite(
        documents.map(({ id, ...rest }) => ({
          replaceOne: { filter: { _id: id }, replacement: rest, upsert: true },
        })),
        { ordered: false, writeConcern: { w: 'majority', journal: true } },
      ),
  ];
  const took = ways.map(() => []);
  const start = performance.now();
  for (let from = 0; performance.now() - start < 2 * seconds * 1_000; from += BATCH) {
    const documents = batchAt(from);
    // Who comes second has the processor's caches warm.
    const turn = from % (2 * BATCH) === 0 ? [0, 1] : [1, 0];
    for (const n of turn) {
      const began = performance.now();
      await ways[n](from, documents);
      took[n].push(performance.now() - began);
    }
  }
  await store.close();
  await client.close();
  const [adapter, raw] = took.map((all) => all.reduce((sum, ms) => sum + ms, 0));
  const share = `${Math.round((100 * raw) / adapter)} % of bulkWrite`;
  const rows = [
    [`MongoDB, ${called}: ${BATCH} a batch, guards and checkpoint`, `documents, ${share}`],
    [`MongoDB, ${called}: the same by bulkWrite, neither`, 'documents'],
  ];
  return rows.map(([name, note], n) => {
    const all = took[n].toSorted((a, b) => a - b);
    const perSecond = (BATCH * all.length * 1_000) / all.reduce((sum, ms) => sum + ms, 0);
    return { name, perSecond, p50: quantile(all, 0.5), p99: quantile(all, 0.99), note };
  });
}

function libraryOf(root, ...path) {
  return import(join(root, 'dist', 'libs', ...path, 'index.js'));
}

function documentAt(n, position) {
  return {
    created: String(n).padStart(8, '0'),
    id: `document-${n}`,
    kind: n % 2 ? 'odd' : 'even',
    note: 'x'.repeat(600),
    position,
  };
}
