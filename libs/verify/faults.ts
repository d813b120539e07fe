import type { RecordedEvent } from '#kernel';

/** What can be wrong with an event of the log. */
export type FaultKind =
  /** What is stored is no event, not what was written, or gone. */
  | 'unreadable'
  /** Positions don't follow one another. */
  | 'position'
  /** The stream's revisions don't follow one another. */
  | 'revision'
  /** The event, or the one before it in its stream, is not what was written. */
  | 'chain'
  /** The id is not the one that the command gives, or it is there twice. */
  | 'id'
  /** A stream, an event type or a version that this program doesn't know. */
  | 'unknown'
  /** The aggregate can't have given this event in this state. */
  | 'rule'
  /** The postings are no postings, or don't add up to zero. */
  | 'postings'
  /** A balance below zero, or another one than the aggregate or the event says. */
  | 'balance'
  /** A hold that is there twice, or is taken from twice. */
  | 'hold'
  /** Money in transit that no transfer explains. */
  | 'transit'
  /** The log is not the one that a backup was made of. */
  | 'history';

/** The first thing that is wrong with one event; where nothing of it can be read, the place alone. */
export type Fault = {
  readonly kind: FaultKind;
  readonly position: string;
  readonly stream?: string;
  readonly revision?: number;
  readonly type?: string;
  readonly what: string;
};

/** A fault of an event. */
export function faultOf(
  { position, stream, revision, type }: RecordedEvent,
  kind: FaultKind,
  what: string,
): Fault {
  return { kind, position, stream, revision, type, what };
}

/** A fault in one sentence. */
export function describeFault({ kind, position, stream, revision, type, what }: Fault): string {
  const event = stream === undefined ? '' : `, ${stream}@${revision ?? '?'} (${type ?? '?'})`;
  return `position ${position}${event}: ${what} [${kind}]`;
}
