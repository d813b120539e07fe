import type { EventCodecs } from './codec.js';
import type { DomainEvent } from './event.js';

/**
 * The whole of an aggregate: pure functions over readonly data.
 *
 * - `decide` answers a command with the events that make it so. Asked for what is already so, it gives none. It throws a
 *   `LodeError` to refuse, and then nothing has happened.
 * - `evolve` is total: it folds any event of the aggregate, also one that today's rules would refuse.
 */
export type Decider<Command, Event extends DomainEvent, State> = {
  readonly initial: State;
  readonly decide: (command: Command, state: State, now: string) => readonly Event[];
  readonly evolve: (state: State, event: Event) => State;
  /** Roughly how many bytes of memory a state takes; left out where that hardly changes in a stream's life. */
  readonly sizeOf?: (state: State) => number;
  /** How the events are stored. */
  readonly codecs: EventCodecs<Event>;
};

/** Fails to compile when a union has a case that a switch forgot; fails at run time when data from outside has one. */
export function unreachable(value: never): never {
  throw new Error(`unreachable case: ${JSON.stringify(value)}`);
}
