import {
  chainStart,
  logStart,
  type Decider,
  type DomainEvent,
  type Position,
  type StreamEvent,
} from '#kernel';
import { noCommands, recordEvent, type ProcessedCommands } from './processed-commands.js';

/** A folded stream as of its last event. `revision` is −1 and `position` the log's start when it has none. */
export type Loaded<S> = {
  readonly state: S;
  readonly revision: number;
  readonly position: Position;
  readonly chain: string;
};

/** A folded stream with the commands that it has carried out. */
export type Folded<S> = Loaded<S> & {
  /**
   * Grows with the stream and holds commands of the log only. It is shared by all states of this entry, so that folding
   * one event costs one entry and not a copy.
   */
  readonly commands: ProcessedCommands;
  /** The instant of the last event, ISO 8601; empty when there is none. */
  readonly at: string;
};

/** A stream of which nothing is known yet. */
export function emptyFold<S>(initial: S): Folded<S> {
  return {
    state: initial,
    revision: -1,
    position: logStart,
    chain: chainStart,
    commands: noCommands(),
    at: '',
  };
}

/** The state after one more event of the log: the only place where a stored event is folded. */
export function foldEvent<C, E extends DomainEvent, S>(
  decider: Decider<C, E, S>,
  before: Folded<S>,
  event: StreamEvent,
): Folded<S> {
  return {
    state: decider.evolve(before.state, decider.codecs.decode(event)),
    revision: event.revision,
    position: event.position ?? before.position,
    chain: event.meta.chain,
    commands: before.commands,
    at: event.at,
  };
}

/** A stream folded from a page of its first events; undefined when the page is full, so that more may follow it. */
export function foldIfComplete<C, E extends DomainEvent, S>(
  decider: Decider<C, E, S>,
  page: readonly StreamEvent[],
  pageLimit: number,
): Folded<S> | undefined {
  if (page.length >= pageLimit) return undefined;
  let folded: Folded<S> = emptyFold(decider.initial);
  for (const event of page) {
    recordEvent(folded.commands, event.meta.commandId, event.revision);
    folded = foldEvent(decider, folded, event);
  }
  return folded;
}
