import type { RecordedEvent } from '#kernel';
import { addAmounts, noAmounts, sumOf, type Amounts, type Posting } from '#ledger';
import { faultOf, type Fault } from './faults.js';
import { isSame } from './money.js';

/** Transfers that have left one customer and have not reached another. */
export type Transit = {
  /** What is wrong with the event's share in it; undefined when nothing is. */
  readonly book: (event: RecordedEvent, postings: readonly Posting[]) => Fault | undefined;
  readonly underWay: () => number;
  /** What the transfers under way add up to. */
  readonly sum: () => Amounts;
};

/** Follows each transfer by its id from the event that puts it into transit to the one that takes it out. */
export function createTransit(): Transit {
  const open = new Map<string, Amounts>();
  return {
    book: (event, postings) => {
      const change = sumOf(postings, 'transit');
      if (isSame(change, noAmounts)) return undefined;
      const { transferId, requestId } = event.data;
      const id = transferId ?? requestId;
      if (typeof id !== 'string')
        return faultOf(event, 'transit', 'it moves money in transit of no transfer');
      const known = open.get(id);
      if (known === undefined) {
        if (Object.values(change).some((amount) => amount < 0n)) {
          return faultOf(event, 'transit', `transfer ${id} has no money in transit (any more)`);
        }
        open.set(id, change);
        return undefined;
      }
      if (!isSame(addAmounts(known, change), noAmounts)) {
        return faultOf(event, 'transit', `it takes another amount than transfer ${id} has in transit`);
      }
      open.delete(id);
      return undefined;
    },
    underWay: () => open.size,
    sum: () => [...open.values()].reduce(addAmounts, noAmounts),
  };
}
