import type { Actor, DomainEvent, EnvelopedEvent, LodeError, Position } from '#kernel';
import type { Loaded } from './fold.js';

/** Everything about a command that is not the command itself. */
export type CommandContext = {
  readonly actor: Actor;
  readonly commandId: string;
  /** SHA-256 of the request: what tells a repeated command from a reused key. */
  readonly requestHash: string;
  /** What an earlier derivation makes of the same request, where it is another hash: events have the one of their time. */
  readonly formerHash?: string;
  readonly correlationId: string;
  readonly causationId: string;
  readonly reason?: string;
  readonly session?: string;
  /** The revision of the settings that the command goes by, if it goes by any. */
  readonly settings?: number;
  /** The span that it is a part or a consequence of, for whoever traces it: no event has it. */
  readonly span?: string;
};

/** A command, whom it is for and its context. What could not be made a command of is refused with why it could not. */
export type CommandTo<C> = {
  readonly stream: string;
  readonly command: C | LodeError;
  readonly context: CommandContext;
};

/** How many commands at once are carried out. */
export type ManyOptions = {
  /**
   * Those of one stream are carried out in one append, or none of them is: then those that nothing is wrong with are
   * refused with `group_refused`, or all with `body_too_large` when one append does not hold them. A repeated command
   * is given its first answer all the same.
   */
  readonly atomic?: boolean;
  /** Keeps the streams in memory: for work that will come back to them. */
  readonly keep?: boolean;
};

/** What a command did: its events as the domain has them, in the envelopes that they have in the log. */
export type Execution<E extends DomainEvent> = {
  readonly events: readonly EnvelopedEvent<E>[];
  /**
   * Where the log holds all of it: the position of its last event, or a later one when the engine does not tell that or
   * there is no event.
   */
  readonly position: Position;
  /** True when the command had been carried out before and this is the first answer again. */
  readonly replayed: boolean;
};

/**
 * Carries out commands on the streams of one aggregate.
 *
 * `execute` takes a command, or why none could be made: with that it refuses, unless the command was carried out before.
 *
 * `execute` errors, all `LodeError`: whatever the decision refuses with; `idempotency_key_reused` (the command id was
 * used with another request hash); `overloaded` (too much waits for the stream, or others kept writing to it until the
 * deadline); and the event store's, apart from `conflict`. A command whose outcome was unknown is answered `unknown_outcome`
 * instead of any of these but a decision's, until the log tells what became of it.
 */
export type Executor<C, E extends DomainEvent, S> = {
  execute(stream: string, command: C | LodeError, context: CommandContext): Promise<Execution<E>>;
  /**
   * Carries out many commands as `execute` does each, those of one stream in the order given and in as few appends as
   * hold them. For bulk work. Streams not in memory are read together and, unless `keep` is set, not cached, so that
   * they do not evict others. Answers for each in the order given, what it did or what it was refused with; never
   * throws.
   */
  executeMany(
    commands: readonly CommandTo<C>[],
    options?: ManyOptions,
  ): Promise<readonly PromiseSettledResult<Execution<E>>[]>;
  /** The current state of a stream, from the cache or the log. */
  load(stream: string): Promise<Loaded<S>>;
};

/** A command that waits for its answer. */
export type Pending<C, E extends DomainEvent> = {
  readonly command: C | LodeError;
  readonly context: CommandContext;
  readonly resolve: (execution: Execution<E>) => void;
  readonly reject: (error: unknown) => void;
};

/** Commands of one stream that are carried out all or none; nearly always one. */
export type Group<T> = readonly T[];
