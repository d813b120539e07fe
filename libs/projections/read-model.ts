import type { DomainEvent, RecordedEvent } from '#kernel';
import type { Collection, Document } from '#read-store';

/**
 * What an event does to one document: a plain function from the document as it was (undefined when there is none) to
 * what it is now (undefined to remove it; the same object for no change). It carries the document's id and the event's
 * position into what it gives.
 */
export type Change<Doc extends Document = Document> = {
  readonly id: string;
  readonly change: (document: Doc | undefined) => Doc | undefined;
};

/** The change that puts a document which one event alone makes. */
export function madeOf<Doc extends Document>(document: Doc): Change<Doc> {
  return { id: document.id, change: () => document };
}

/**
 * A read model: a collection of documents and the function that makes them from events. It sees one event and one
 * document at a time, has no clock and no input but the event, and so gives the same documents whenever it is run.
 * Changing what it gives means a new `version`; the runner then builds that beside the old one.
 */
export type ReadModel = Collection & {
  /** The event types that `on` is called for; `all` for every one that there is or will be. */
  readonly handles: readonly string[] | 'all';
  /** At most one change a document. Personal data in the event is already opened. */
  readonly on: (event: RecordedEvent) => readonly Change[];
  /** Whose document it is, so that live updates reach that person; null when it is for admins only. */
  readonly ownerOf: (document: Document) => string | null;
} & Traits;

type Traits = {
  /**
   * The oldest version whose documents queries still understand, and are given while this one is built; any when left
   * out. While there are only older ones the collection is `unavailable`.
   */
  readonly oldestServed?: number;
  /**
   * Every document is made by one event alone and never changed: it is not looked for before it is written, and not
   * kept in memory after.
   */
  readonly writesOnce?: true;
  /** Its changes are not told to live listeners: it changes with every event. */
  readonly isQuiet?: true;
};

type Definition<Event extends DomainEvent, Doc extends Document> = Collection & {
  readonly handles: readonly Event['type'][] | 'all';
  readonly on: (event: RecordedEvent<Event>) => readonly Change<Doc>[];
  readonly ownerOf: (document: Doc) => string | null;
} & Traits;

/**
 * A read model with the types of its events and documents. The runner calls `on` for the types in `handles` only and
 * gives `change` what the model itself put there, so that the types may be forgotten here and nowhere else.
 */
export function defineReadModel<Event extends DomainEvent, Doc extends Document>(
  definition: Definition<Event, Doc>,
): ReadModel {
  return definition as unknown as ReadModel;
}
