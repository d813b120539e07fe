import type { Decider } from '#kernel';
import { operationsCodecs } from './codecs.js';
import type { Operation, OperationsEvent } from './events.js';

/** To write down that something is ordered, before it is done. */
export type OperationsCommand = { readonly type: 'Order'; readonly order: Operation };

/** What a stream knows: how much was ordered in it. Nothing is decided by it. */
export type Operations = { readonly ordered: number };

/** What admins order of the program. It refuses nothing: whether it can be done shows when it is done. */
export const operationsDecider: Decider<OperationsCommand, OperationsEvent, Operations> = {
  initial: { ordered: 0 },
  decide: ({ order }) => [{ type: 'OperationOrdered', data: order }],
  evolve: ({ ordered }) => ({ ordered: ordered + 1 }),
  codecs: operationsCodecs,
};

/** Characters of an ISO instant that say its month. */
const MONTH_LENGTH = 7;

/** The stream of a month, so that none grows for ever; `at` is an ISO instant in it. */
export function operationsStream(at: string): string {
  return `operations-${at.slice(0, MONTH_LENGTH)}`;
}

export { operations, type Operation, type OperationName, type OperationsEvent } from './events.js';
