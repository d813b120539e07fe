import { describe } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { describeIdentityStore } from '#identity/contract';
import { openMongoIdentityStore } from '#identity/mongodb';

const url = process.env['MONGODB_URL'];
if (url === undefined) {
  process.stderr.write('not run: identity store contract on a true MongoDB (MONGODB_URL is not set)\n');
}

(url === undefined ? describe.skip : describe)('with MONGODB_URL', () => {
  describeIdentityStore('MongoDB (MONGODB_URL)', async () => {
    const database = `lode-contract-${randomUUID()}`;
    const open = () => openMongoIdentityStore({ url: url ?? '', database });
    return {
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
    };
  });
});
