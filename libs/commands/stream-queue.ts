import type { Group } from './command.js';

/** What became of a group that came to a stream's queue. */
export type Entered =
  /** It begins the queue: whoever brought it works on the stream until the queue is over. */
  | 'first'
  /** Somebody works on the stream already. */
  | 'waiting'
  /** Too much is waiting; it is not in the queue. */
  | 'full';

/** A queue for each stream that somebody works on. */
export type StreamQueues<T> = {
  enter(stream: string, group: Group<T>): Entered;
  /** The next groups of a stream; undefined when none wait, and then its queue is over. */
  take(stream: string): readonly Group<T>[] | undefined;
};

/** Queues that hold `waitingMax` commands each, besides those that were taken, and give `takenMax` groups at a time. */
export function createStreamQueues<T>(options: {
  readonly waitingMax: number;
  readonly takenMax: number;
}): StreamQueues<T> {
  const { waitingMax, takenMax } = options;
  const queues = new Map<string, { readonly groups: Group<T>[]; waiting: number }>();

  return {
    enter(stream, group) {
      const queue = queues.get(stream);
      if (queue === undefined) {
        queues.set(stream, { groups: [group], waiting: group.length });
        return 'first';
      }
      if (queue.waiting + group.length > waitingMax) return 'full';
      queue.groups.push(group);
      queue.waiting += group.length;
      return 'waiting';
    },
    take(stream) {
      const queue = queues.get(stream);
      const taken = queue?.groups.splice(0, takenMax) ?? [];
      if (queue === undefined || taken.length === 0) {
        queues.delete(stream);
        return undefined;
      }
      for (const { length } of taken) queue.waiting -= length;
      return taken;
    },
  };
}
