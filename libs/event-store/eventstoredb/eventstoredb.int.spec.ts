import { describeEventStore } from '#event-store/contract';
import { startDouble } from './double/index.js';
import { openEventStoreDb } from './index.js';

describeEventStore('EventStoreDB (double)', async () => {
  const server = await startDouble();
  server.writeOthers(5, 'foreign');
  return {
    open: () => openEventStoreDb({ url: server.url }),
    reopen: async (store) => {
      await store.close();
      await server.stop();
      await server.start();
      return openEventStoreDb({ url: server.url });
    },
    cleanUp: () => server.stop(),
  };
});
