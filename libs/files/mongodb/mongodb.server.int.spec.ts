import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { describeFileCatalogue } from '#files/contract';
import { openMongoFileCatalogue } from '#files/mongodb';
import { describeOnServer } from '#kernel/testing';

await describeOnServer('mongodb', 'file catalogue contract', ({ url, words }) => {
  describeFileCatalogue(words, async () => {
    const database = `lode-contract-${randomUUID()}`;
    return {
      open: () => openMongoFileCatalogue({ url: url(), database }),
      cleanUp: async () => {
        const client = new MongoClient(url());
        await client.db(database).dropDatabase();
        await client.close();
      },
    };
  });
});
