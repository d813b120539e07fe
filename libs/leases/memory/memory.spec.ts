import { describeCheckedLeases } from '#leases/contract';
import { createMemoryLeases, type MemoryLeaseStore } from '#leases/memory';

describeCheckedLeases('memory', async () => {
  const store: MemoryLeaseStore = new Map();
  let now = 0;
  return {
    open: async (holder) => createMemoryLeases(store, holder, () => now),
    pass: (ms) => {
      now += ms;
    },
    cleanUp: async () => undefined,
  };
});
