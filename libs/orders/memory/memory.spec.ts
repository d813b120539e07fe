import { describeOrders } from '#orders/contract';
import { createMemoryOrders, type MemoryOrderStore } from '#orders/memory';

describeOrders('memory', async () => {
  const store: MemoryOrderStore = new Map();
  return { open: async () => createMemoryOrders(store), cleanUp: async () => undefined };
});
