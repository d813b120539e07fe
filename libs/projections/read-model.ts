import type { DecodedEvent, DomainEvent, RecordedEvent } from '#kernel';
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

/** A recorded event as handlers get it: what `OpenEvent` gives. */
export type OpenedEvent<Event extends DomainEvent = DomainEvent> = DecodedEvent<Event>;

/** What an event changes: at most one change a document. It has no clock and no input but the event. */
export type Handler<Event extends DomainEvent = DomainEvent, Doc extends Document = Document> = (
  event: OpenedEvent<Event>,
) => readonly Change<Doc>[];

/** Stands for the handler of an event that changes nothing in a read model. */
export const ignore = 'ignore';

/** A handler, or `ignore`, for each type of event: a type that is left out does not compile. */
export type Handlers<Event extends DomainEvent, Doc extends Document> = {
  readonly [Type in Event['type']]: Handler<Extract<Event, { readonly type: Type }>, Doc> | typeof ignore;
};

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
  /**
   * The stream that a document is made of, by its id: when it is damaged it is made again from there. Left out where a
   * document has no such stream: then another build is made.
   */
  readonly streamOf?: (id: string) => string;
  /** Events of every stream change the same documents: it can't go on without them. */
  readonly isShared?: true;
  /** Its changes are not told to live listeners: it changes with every event. */
  readonly isQuiet?: true;
};

type Common<Doc extends Document> = Collection & {
  /** Whose document it is, so that live updates reach that person; null when it is for admins only. */
  readonly ownerOf: (document: Doc) => string | null;
  /** Somebody else whom a list shows it to, so that live updates reach them too; left out where there never is anybody. */
  readonly alsoOf?: (document: Doc) => string | null;
} & Traits;

/** A read model of some kinds of streams. */
export type StreamModel = Common<Document> & {
  /** The types of the events that change documents. */
  readonly handles: readonly string[];
  /** What an event of any type changes. */
  readonly on: Handler;
};

/** A read model of the whole log. */
export type LogModel = Common<Document> & {
  readonly handles: 'all';
  /**
   * What an event changes, as the log has it: of a type, and of a version, that the program may not know. It is the
   * `ordinal`-th event of the log, from 1.
   */
  readonly on: (stored: RecordedEvent, ordinal: number) => readonly Change[];
};

/**
 * A collection of documents and the functions that make them from events. They see one event and one document at a
 * time, and so give the same documents whenever they are run. Changing what they give means a new `version`; the runner
 * then builds that beside the old one.
 */
export type ReadModel = StreamModel | LogModel;

/**
 * A read model of some kinds of streams: `Event` is every event of theirs, and `on` says what each changes. A handler is
 * given events of its own type, and `change` what the model itself put there, so that the types may be forgotten here and
 * nowhere else.
 */
export function readModel<Event extends DomainEvent, Doc extends Document>(
  definition: Common<Doc> & { readonly on: Handlers<Event, Doc> },
): StreamModel {
  const handlers = new Map<string, Handler>();
  for (const [type, handler] of Object.entries<unknown>(definition.on))
    if (handler !== ignore) handlers.set(type, handler as Handler);
  const { on: _, ...rest } = definition as unknown as StreamModel;
  return {
    ...rest,
    handles: [...handlers.keys()],
    on: (event) => handlers.get(event.type)?.(event) ?? noChanges,
  };
}

/** A read model of the whole log: every event changes something, whatever its type. */
export function logModel<Doc extends Document>(
  definition: Common<Doc> & {
    readonly on: (stored: RecordedEvent, ordinal: number) => readonly Change<Doc>[];
  },
): LogModel {
  return { ...(definition as unknown as LogModel), handles: 'all' };
}

const noChanges: readonly Change[] = [];
