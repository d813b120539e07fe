import { describeMembership } from '#membership/contract';
import { createMemoryMembership, type MemoryMemberStore } from '#membership/memory';

describeMembership('memory', async () => {
  const store: MemoryMemberStore = new Map();
  let now = 0;
  return {
    open: async () => createMemoryMembership(store, () => now),
    pass: (ms) => {
      now += ms;
    },
    cleanUp: async () => undefined,
  };
});
