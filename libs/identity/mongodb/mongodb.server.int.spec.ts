import { describe } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { describeIdentityStore, describePersonKeysReader, type PersonKeysFixture } from '#identity/contract';
import { openMongoIdentityStore, openMongoPersonKeys } from '#identity/mongodb';

const url = process.env['MONGODB_URL'];
if (url === undefined) {
  process.stderr.write('not run: identity store contract on a true MongoDB (MONGODB_URL is not set)\n');
}

(url === undefined ? describe.skip : describe)('with MONGODB_URL', () => {
  const fixture = async (): Promise<PersonKeysFixture> => {
    const database = `lode-contract-${randomUUID()}`;
    const options = { url: url ?? '', database };
    const open = () => openMongoIdentityStore(options);
    return {
      open,
      openReader: () => openMongoPersonKeys(options),
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
  };
  describeIdentityStore('MongoDB (MONGODB_URL)', fixture);
  describePersonKeysReader('MongoDB (MONGODB_URL)', fixture);
});
