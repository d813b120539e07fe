import { describe } from '@jest/globals';
import { describeEventStore } from '#event-store/contract';
import { openEventStoreDb } from './index.js';

const url = process.env['EVENTSTORE_URL'];
if (url === undefined) {
  process.stderr.write('not run: event store contract on a true EventStoreDB (EVENTSTORE_URL is not set)\n');
}

(url === undefined ? describe.skip : describe)('with EVENTSTORE_URL', () => {
  const open = () => openEventStoreDb({ url: url ?? '' });
  describeEventStore('EventStoreDB (EVENTSTORE_URL)', async () => ({
    open,
    reopen: async (store) => {
      await store.close();
      return open();
    },
    partitions: 1_024,
    cleanUp: async () => undefined,
  }));
});
