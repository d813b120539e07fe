import { comparePositions, type Clock, type Position } from '#kernel';
import type { EventStore } from './port.js';

/** What is known to be in a log. */
export type Acknowledged = {
  /** How many events are known to be after a position, at least, and since when (milliseconds) the first of them is. */
  readonly unseen: (position: Position) => { readonly events: number; readonly since: number | undefined };
};

/** Up to a position there are so many events that were acknowledged since the beginning. */
type Mark = { readonly position: Position; readonly at: number; events: number };

/** Marks that are kept: of more, every second one is forgotten, so that an age may be told as that of a later one. */
const MARKS_MAX = 1_024;

/**
 * A log that remembers what it said: where each append went, and where it ends. A log that stands still can't take that
 * back, so that whoever follows it is measured by it.
 */
export function watchAppends(
  store: EventStore,
  clock: Clock,
): { readonly eventStore: EventStore; readonly acknowledged: Acknowledged } {
  let marks: Mark[] = [];
  let total = 0;
  const note = (position: Position, events: number) => {
    total += events;
    const last = marks.at(-1);
    if (last !== undefined && comparePositions(position, last.position) <= 0) last.events = total;
    else marks.push({ position, at: clock(), events: total });
    if (marks.length > MARKS_MAX) marks = marks.filter((_, n) => n % 2 === 0 || n === marks.length - 1);
  };
  return {
    eventStore: {
      ...store,
      append: async (append) => {
        const appended = await store.append(append);
        note(appended.position, append.events.length);
        return appended;
      },
      appendMany: async (appends) => {
        const answers = await store.appendMany(appends);
        answers.forEach((answer, n) => {
          if (answer.status === 'fulfilled') note(answer.value.position, appends[n]?.events.length ?? 0);
        });
        return answers;
      },
      head: async () => {
        const head = await store.head();
        note(head, 0);
        return head;
      },
    },
    acknowledged: {
      unseen: (position) => {
        const first = marks.findIndex((mark) => comparePositions(mark.position, position) > 0);
        const mark = marks[first];
        if (mark === undefined) return { events: 0, since: undefined };
        return { events: total - (marks[first - 1]?.events ?? 0), since: mark.at };
      },
    },
  };
}
