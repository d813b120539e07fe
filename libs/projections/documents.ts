import { LRUCache } from 'lru-cache';
import { limits, type Batch, type Build, type Document, type ReadStore } from '#read-store';

/**
 * The documents of one build that a fold works on: at hand what the current batch touches, cached what earlier ones
 * did, in the store the rest.
 */
export type Documents = {
  /** Brings documents to hand, from the cache or the store. */
  readonly bring: (ids: readonly string[]) => Promise<void>;
  /** A document that was brought to hand; undefined when there is none. */
  readonly get: (id: string) => Document | undefined;
  readonly set: (id: string, document: Document | undefined) => void;
  /** Documents changed since the last write. */
  readonly changed: () => number;
  readonly contents: () => Pick<Batch, 'put' | 'remove'>;
  /** The batch was written. */
  readonly written: () => void;
  /** The batch was not written: what it changed is forgotten. */
  readonly dropped: () => void;
};

/** `fresh` says that the build has no documents yet, so that none has to be looked for while all of them are cached. */
export function createDocuments(store: ReadStore, build: Build, cached: number, fresh: boolean): Documents {
  let isComplete = fresh;
  const cache = new LRUCache<string, Document>({
    max: cached,
    dispose: (_document, _id, reason) => {
      if (reason === 'evict') isComplete = false;
    },
  });
  const hand = new Map<string, Document | undefined>();
  const changed = new Set<string>();

  const bring = async (ids: readonly string[]) => {
    const missing: string[] = [];
    for (const id of ids) {
      if (hand.has(id)) continue;
      const known = cache.get(id);
      if (known === undefined && !isComplete) missing.push(id);
      else hand.set(id, known);
    }
    for (let from = 0; from < missing.length; from += limits.idsPerRead) {
      const asked = missing.slice(from, from + limits.idsPerRead);
      const found = await store.read(build, asked);
      for (const id of asked) hand.set(id, undefined);
      for (const document of found) hand.set(document.id, document);
    }
  };

  const contents = () => {
    const put: Document[] = [];
    const remove: string[] = [];
    for (const id of changed) {
      const document = hand.get(id);
      if (document === undefined) remove.push(id);
      else put.push(document);
    }
    return { put, remove };
  };

  const dropped = () => {
    hand.clear();
    changed.clear();
  };

  const written = () => {
    for (const id of changed) {
      const document = hand.get(id);
      if (document === undefined) cache.delete(id);
      else cache.set(id, document);
    }
    dropped();
  };

  return {
    bring,
    get: (id) => hand.get(id),
    set: (id, document) => {
      hand.set(id, document);
      changed.add(id);
    },
    changed: () => changed.size,
    contents,
    written,
    dropped,
  };
}
