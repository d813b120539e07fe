import { startDouble } from '#mongodb/double';
import { describeReadStore } from '#read-store/contract';
import { openMongoReadStore } from '#read-store/mongodb';

const kinds = [
  { version: 7 },
  { version: 7, replicaSet: 'rs0' },
  { version: 8 },
  { version: 8, replicaSet: 'rs0' },
] as const;
for (const kind of kinds) {
  const { version, replicaSet } = { replicaSet: undefined, ...kind };
  describeReadStore(`MongoDB ${version} (double, replica set: ${replicaSet})`, async () => {
    const server = await startDouble(kind);
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
