import type { Cause, Position, RecordedEvent } from '#kernel';
import type { OpenedEvent } from './read-model.js';

/** An event on its way to read models. */
export type Delivery = {
  /** As the log has it. */
  readonly stored: RecordedEvent;
  /** As handlers get it; undefined when that could not be made of it. */
  readonly opened: OpenedEvent | undefined;
  /** Reading the log after here gives the event first. */
  readonly after: Position;
  /** It is the n-th event of the log, from 1. */
  readonly ordinal: number;
  /** The lane of its stream. */
  readonly lane: number;
  /** Why there is no opened event. */
  readonly failure: unknown;
};

/** A document that changed, and who else than admins may see it. */
export type DocumentChange = {
  readonly collection: string;
  readonly id: string;
  readonly position: Position;
  readonly ownerId: string | null;
  /** Somebody else whom it is about. */
  readonly alsoOf?: string;
  /** What the event at its position came from; only where somebody traces that. */
  readonly cause?: Cause;
};
