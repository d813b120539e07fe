import { describeIdentityStore } from '#identity/contract';
import { openMongoIdentityStore } from '#identity/mongodb';
import { startDouble } from '#mongodb/double';

for (const replicaSet of [undefined, 'rs0']) {
  describeIdentityStore(`MongoDB (double, replica set: ${replicaSet})`, async () => {
    const server = await startDouble(replicaSet === undefined ? {} : { replicaSet });
    const open = () => openMongoIdentityStore({ url: server.url, database: 'lode' });
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
