import { logStart, type Json, type Position } from '#kernel';

/** A document of a read model: JSON with its id and the position of the event that last changed it. */
export type Document = {
  readonly id: string;
  readonly position: Position;
  readonly [key: string]: Json | undefined;
};

/**
 * The member in which a document that is written to an engine without transactions says which events were folded into it
 * late, by their positions, and may be again when nobody heard the end of that write. Queries don't give it, only `read`.
 */
export const foldedLate = 'foldedLate';

/**
 * One order in which a collection can be listed: equality on some fields, then keyset order over the rest. The fields
 * are top-level ones that hold a text in every document of the collection, unless the index is sparse.
 */
export type Index = {
  readonly name: string;
  /** Fields that a query fixes to a value; empty to list everything. */
  readonly equals: readonly string[];
  /** Fields that give the order, compared as text; `id` is always the last, added by the adapter. */
  readonly order: readonly string[];
  /**
   * Fields that a query may fix as well, any of them. They are tried row by row among those that have the `equals`
   * fields, in the index itself: for lists that are never long, such as one person's, they save an index each.
   */
  readonly filters?: readonly string[];
  /**
   * Leaves out the documents that have no text in one of the `equals` fields: what few documents have costs the others
   * nothing. `order` and `filters` are in every document all the same.
   */
  readonly sparse?: true;
};

/** A kind of document: its name, the version of the function that makes it, and how it can be listed. */
export type Collection = {
  readonly name: string;
  readonly version: number;
  readonly indexes: readonly Index[];
};

/**
 * One set of a collection's documents, made by folding the log once. Several stand beside each other while a new
 * version, or the same one again, is built; queries read the active one. `number` grows with every build of a collection.
 */
export type Build = { readonly collection: string; readonly version: number; readonly number: number };

/**
 * A place in the log, and how many events there are up to it. Positions can only be compared: an engine may number its
 * events by bytes. What is counted (a lag, progress, stretches of the log) is counted in ordinals.
 */
export type Checkpoint = {
  readonly position: Position;
  /** The last event up to here is the n-th of the log, from 1; 0 before the first. */
  readonly ordinal: number;
};

/** Before the first event. */
export const checkpointStart: Checkpoint = { position: logStart, ordinal: 0 };

export type BuildState = {
  readonly build: Build;
  readonly indexes: readonly Index[];
  /** `building` is not read by queries, `active` is, `retired` waits to be discarded. */
  readonly state: 'building' | 'active' | 'retired';
  /** False while its activation would make the indexes first, because it was begun in bulk. */
  readonly isIndexed: boolean;
  /** The documents are true as of here: all of them, or, where a writer asks, those of its own lanes. */
  readonly checkpoint: Checkpoint;
  /** Where the documents of each lane are true as of; left out by an engine that has one lane. */
  readonly lanes?: readonly Checkpoint[];
};

/** The index that every collection has: all documents in the order of their ids. */
export const idIndex = 'id';

export type ListQuery = {
  /** The name of one of the collection's indexes, or `idIndex`. */
  readonly index: string;
  /** A value for each of the index's `equals` fields and any of its `filters`, and nothing else. */
  readonly equals: Readonly<Record<string, string>>;
  readonly direction: 'ascending' | 'descending';
  /** The order fields and the id of the row to start after (in `direction`), exclusive. */
  readonly after?: readonly string[];
  /**
   * Bounds on the first order field, or on the id where the order has no fields: `from` inclusive, `to` exclusive,
   * compared as text. What lies outside is not looked at, so that it costs nothing.
   */
  readonly from?: string;
  readonly to?: string;
  /** At most `limits.page`. */
  readonly limit: number;
};

/**
 * Documents and the checkpoint they are true as of. A batch without a checkpoint leaves it where it is. No id is in it
 * twice.
 */
export type Batch = {
  readonly build: Build;
  readonly checkpoint?: Checkpoint;
  readonly put: readonly Document[];
  readonly remove: readonly string[];
};

/** Bounds of what one call may ask. */
export const limits = {
  page: 1_000,
  idsPerRead: 10_000,
} as const;

/**
 * What queries see: the documents of the active build of each collection. Errors are `LodeError`s: `unavailable` when
 * the collection has no active build yet or the engine can't be reached, `storage_failed` when the engine's data can't
 * be read. A query on an index or field that was not declared is a bug and throws an `InvariantViolation`.
 */
export interface ReadStoreReader {
  /** The type parameter is the caller's word for what the read model puts there. */
  get<Doc extends Document = Document>(collection: string, id: string): Promise<Doc | undefined>;

  /** Those of at most `limits.idsPerRead` documents that exist, in the order asked for. */
  getMany<Doc extends Document = Document>(
    collection: string,
    ids: readonly string[],
  ): Promise<readonly Doc[]>;

  /** One page by keyset: what a page costs does not depend on how far into the list it is. */
  list<Doc extends Document = Document>(collection: string, query: ListQuery): Promise<readonly Doc[]>;

  /**
   * The keys of the rows of a page: of each the order fields and the id, as `after` takes them. Cheaper than the page
   * itself, as no document is read.
   */
  keys(collection: string, query: ListQuery): Promise<readonly (readonly string[])[]>;

  /** Where the active build of a collection stands. */
  checkpoint(collection: string): Promise<Checkpoint>;

  /** Every build there is, by collection and number; none, or `unavailable`, where nobody has written any. */
  builds(): Promise<readonly BuildState[]>;

  close(): Promise<void>;
}

/** Read models that could not be used, and were set aside so that others are built. */
export type Discarded = {
  /** Where they are now; earlier ones there are replaced. */
  readonly movedTo: string;
  readonly reason: 'damaged' | 'another format';
};

/** What is known of how a build will be made. */
export type BuildPlan = {
  /**
   * Nothing live is written meanwhile, so that the indexes may wait for the activation, which is sooner; a build beside
   * live ones has them at once, because making them at the end would hold the live ones up.
   */
  readonly bulk: boolean;
  /**
   * Until activation, documents are only added, so a bulk build may also create the id index at the end. (A write with
   * an unknown outcome may be repeated.)
   */
  readonly writesOnce?: boolean;
};

/**
 * Where read models are kept. Every adapter passes `describeReadStore` in `read-store/contract`. One process writes at
 * a time, or one the documents of each lane: an adapter for that is opened for some lanes, and passes `describeLanes`. All of it
 * can be thrown away: it is made again from the log.
 *
 * Errors beside the reader's: `conflict` (another writer was opened since, and this one changes nothing any more),
 * `storage_full` (no checkpoint was moved, and with transactions nothing was written) and `unknown_outcome` (some of it
 * may have been written: the same write again is safe).
 */
export interface ReadStore extends ReadStoreReader {
  /** Of what one write asks for some may be there and the rest not. It keeps `foldedLate`, and others need not. */
  readonly withoutTransactions?: true;

  /**
   * Overwrites whatever was deleted or replaced, where that stays in files of Lode's own. Throws `unavailable` while a reader
   * needs it as it was: then it is to be repeated. Left out by an engine that overwrites in its own time.
   */
  overwrite?(): Promise<void>;

  /** Begins an empty build of the collection beside those that there are, with its checkpoint at the log's start. */
  begin(collection: Collection, how: BuildPlan): Promise<Build>;

  /** Those of at most `limits.idsPerRead` documents that exist in a build, active or not, in no order. */
  read(build: Build, ids: readonly string[]): Promise<readonly Document[]>;

  /**
   * Of at most `limits.idsPerRead` documents those that were removed, each with the `sortablePosition` up to which it has all events.
   * Left out by an engine where no document is ahead of the checkpoint.
   */
  readGone?(build: Build, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;

  /**
   * Writes batches in the order given. Within a batch the documents are never behind its checkpoint, at any moment and
   * after any crash; an engine with transactions writes all batches or none. A batch whose checkpoint is before the one
   * stored comes from a writer that was overtaken, and changes nothing. Where documents can be ahead of the checkpoint
   * (an engine without transactions) a document replaces one whose position is not after its own.
   */
  write(batches: readonly Batch[]): Promise<void>;

  /** From now on queries read this build; the one they read before is retired. One step: no query sees both or none. */
  activate(build: Build): Promise<void>;

  /**
   * This build is to be discarded. When it was active, queries no longer read it from now on: the collection has none
   * until one is activated.
   */
  retire(build: Build): Promise<void>;

  /**
   * Removes some of a build that is not active; true when nothing of it is left. The work of one call is bounded, so
   * that whoever writes live is not held up.
   */
  discard(build: Build): Promise<boolean>;
}
