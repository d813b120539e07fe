import { describeFileCatalogue } from '#files/contract';
import { openMongoFileCatalogue } from '#files/mongodb';
import { startDouble } from '#mongodb/double';

for (const replicaSet of [undefined, 'rs0']) {
  describeFileCatalogue(`MongoDB (double, replica set: ${replicaSet})`, async () => {
    const server = await startDouble(replicaSet === undefined ? {} : { replicaSet });
    return {
      open: () => openMongoFileCatalogue({ url: server.url, database: 'lode' }),
      cleanUp: () => server.stop(),
    };
  });
}
