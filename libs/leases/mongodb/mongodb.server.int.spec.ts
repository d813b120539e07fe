import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { describeOnServer } from '#kernel/testing';
import { describeLeases } from '#leases/contract';
import { openMongoLeases } from '#leases/mongodb';

await describeOnServer('mongodb', 'leases contract', ({ url, words }) => {
  describeLeases(words, async () => {
    const database = `lode-contract-${randomUUID()}`;
    const client = new MongoClient(url());
    const opened: (() => Promise<void>)[] = [];
    return {
      open: async (holder) => {
        const leases = await openMongoLeases({ url: url(), database, holder });
        opened.push(leases.close);
        return leases;
      },
      // The server's clock stays: what it is compared with moves the other way.
      pass: async (ms) => {
        const held = { until: { $gt: new Date(0) } };
        const earlier = [{ $set: { until: { $subtract: ['$until', ms] } } }];
        await client.db(database).collection('leases').updateMany(held, earlier);
      },
      cleanUp: async () => {
        for (const close of opened) await close();
        await client.db(database).dropDatabase();
        await client.close();
      },
      slackMs: 10_000,
    };
  });
});
