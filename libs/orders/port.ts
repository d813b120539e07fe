import type { Json } from '#kernel';

/** Bounds of what is kept. */
export const orderLimits = {
  /** Orders to one that wait; more are refused with `overloaded`. */
  waiting: 100,
  /** Outcomes of orders to one that are kept, the newest; whoever asked has read them by then. */
  kept: 100,
} as const;

/** Something that one program wants done by whichever program has a lease. */
export type Order = {
  /** Makes it one order, however often it is placed. */
  readonly id: string;
  /** The lease of whoever is to do it. */
  readonly to: string;
  /** What is to be done, in words of whoever does it. */
  readonly what: Json;
};

/** What came of an order: what whoever did it answered, or refused it with. */
export type Outcome =
  { readonly done: Json } | { readonly refused: { readonly code: string; readonly message: string } };

/**
 * Orders from any program to the one that holds a lease. An order waits, for as long as it takes, until somebody who has the lease
 * has done it; who dies in between leaves it to the next, so that it may be done twice, and must come to the same then.
 * Every adapter passes `describeOrders` in `orders/contract`.
 *
 * Errors are `LodeError`s: `unavailable` when the store can't be reached or did not say what it did, and `overloaded`.
 */
export interface Orders {
  /** Keeps an order: it is durable once this resolves. */
  place(order: Order): Promise<void>;
  /** Orders to some that nothing came of yet, in the order in which they were placed. */
  waiting(to: readonly string[]): Promise<readonly Order[]>;
  /** Writes what came of an order; the first that was written stays. */
  settle(order: Pick<Order, 'id' | 'to'>, outcome: Outcome): Promise<void>;
  /** What came of an order; undefined while it waits, and once it is forgotten. */
  outcome(id: string): Promise<Outcome | undefined>;
}
