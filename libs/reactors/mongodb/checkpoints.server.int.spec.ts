import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { describeOnServer } from '#kernel/testing';
import { describeCheckpoints } from '#reactors/contract';
import { openMongoCheckpoints, type MongoCheckpoints } from '#reactors/mongodb';

await describeOnServer('mongodb', 'checkpoints contract', ({ url, words }) => {
  describeCheckpoints(words, async () => {
    const database = `lode-contract-${randomUUID()}`;
    const opened: MongoCheckpoints[] = [];
    return {
      take: async () => {
        const one = await openMongoCheckpoints({ url: url(), database, logId: 'one' });
        return one.under({ epoch: opened.push(one) });
      },
      cleanUp: async () => {
        for (const { close } of opened) await close();
        const client = new MongoClient(url());
        await client.db(database).dropDatabase();
        await client.close();
      },
    };
  });
});
