import { describe } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { describeReadStore } from '#read-store/contract';
import { openMongoReadStore } from '#read-store/mongodb';

const url = process.env['MONGODB_URL'];
if (url === undefined) {
  process.stderr.write('not run: read store contract on a true MongoDB (MONGODB_URL is not set)\n');
}

(url === undefined ? describe.skip : describe)('with MONGODB_URL', () => {
  const database = `lode-contract-${randomUUID()}`;
  const open = () => openMongoReadStore({ url: url ?? '', database });
  describeReadStore('MongoDB (MONGODB_URL)', async () => ({
    open,
    reopen: async (store) => {
      await store.close();
      return open();
    },
    cleanUp: async () => {
      const client = new MongoClient(url ?? '');
      await client.db(database).dropDatabase();
      await client.close();
    },
  }));
});
