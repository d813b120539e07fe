import { describeIdentityStore, describePersonKeysReader, type PersonKeysFixture } from '#identity/contract';
import { openMongoIdentityStore, openMongoPersonKeys } from '#identity/mongodb';
import { startDouble } from '#mongodb/double';

for (const replicaSet of [undefined, 'rs0']) {
  const fixture = async (): Promise<PersonKeysFixture> => {
    const server = await startDouble(replicaSet === undefined ? {} : { replicaSet });
    const options = () => ({ url: server.url, database: 'lode' });
    const open = () => openMongoIdentityStore(options());
    return {
      open,
      openReader: () => openMongoPersonKeys(options()),
      reopen: async (store) => {
        await store.close();
        await server.stop();
        await server.start();
        return open();
      },
      cleanUp: () => server.stop(),
    };
  };
  const name = `MongoDB (double, replica set: ${replicaSet})`;
  describeIdentityStore(name, fixture);
  describePersonKeysReader(name, fixture);
}
