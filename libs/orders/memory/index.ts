import { orderLimits, tooManyOrders, type Order, type Orders, type Outcome } from '#orders';

/** What programs in one process share, by the orders' ids. */
export type MemoryOrderStore = Map<string, { readonly order: Order; outcome: Outcome | undefined }>;

/** Orders in memory, for programs of one process. */
export function createMemoryOrders(store: MemoryOrderStore): Orders {
  const to = (...whom: readonly string[]) =>
    [...store.values()].filter(({ order }) => whom.includes(order.to));
  const waiting = (...whom: readonly string[]) => to(...whom).filter(({ outcome }) => outcome === undefined);
  return {
    place: async (order) => {
      if (store.has(order.id)) return;
      if (waiting(order.to).length >= orderLimits.waiting) throw tooManyOrders();
      store.set(order.id, { order, outcome: undefined });
    },
    waiting: async (whom) => waiting(...whom).map(({ order }) => order),
    settle: async ({ id, to: whom }, outcome) => {
      const found = store.get(id);
      if (found !== undefined) found.outcome ??= outcome;
      const settled = to(whom).filter((one) => one.outcome !== undefined);
      for (const { order } of settled.slice(0, -orderLimits.kept)) store.delete(order.id);
    },
    outcome: async (id) => store.get(id)?.outcome,
  };
}
