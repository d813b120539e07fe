import { startDouble } from '#mongodb/double';
import { describeReadStore } from '#read-store/contract';
import { openMongoReadStore } from '#read-store/mongodb';

for (const replicaSet of [undefined, 'rs0']) {
  describeReadStore(`MongoDB (double, replica set: ${replicaSet})`, async () => {
    const server = await startDouble(replicaSet === undefined ? {} : { replicaSet });
    const open = () => openMongoReadStore({ url: server.url, database: 'lode' });
    return {
      open,
      reopen: async (store) => {
        await store.close();
        await server.stop();
        await server.start();
        return open();
      },
      cleanUp: () => server.stop(),
    };
  });
}
