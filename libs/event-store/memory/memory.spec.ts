import { describeEventStore } from '#event-store/contract';
import { createMemoryEventStore } from '#event-store/memory';
import type { RecordedEvent } from '#kernel';

describeEventStore('memory', async () => {
  const log: RecordedEvent[] = [];
  return {
    open: async () => createMemoryEventStore(log),
    reopen: async () => createMemoryEventStore(log),
    cleanUp: async () => undefined,
  };
});
