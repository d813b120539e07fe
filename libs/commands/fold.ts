import {
  chainStart,
  logStart,
  type Decider,
  type DomainEvent,
  type Position,
  type SealedEvent,
  type StreamEvent,
} from '#kernel';

/** A folded stream as of its last event. `revision` is −1 and `position` the log's start when it has none. */
export type Loaded<S> = {
  readonly state: S;
  readonly revision: number;
  readonly position: Position;
  readonly chain: string;
};

/** What a stream remembers of a command it has carried out: its request, and which events are its. */
export type ProcessedCommand = {
  readonly requestHash: string;
  readonly from: number;
  readonly count: number;
};

/** A folded stream with the commands that it has carried out. */
export type Folded<S> = Loaded<S> & {
  /**
   * Grows with the stream and holds commands of the log only. It is shared by all states of this entry, so that folding
   * one event costs one entry and not a copy.
   */
  readonly commands: Map<string, ProcessedCommand>;
};

/** A stream of which nothing is known yet. */
export function emptyFold<S>(initial: S): Folded<S> {
  return { state: initial, revision: -1, position: logStart, chain: chainStart, commands: new Map() };
}

/** The state after one more event of the log: the only place where a stored event is folded. */
export function foldEvent<C, E extends DomainEvent, S>(
  decider: Decider<C, E, S>,
  before: Folded<S>,
  event: StreamEvent,
): Folded<S> {
  return {
    state: decider.evolve(before.state, event as StreamEvent<E>),
    revision: event.revision,
    position: event.position ?? before.position,
    chain: event.meta.chain,
    commands: before.commands,
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
    recordCommand(folded.commands, event);
    folded = foldEvent(decider, folded, event);
  }
  return folded;
}

/** Notes the command that an event of the log came from; its events follow one another. */
export function recordCommand(commands: Map<string, ProcessedCommand>, event: StreamEvent): void {
  const { commandId, requestHash } = event.meta;
  const from = commands.get(commandId)?.from ?? event.revision;
  commands.set(commandId, { requestHash, from, count: event.revision - from + 1 });
}

/** An event of the log as the command that gave it was answered with it. */
export function answeredEvent<E extends DomainEvent>({ position: _, ...event }: StreamEvent): SealedEvent<E> {
  return event as unknown as SealedEvent<E>;
}
