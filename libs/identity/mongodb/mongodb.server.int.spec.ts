import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { describeOnServer } from '#kernel/testing';
import { describeIdentityStore, describePersonKeysReader, type PersonKeysFixture } from '#identity/contract';
import { openMongoIdentityStore, openMongoPersonKeys } from '#identity/mongodb';

await describeOnServer('mongodb', 'identity store contract', ({ url, words }) => {
  const fixture = async (): Promise<PersonKeysFixture> => {
    const database = `lode-contract-${randomUUID()}`;
    const options = { url: url(), database };
    const open = () => openMongoIdentityStore(options);
    return {
      open,
      openReader: () => openMongoPersonKeys(options),
      reopen: async (store) => {
        await store.close();
        return open();
      },
      cleanUp: async () => {
        const client = new MongoClient(url());
        await client.db(database).dropDatabase();
        await client.close();
      },
    };
  };
  describeIdentityStore(words, fixture);
  describePersonKeysReader(words, fixture);
});
