import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { describeOnServer } from '#kernel/testing';
import { describeMembership } from '#membership/contract';
import { openMongoMembership } from '#membership/mongodb';

await describeOnServer('mongodb', 'membership contract', ({ url, words }) => {
  describeMembership(words, async () => {
    const database = `lode-contract-${randomUUID()}`;
    const client = new MongoClient(url());
    const opened: (() => Promise<void>)[] = [];
    return {
      open: async () => {
        const membership = await openMongoMembership({ url: url(), database });
        opened.push(membership.close);
        return membership;
      },
      // The server's clock stays: what it is compared with moves the other way.
      pass: async (ms) => {
        const begun = { until: { $gt: new Date(0) } };
        const earlier = [{ $set: { until: { $subtract: ['$until', ms] } } }];
        await client.db(database).collection('members').updateMany(begun, earlier);
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
