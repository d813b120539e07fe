import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { describeOnServer } from '#kernel/testing';
import { describeReadStore } from '#read-store/contract';
import { openMongoReadStore } from '#read-store/mongodb';

await describeOnServer('mongodb', 'read store contract', ({ url, words }) => {
  const database = `lode-contract-${randomUUID()}`;
  const open = () => openMongoReadStore({ url: url(), database });
  describeReadStore(words, async () => ({
    open,
    reopen: async (store) => {
      await store.close();
      return open();
    },
    cleanUp: async () => {
      const client = new MongoClient(url());
      await client.db(database).dropDatabase();
      await client.close();
    },
  }));
});
