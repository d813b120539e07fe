import { startDouble } from '#mongodb/double';
import { describeClockMarks } from '#clock/contract';
import { openMongoClockMarks } from '#clock/mongodb';

for (const replicaSet of [undefined, 'rs0']) {
  describeClockMarks(`MongoDB (double, replica set: ${replicaSet})`, async () => {
    const server = await startDouble(replicaSet === undefined ? {} : { replicaSet });
    const opened: (() => Promise<void>)[] = [];
    return {
      open: async () => {
        const marks = await openMongoClockMarks({ url: server.url, database: 'lode', logId: 'log' });
        opened.push(marks.close);
        return marks;
      },
      cleanUp: async () => {
        for (const close of opened) await close();
        await server.stop();
      },
    };
  });
}
