import { createRequire } from 'node:module';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { quantile } from './client.mjs';

const DATABASE = 'lode-bench';
/** Documents of a batch, and how many different ones there are: most writes replace one. */
const BATCH = 1_000;
const DOCUMENTS = 20_000;

/**
 * Documents a second into MongoDB: batches with checkpoints through the adapter, and the same documents by the driver's own
 * `bulkWrite`, by turns. Against `MONGODB_URL` where it is set, else the double of the tests, which is no database.
 */
export async function measureMongo(root, folder, seconds) {
  const dist = (...path) => import(join(root, 'dist', 'libs', ...path, 'index.js'));
  const { openMongoReadStore } = await dist('read-store', 'mongodb');
  const { spawnDouble } = await dist('mongodb', 'double');
  const { positionOf } = await dist('kernel');
  const { MongoClient } = createRequire(join(root, 'package.json'))('mongodb');
  mkdirSync(folder, { recursive: true });
  const double = process.env.MONGODB_URL ? undefined : await spawnDouble(join(folder, 'journal.bson'));
  const url = process.env.MONGODB_URL ?? double.url();
  const client = new MongoClient(url, { retryWrites: false });
  const database = client.db(DATABASE);
  if (double === undefined) await database.dropDatabase();
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
    for (const [n, way] of ways.entries()) {
      const began = performance.now();
      await way(from, documents);
      took[n].push(performance.now() - began);
    }
  }
  await store.close();
  await client.close();
  await double?.kill();
  const note = double === undefined ? 'documents, MONGODB_URL' : 'documents, double';
  const names = ['MongoDB: batches of 1000 through the adapter', 'MongoDB: the same by bulkWrite'];
  return names.map((name, n) => {
    const all = took[n].toSorted((a, b) => a - b);
    const perSecond = (BATCH * all.length * 1_000) / all.reduce((sum, ms) => sum + ms, 0);
    return { name, perSecond, p50: quantile(all, 0.5), p99: quantile(all, 0.99), note };
  });
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
