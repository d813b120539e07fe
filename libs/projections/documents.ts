import { invariant, LodeError, sortablePosition, type Position } from '#kernel';
import { foldedLate, limits, type Batch, type Build, type Document, type ReadStore } from '#read-store';

/** The documents of one build that a fold works on: what it touches now, and what it touched lately. */
export type Documents = {
  /** Loads documents, from the cache or the store; `again` for events that they may have already, where some are ahead of the checkpoint. */
  readonly load: (ids: readonly string[], again?: boolean) => Promise<void>;
  /** A document that was loaded; undefined when there is none. */
  readonly get: (id: string) => Document | undefined;
  /** True when a document that was loaded again had this event before it was removed. */
  readonly isGone: (id: string, position: Position) => boolean;
  /** Changes a document that was loaded; undefined removes it. An event that is folded late is named by its position. */
  readonly set: (id: string, document: Document | undefined, late?: Position) => void;
  /** True when the event was folded late into the document before, in a write that nobody heard the end of. */
  readonly hasLate: (id: string, position: Position) => boolean;
  /** Documents changed since the last write. */
  readonly changed: () => number;
  readonly pending: () => Pick<Batch, 'put' | 'remove'>;
  /** The batch was written. */
  readonly commit: () => void;
  /** The batch was not written: what it changed is as it was before. */
  readonly rollback: () => void;
  /** Some of the batch may have been written: what it changed is read again before it is used. */
  readonly forget: () => void;
  /** The store has another one of this id, which is read again before it is used. It is not changed in the batch. */
  readonly drop: (id: string) => void;
  /** What the store has of this id is damaged: whatever asks for it fails until it is dropped. */
  readonly refuse: (id: string) => void;
};

/** Documents none of which is refused. */
type Kept = Omit<Documents, 'refuse'>;
/** And of which nothing is known once they are gone. */
type Cache = Omit<Kept, 'isGone'>;

/** What is known of a document: what it is now, and what it was when the batch began. */
type Entry = {
  readonly id: string;
  now: Document | undefined;
  before: Document | undefined;
  /** The positions of the events that were folded late into it while their parked entries are there. */
  late: readonly string[];
  lateBefore: readonly string[];
  isChanged: boolean;
};

type DocumentsOptions = {
  readonly cached: number;
  readonly isFresh: boolean;
  readonly isParked: (position: string) => boolean;
};

/** The documents of a build, kept in memory; see `createCache`. */
export function createDocuments(store: ReadStore, build: Build, options: DocumentsOptions): Documents {
  return refusing(knowingGone(createCache(store, build, options), store, build));
}

/**
 * A cache in two generations: what is touched is in the younger, and once that holds half of `cached` the older is
 * forgotten and the younger takes its place. That a document is not there is remembered too. `isFresh` says that the
 * build has no documents yet: until something is forgotten, what is not in the cache is nowhere.
 */
function createCache(store: ReadStore, build: Build, options: DocumentsOptions): Cache {
  const { cached, isFresh, isParked } = options;
  const marksLate = store.withoutTransactions === true;
  let isComplete = isFresh;
  let young = new Map<string, Entry>();
  let old = new Map<string, Entry>();
  let changed: Entry[] = [];

  const remember = (id: string, now: Document | undefined, late: readonly string[]) => {
    young.set(id, { id, now, before: now, late, lateBefore: late, isChanged: false });
  };

  const load = async (ids: readonly string[]) => {
    const missing: string[] = [];
    for (const id of ids) {
      if (young.has(id)) continue;
      const known = old.get(id);
      if (known !== undefined) young.set(id, known);
      else if (isComplete) remember(id, undefined, noMarks);
      else missing.push(id);
    }
    for (let from = 0; from < missing.length; from += limits.idsPerRead) {
      const asked = missing.slice(from, from + limits.idsPerRead);
      const found = await store.read(build, asked);
      for (const id of asked) remember(id, undefined, noMarks);
      for (const document of found) remember(document.id, ...apartFromMarks(document));
    }
  };

  const settle = () => {
    for (const entry of changed) keep(entry, isParked);
    changed = [];
    if (young.size < cached / 2) return;
    isComplete &&= old.size === 0;
    old = young;
    young = new Map();
  };

  return {
    load,
    get: (id) => young.get(id)?.now,
    hasLate: (id, position) => young.get(id)?.late.includes(position) === true,
    set: (id, document, late) => {
      const entry = young.get(id);
      invariant(entry !== undefined, 'a document is loaded before it is changed');
      entry.now = document;
      if (late !== undefined && marksLate) entry.late = [...entry.late, late];
      if (entry.isChanged) return;
      entry.isChanged = true;
      changed.push(entry);
    },
    changed: () => changed.length,
    pending: () => batchOf(changed, isParked),
    commit: settle,
    rollback: () => {
      for (const entry of changed) undo(entry);
      settle();
    },
    forget: () => {
      for (const { id } of changed) for (const known of [young, old]) known.delete(id);
      changed = [];
      isComplete = false;
    },
    drop: (id) => {
      for (const known of [young, old]) known.delete(id);
      isComplete = false;
    },
  };
}

/** Documents of which it is known, of those that are loaded again, up to where the ones that are not there have all events. */
function knowingGone(documents: Cache, { readGone }: Pick<ReadStore, 'readGone'>, build: Build): Kept {
  let gone = new Map<string, string>();
  return {
    ...documents,
    load: async (ids, again = false) => {
      gone = new Map();
      for (let from = 0; again && readGone !== undefined && from < ids.length; from += limits.idsPerRead)
        for (const [id, place] of await readGone(build, ids.slice(from, from + limits.idsPerRead)))
          gone.set(id, place);
      await documents.load(ids);
    },
    isGone: (id, position) => (gone.get(id) ?? '') >= sortablePosition(position),
  };
}

/** Documents some of which are refused. */
function refusing(documents: Kept): Documents {
  const refused = new Set<string>();
  return {
    ...documents,
    load: (ids, again) =>
      documents.load(refused.size === 0 ? ids : ids.filter((id) => !refused.has(id)), again),
    get: (id) => {
      if (refused.has(id)) throw new LodeError('storage_failed', `The document ${id} is damaged.`);
      return documents.get(id);
    },
    drop: (id) => {
      refused.delete(id);
      documents.drop(id);
    },
    refuse: (id) => {
      documents.drop(id);
      refused.add(id);
    },
  };
}

function batchOf(
  changed: readonly Entry[],
  isParked: (position: string) => boolean,
): Pick<Batch, 'put' | 'remove'> {
  return {
    put: changed.flatMap(({ now, late }) => (now === undefined ? [] : [marked(now, late, isParked)])),
    remove: changed.flatMap(({ id, now }) => (now === undefined ? [id] : [])),
  };
}

function keep(entry: Entry, isParked: (position: string) => boolean): void {
  entry.before = entry.now;
  if (entry.late !== noMarks) entry.late = entry.late.filter(isParked);
  entry.lateBefore = entry.late;
  entry.isChanged = false;
}

function undo(entry: Entry): void {
  entry.now = entry.before;
  entry.late = entry.lateBefore;
}

const noMarks: readonly string[] = [];

/** A stored document apart from its marks. */
function apartFromMarks(stored: Document): [Document, readonly string[]] {
  if (!Array.isArray(stored[foldedLate])) return [stored, noMarks];
  const { [foldedLate]: late, ...document } = stored;
  return [document, Array.isArray(late) ? late.map(String) : noMarks];
}

/** The document as it is written: with those of its marks whose events could still be folded again. */
function marked(
  document: Document,
  late: readonly string[],
  isParked: (position: string) => boolean,
): Document {
  if (late === noMarks) return document;
  const marks = late.filter(isParked);
  return marks.length === 0 ? document : { ...document, [foldedLate]: marks };
}

/** Documents that are each written once: none is looked for before, and none is kept after. */
export function createWriteOnceDocuments(): Documents {
  let put: Document[] = [];
  const settle = () => {
    put = [];
  };
  return {
    load: async () => {},
    get: () => undefined,
    isGone: () => false,
    hasLate: () => false,
    set: (_, document) => {
      invariant(document !== undefined, 'what is written once is not removed');
      put.push(document);
    },
    changed: () => put.length,
    pending: () => ({ put, remove: [] }),
    commit: settle,
    rollback: settle,
    forget: settle,
    drop: () => {},
    refuse: () => {},
  };
}
