import { comparePositions, type Position } from './position.js';

/**
 * Events that are to be tried again. Those of one key wait in one queue in log order, the first of them for its next try
 * and the others behind it.
 */
type RetryQueue<Entry> = {
  /** True when an event of the key must be handled first. */
  readonly holds: (key: string) => boolean;
  /** Entries of all keys. */
  readonly count: () => number;
  /** The first entry of each key. */
  readonly heads: () => readonly Entry[];
  /** All entries in log order. */
  readonly all: () => readonly Entry[];
  /** What is in the key's queue for a position. */
  readonly at: (key: string, position: Position) => Entry | undefined;
  /** Puts an entry into its key's queue, or in place of what is there for its position. */
  readonly put: (entry: Entry) => void;
  /** Takes out what is there for the entry's position. */
  readonly remove: (entry: Entry) => void;
};

/** A queue that holds `entries` to begin with. */
export function createRetryQueue<Entry extends { readonly position: Position }>(
  entries: readonly Entry[],
  keyOf: (entry: Entry) => string,
): RetryQueue<Entry> {
  const queues = new Map<string, Entry[]>();
  let count = 0;

  const put = (entry: Entry) => {
    const key = keyOf(entry);
    const queue = queues.get(key) ?? [];
    queues.set(key, queue);
    // Nearly always what comes is later than what is there.
    const before = queue.findLastIndex(({ position }) => comparePositions(position, entry.position) <= 0);
    const isKnown = queue[before]?.position === entry.position;
    queue.splice(isKnown ? before : before + 1, isKnown ? 1 : 0, entry);
    if (!isKnown) count += 1;
  };
  for (const entry of entries) put(entry);

  return {
    // Asked for every event, while hardly ever anything waits.
    holds: (key) => queues.size > 0 && queues.has(key),
    count: () => count,
    heads: () => [...queues.values()].flatMap(([first]) => (first === undefined ? [] : [first])),
    all: () => [...queues.values()].flat().sort((a, b) => comparePositions(a.position, b.position)),
    at: (key, position) => queues.get(key)?.find((one) => one.position === position),
    put,
    remove: (entry) => {
      const key = keyOf(entry);
      const queue = queues.get(key) ?? [];
      const index = queue.findIndex(({ position }) => position === entry.position);
      if (index < 0) return;
      queue.splice(index, 1);
      if (queue.length === 0) queues.delete(key);
      count -= 1;
    },
  };
}
