import {
  chainStart,
  logStart,
  type Decider,
  type DomainEvent,
  type Position,
  type StreamEvent,
} from '#kernel';

/** A folded stream as of its last event. `revision` is −1 and `position` the log's start when it has none. */
export type Loaded<S> = {
  readonly state: S;
  readonly revision: number;
  readonly position: Position;
  readonly chain: string;
};

/** What the stream remembers of a command it has carried out: its request, and which events are its. */
export type Done = { readonly requestHash: string; readonly from: number; readonly count: number };

/** A folded stream with the commands that it has carried out. */
export type Folded<S> = Loaded<S> & {
  /** Grows with the stream; owned by this entry, so that folding one event costs one entry and not a copy. */
  readonly commands: Map<string, Done>;
};

/** A stream of which nothing is known yet. */
export function nothing<S>(initial: S): Folded<S> {
  return { state: initial, revision: -1, position: logStart, chain: chainStart, commands: new Map() };
}

/** The state after one more event of the log. */
export function fold<C, E extends DomainEvent, S>(
  decider: Decider<C, E, S>,
  before: Folded<S>,
  event: StreamEvent<E>,
): Folded<S> {
  return {
    state: decider.evolve(before.state, event),
    revision: event.revision,
    position: event.position ?? before.position,
    chain: event.meta.chain,
    commands: before.commands,
  };
}

/** A stream folded from all of its events. */
export function foldAll<C, E extends DomainEvent, S>(
  decider: Decider<C, E, S>,
  events: readonly StreamEvent<E>[],
): Folded<S> {
  let folded: Folded<S> = nothing(decider.initial);
  for (const event of events) {
    learn(folded.commands, event);
    folded = fold(decider, folded, event);
  }
  return folded;
}

/** Notes the command that an event of the log came from; its events follow one another. */
export function learn(commands: Map<string, Done>, event: StreamEvent): void {
  const { commandId, requestHash } = event.meta;
  const from = commands.get(commandId)?.from ?? event.revision;
  commands.set(commandId, { requestHash, from, count: event.revision - from + 1 });
}
