import type { Json } from './canonical-json.js';
import type { Position } from './position.js';

/** Who caused an event. `system` is a reactor or a job; `operator` is the command line. */
export type Actor = {
  readonly kind: 'person' | 'system' | 'operator';
  readonly id: string;
  readonly role: 'visitor' | 'user' | 'admin' | 'system';
};

/** What a decision gives and a state is folded from: a fact in the terms of the domain, amounts as whole numbers. */
export type DomainEvent = {
  /** Storage: never renamed. */
  readonly type: string;
  readonly data: object;
};

/** What an event's fact is in the log: JSON, amounts as decimal texts. */
export type StoredData = { readonly [member: string]: Json | undefined };

/** A fact as the log has it, in the shape that its type had in this version. */
export type StoredFact = { readonly type: string; readonly version: number; readonly data: StoredData };

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
  /** The revision of the settings that it was decided by, −1 before any were set; left out where none were asked. */
  readonly settings?: number;
  /** SHA-256 over the chain of the event before it in the stream and all else in this event; hex. */
  readonly chain: string;
};

/** Where and when an event is, and how it came about. */
export type Envelope = {
  /** UUIDv5 of the command's id and the event's index in it. */
  readonly id: string;
  readonly stream: string;
  /** 0-based; covered by the chain. */
  readonly revision: number;
  /** ISO 8601 instant in UTC with milliseconds. */
  readonly at: string;
  readonly meta: EventMeta;
};

/** An event ready to be appended. */
export type SealedEvent = StoredFact & Envelope;

/** An event as a stream gives it back. An engine that cannot tell positions on stream reads leaves `position` out. */
export type StreamEvent = SealedEvent & { readonly position?: Position };

/** An event as the whole log gives it back. */
export type RecordedEvent = SealedEvent & { readonly position: Position };

/** A domain event with its envelope: what a command is answered with. */
export type EnvelopedEvent<Event extends DomainEvent> = Event & Envelope;

/** A domain event of the log: what read models and reactors are given. */
export type DecodedEvent<Event extends DomainEvent = DomainEvent> = Event &
  Envelope & { readonly position: Position };
