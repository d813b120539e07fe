import type { Json } from './canonical-json.js';
import type { Position } from './position.js';

/** Who caused an event. `system` is a reactor or a job; `operator` is the command line. */
export type Actor = {
  readonly kind: 'person' | 'system' | 'operator';
  readonly id: string;
  readonly role: 'visitor' | 'user' | 'admin' | 'system';
};

/** What a decision gives: a fact with a name that is storage and is never renamed. */
export type DomainEvent = {
  readonly type: string;
  readonly data: { readonly [key: string]: Json | undefined };
};

/** Everything about an event that is not the fact itself. */
export type EventMeta = {
  readonly actor: Actor;
  /** Why a person decided so, in that person's words. */
  readonly reason?: string;
  readonly commandId: string;
  /** SHA-256 of the request that the command came from, so that a reused key can be told from a repeated one. */
  readonly requestHash: string;
  readonly correlationId: string;
  readonly causationId: string;
  readonly session?: string;
  /** SHA-256 over the chain of the event before it in the stream and all else in this event; hex. */
  readonly chain: string;
};

/** An event ready to be appended. `revision` is 0-based and is covered by the chain. */
export type SealedEvent<E extends DomainEvent = DomainEvent> = E & {
  /** UUIDv5 of the command's id and the event's index in it. */
  readonly id: string;
  readonly version: number;
  readonly stream: string;
  readonly revision: number;
  /** ISO 8601 instant in UTC with milliseconds. */
  readonly at: string;
  readonly meta: EventMeta;
};

/** An event as a stream gives it back. An engine that cannot tell positions on stream reads leaves `position` out. */
export type StreamEvent<E extends DomainEvent = DomainEvent> = SealedEvent<E> & {
  readonly position?: Position;
};

/** An event as the whole log gives it back. */
export type RecordedEvent<E extends DomainEvent = DomainEvent> = SealedEvent<E> & {
  readonly position: Position;
};
