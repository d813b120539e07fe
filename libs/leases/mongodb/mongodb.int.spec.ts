import { startDouble } from '#mongodb/double';
import { describeLeases } from '#leases/contract';
import { openMongoLeases } from '#leases/mongodb';

for (const replicaSet of [undefined, 'rs0']) {
  describeLeases(`MongoDB (double, replica set: ${replicaSet})`, async () => {
    let now = 1_000;
    const server = await startDouble({
      clock: () => now,
      ...(replicaSet === undefined ? {} : { replicaSet }),
    });
    const opened: (() => Promise<void>)[] = [];
    return {
      open: async (holder) => {
        const leases = await openMongoLeases({ url: server.url, database: 'lode', holder });
        opened.push(leases.close);
        return leases;
      },
      pass: (ms) => {
        now += ms;
      },
      cleanUp: async () => {
        for (const close of opened) await close();
        await server.stop();
      },
    };
  });
}
