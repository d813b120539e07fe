import { invariant } from '#kernel';
import { limits, type Batch, type Build, type Document, type ReadStore } from '#read-store';

/** The documents of one build that a fold works on: what it touches now, and what it touched lately. */
export type Documents = {
  /** Loads documents, from the cache or the store. */
  readonly load: (ids: readonly string[]) => Promise<void>;
  /** A document that was loaded; undefined when there is none. */
  readonly get: (id: string) => Document | undefined;
  /** Changes a document that was loaded; undefined removes it. */
  readonly set: (id: string, document: Document | undefined) => void;
  /** Documents changed since the last write. */
  readonly changed: () => number;
  readonly pending: () => Pick<Batch, 'put' | 'remove'>;
  /** The batch was written. */
  readonly commit: () => void;
  /** The batch was not commit: what it changed is as it was before. */
  readonly rollback: () => void;
};

/** What is known of a document: what it is now, and what it was when the batch began. */
type Entry = {
  readonly id: string;
  now: Document | undefined;
  before: Document | undefined;
  isChanged: boolean;
};

/**
 * A cache in two generations: what is touched is in the younger, and once that holds half of `cached` the older is
 * forgotten and the younger takes its place. That a document is not there is remembered too. `isFresh` says that the
 * build has no documents yet: until something is forgotten, what is not in the cache is nowhere.
 */
export function createDocuments(
  store: ReadStore,
  build: Build,
  { cached, isFresh }: { readonly cached: number; readonly isFresh: boolean },
): Documents {
  let isComplete = isFresh;
  let young = new Map<string, Entry>();
  let old = new Map<string, Entry>();
  let changed: Entry[] = [];

  const remember = (id: string, document: Document | undefined) => {
    young.set(id, { id, now: document, before: document, isChanged: false });
  };

  const load = async (ids: readonly string[]) => {
    const missing: string[] = [];
    for (const id of ids) {
      if (young.has(id)) continue;
      const known = old.get(id);
      if (known !== undefined) young.set(id, known);
      else if (isComplete) remember(id, undefined);
      else missing.push(id);
    }
    for (let from = 0; from < missing.length; from += limits.idsPerRead) {
      const asked = missing.slice(from, from + limits.idsPerRead);
      const found = await store.read(build, asked);
      for (const id of asked) remember(id, undefined);
      for (const document of found) remember(document.id, document);
    }
  };

  const settle = () => {
    for (const entry of changed) {
      entry.before = entry.now;
      entry.isChanged = false;
    }
    changed = [];
    if (young.size < cached / 2) return;
    isComplete &&= old.size === 0;
    old = young;
    young = new Map();
  };

  return {
    load,
    get: (id) => young.get(id)?.now,
    set: (id, document) => {
      const entry = young.get(id);
      invariant(entry !== undefined, 'a document is loaded before it is changed');
      entry.now = document;
      if (entry.isChanged) return;
      entry.isChanged = true;
      changed.push(entry);
    },
    changed: () => changed.length,
    pending: () => ({
      put: changed.flatMap(({ now }) => now ?? []),
      remove: changed.flatMap(({ id, now }) => (now === undefined ? [id] : [])),
    }),
    commit: settle,
    rollback: () => {
      for (const entry of changed) entry.now = entry.before;
      settle();
    },
  };
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
    set: (_, document) => {
      invariant(document !== undefined, 'what is written once is not removed');
      put.push(document);
    },
    changed: () => put.length,
    pending: () => ({ put, remove: [] }),
    commit: settle,
    rollback: settle,
  };
}
