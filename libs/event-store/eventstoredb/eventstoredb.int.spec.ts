import { describeEventStore } from '#event-store/contract';
import { startDouble } from './double/index.js';
import { openEventStoreDb } from './index.js';

for (const release of ['21.10', '22.6'] as const) {
  describeEventStore(`EventStoreDB (double of ${release})`, async () => {
    const server = await startDouble({ release });
    server.writeOthers(5, 'foreign');
    return {
      open: () => openEventStoreDb({ url: server.url }),
      reopen: async (store) => {
        await store.close();
        await server.stop();
        await server.start();
        return openEventStoreDb({ url: server.url });
      },
      partitions: 1_024,
      cleanUp: () => server.stop(),
    };
  });
}
