import { describe } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { describeCheckpoints } from '#reactors/contract';
import { openMongoCheckpoints, type MongoCheckpoints } from '#reactors/mongodb';

const url = process.env['MONGODB_URL'];
if (url === undefined) {
  process.stderr.write('not run: checkpoints contract on a true MongoDB (MONGODB_URL is not set)\n');
}

(url === undefined ? describe.skip : describe)('with MONGODB_URL', () => {
  describeCheckpoints('MongoDB (MONGODB_URL)', async () => {
    const database = `lode-contract-${randomUUID()}`;
    const opened: MongoCheckpoints[] = [];
    return {
      take: async () => {
        const one = await openMongoCheckpoints({ url: url ?? '', database });
        return one.under({ epoch: opened.push(one) });
      },
      cleanUp: async () => {
        for (const { close } of opened) await close();
        const client = new MongoClient(url ?? '');
        await client.db(database).dropDatabase();
        await client.close();
      },
    };
  });
});
