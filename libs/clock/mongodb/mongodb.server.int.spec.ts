import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { describeOnServer } from '#kernel/testing';
import { describeClockMarks } from '#clock/contract';
import { openMongoClockMarks } from '#clock/mongodb';

await describeOnServer('mongodb', 'clock marks contract', ({ url, words }) => {
  describeClockMarks(words, async () => {
    const database = `lode-contract-${randomUUID()}`;
    const client = new MongoClient(url());
    const opened: (() => Promise<void>)[] = [];
    return {
      open: async () => {
        const marks = await openMongoClockMarks({ url: url(), database, logId: 'log' });
        opened.push(marks.close);
        return marks;
      },
      cleanUp: async () => {
        for (const close of opened) await close();
        await client.db(database).dropDatabase();
        await client.close();
      },
    };
  });
});
