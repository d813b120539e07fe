import { randomUUID } from 'node:crypto';
import { describeEventStore } from '#event-store/contract';
import { createMemoryEventStore } from '#event-store/memory';
import type { RecordedEvent } from '#kernel';

describeEventStore('memory', async () => {
  const log: RecordedEvent[] = [];
  const header = { logId: randomUUID(), partitions: 1 };
  return {
    open: async () => createMemoryEventStore(log, header),
    reopen: async (store) => createMemoryEventStore(log, await store.header()),
    partitions: 1,
    cleanUp: async () => undefined,
  };
});
