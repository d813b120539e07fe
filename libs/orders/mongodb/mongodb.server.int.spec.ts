import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { describeOnServer } from '#kernel/testing';
import { describeOrders } from '#orders/contract';
import { openMongoOrders } from '#orders/mongodb';

await describeOnServer('mongodb', 'orders contract', ({ url, words }) => {
  describeOrders(words, async () => {
    const database = `lode-contract-${randomUUID()}`;
    const client = new MongoClient(url());
    const opened: (() => Promise<void>)[] = [];
    return {
      open: async () => {
        const orders = await openMongoOrders({ url: url(), database, logId: 'log' });
        opened.push(orders.close);
        return orders;
      },
      cleanUp: async () => {
        for (const close of opened) await close();
        await client.db(database).dropDatabase();
        await client.close();
      },
    };
  });
});
