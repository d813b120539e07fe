import { describeEventStore } from '#event-store/contract';
import { describeOnServer } from '#kernel/testing';
import { openEventStoreDb } from './index.js';

await describeOnServer('eventstore', 'event store contract', ({ url, words }) => {
  const open = () => openEventStoreDb({ url: url() });
  describeEventStore(words, async () => ({
    open,
    reopen: async (store) => {
      await store.close();
      return open();
    },
    partitions: 1_024,
    isKept: true,
    cleanUp: async () => undefined,
  }));
});
