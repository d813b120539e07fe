import { randomUUID } from 'node:crypto';
import { describeEventStore } from '#event-store/contract';
import { createMemoryEventStore } from '#event-store/memory';
import type { RecordedEvent } from '#kernel';

describeEventStore('memory', async () => {
  const log: RecordedEvent[] = [];
  const header = { logId: randomUUID(), partitions: 1 };
  const open = async () => createMemoryEventStore(log, header);
  return {
    open,
    reopen: open,
    partitions: 1,
    cleanUp: async () => undefined,
  };
});
