import {
  allLanes,
  canonicalJson,
  comparePositions,
  invariant,
  LodeError,
  oneLane,
  plainFailure,
  sortablePosition,
  type Lanes,
} from '#kernel';
import { leastOf } from '../checkpoints.js';
import { buildName, checkCollection, indexedText, indexFor, requiredFields } from '../declarations.js';
import {
  checkpointStart,
  foldedLate,
  limits,
  type Batch,
  type Build,
  type BuildState,
  type Checkpoint,
  type Document,
  type Index,
  type ListQuery,
  type ReadStore,
  type ReadStoreReader,
} from '../port.js';

/** A build, where each of its lanes stands, and the texts of its documents by their ids. */
type Kept = {
  state: Omit<BuildState, 'checkpoint' | 'lanes'>;
  readonly lanes: Checkpoint[];
  readonly documents: Map<string, string>;
  /** Of those that were removed, up to where each has all events. */
  readonly gone: Map<string, string>;
};

/** What those who write and read share: of each lane the last one that was opened to write it. */
export type MemoryReadModels = {
  lastNumber: number;
  lastWriter: number;
  readonly writers: number[];
  readonly builds: Map<string, Kept>;
};

/** Documents of a retired build that one call of `discard` removes. */
const DISCARDED_AT_ONCE = 2_000;

/** No read models yet. */
export function emptyReadModels(lanes = 1): MemoryReadModels {
  return { lastNumber: 0, lastWriter: 0, writers: Array<number>(lanes).fill(0), builds: new Map() };
}

/**
 * Read models that live as long as the process: for tests. Batches are written together or not at all, and from here on
 * whoever opened them to write any of the same lanes before is refused. Passes the same contracts.
 */
export function createMemoryReadStore(models: MemoryReadModels, { of, own }: Lanes = oneLane): ReadStore {
  invariant(models.writers.length === of, `the read models have ${models.writers.length} lanes, not ${of}`);
  const writer = (models.lastWriter += 1);
  for (const lane of own) models.writers[lane] = writer;
  // Those of one writer stand at one place; what is further there already is met by its position.
  for (const { lanes } of models.builds.values()) {
    const least = leastOf(own.map((lane) => lanes[lane] ?? checkpointStart));
    for (const lane of own) lanes[lane] = least;
  }
  const known = (build: Build): Kept => {
    const kept = models.builds.get(buildName(build));
    invariant(kept !== undefined, `there is no build ${buildName(build)}`);
    return kept;
  };
  const change = <Answer>(work: () => Answer): Answer => {
    if (own.some((lane) => models.writers[lane] !== writer))
      throw new LodeError('conflict', 'Another program writes the read models now.');
    return work();
  };
  const move = (kept: Kept, to: Partial<Kept['state']>) => {
    kept.state = { ...kept.state, ...to };
  };
  return {
    ...createMemoryReadStoreReader(models),
    // Documents may be ahead of the checkpoint that a writer of several lanes begins at.
    ...(of > 1
      ? {
          withoutTransactions: true as const,
          readGone: async (build: Build, ids: readonly string[]) =>
            change(() => new Map([...known(build).gone].filter(([id]) => ids.includes(id)))),
        }
      : {}),
    builds: async () => statesIn(models, own),
    begin: async (collection, { bulk }) =>
      change(() => {
        checkCollection(collection);
        const { name, version, indexes } = collection;
        const build = { collection: name, version, number: (models.lastNumber += 1) };
        const state = {
          build,
          indexes,
          state: 'building',
          isIndexed: !bulk,
        } as const;
        const lanes = allLanes(of).own.map(() => checkpointStart);
        models.builds.set(buildName(build), { state, lanes, documents: new Map(), gone: new Map() });
        return build;
      }),
    read: async (build, ids) => change(() => documentsIn(known(build), ids)),
    write: async (batches) =>
      change(() => {
        // The writer of other lanes may have discarded a build.
        const there = batches.filter(({ build }) => of === 1 || models.builds.has(buildName(build)));
        for (const one of there.map((batch) => prepared(known(batch.build), batch, own))) one();
      }),
    activate: async (build) =>
      change(() => {
        const next = known(build);
        const last = activeOf(models, build.collection);
        if (last !== undefined) move(last, { state: 'retired' });
        move(next, { state: 'active', isIndexed: true });
      }),
    retire: async (build) => change(() => move(known(build), { state: 'retired' })),
    discard: async (build) => change(() => discard(models, build)),
  };
}

/** The queries of the same read models. */
export function createMemoryReadStoreReader(models: MemoryReadModels): ReadStoreReader {
  const active = (collection: string): Kept => {
    const kept = activeOf(models, collection);
    if (kept === undefined) throw plainFailure('unavailable', `The read model ${collection} is being built.`);
    return kept;
  };
  return {
    get: async <Doc extends Document>(collection: string, id: string) =>
      documentsIn(active(collection), [id]).map(withoutMarks)[0] as Doc | undefined,
    getMany: async <Doc extends Document>(collection: string, ids: readonly string[]) =>
      documentsIn(active(collection), ids).map((one) => withoutMarks(one) as Doc),
    list: async <Doc extends Document>(collection: string, query: ListQuery) =>
      rowsOf(active(collection), query).map(({ document }) => withoutMarks(document) as Doc),
    keys: async (collection, query) => rowsOf(active(collection), query).map(({ key }) => key),
    checkpoint: async (collection) => leastOf(active(collection).lanes),
    builds: async () => statesIn(models, allLanes(models.writers.length).own),
    close: async () => undefined,
  };
}

/** Every build, by collection and number, each as some lanes stand. */
function statesIn({ builds }: MemoryReadModels, own: readonly number[]): readonly BuildState[] {
  return [...builds.values()]
    .map(({ state, lanes }) => ({
      ...state,
      checkpoint: leastOf(own.map((lane) => lanes[lane] ?? checkpointStart)),
      ...(lanes.length > 1 ? { lanes: [...lanes] } : {}),
    }))
    .toSorted(({ build: a }, { build: b }) =>
      a.collection === b.collection ? a.number - b.number : compare([a.collection], [b.collection]),
    );
}

function activeOf({ builds }: MemoryReadModels, collection: string): Kept | undefined {
  for (const kept of builds.values())
    if (kept.state.state === 'active' && kept.state.build.collection === collection) return kept;
  return undefined;
}

function documentsIn({ documents }: Kept, ids: readonly string[]): readonly Document[] {
  invariant(ids.length <= limits.idsPerRead, `${ids.length} ids are more than one read may ask for`);
  return ids.flatMap((id) => {
    const text = documents.get(id);
    return text === undefined ? [] : [JSON.parse(text) as Document];
  });
}

/** A document as queries are given it. */
function withoutMarks({ [foldedLate]: _, ...document }: Document): Document {
  return document;
}

/** Checks a batch, and gives what writes it. */
function prepared(kept: Kept, { checkpoint, put, remove }: Batch, own: readonly number[]): () => void {
  const required = requiredFields(kept.state.indexes);
  const texts = put.map((document) => {
    const lacking = required.find((field) => indexedText(document, field) === undefined);
    invariant(lacking === undefined, `${document.id} has no text in ${lacking}, which it is listed by`);
    return [document.id, canonicalJson(document)] as const;
  });
  return () => {
    if (checkpoint !== undefined) {
      const stored = leastOf(own.map((lane) => kept.lanes[lane] ?? checkpointStart));
      if (comparePositions(checkpoint.position, stored.position) < 0) return;
      for (const lane of own) kept.lanes[lane] = checkpoint;
    }
    for (const [id, text] of texts) {
      kept.documents.set(id, text);
      kept.gone.delete(id);
    }
    for (const id of remove) {
      kept.documents.delete(id);
      if (checkpoint !== undefined) kept.gone.set(id, sortablePosition(checkpoint.position));
    }
  };
}

/** Removes some of a build; true when nothing is left of it. */
function discard({ builds }: MemoryReadModels, build: Build): boolean {
  const name = buildName(build);
  const kept = builds.get(name);
  if (kept === undefined) return true;
  invariant(kept.state.state !== 'active', `${name} is active: queries read it`);
  kept.state = { ...kept.state, state: 'retired' };
  const some = [...kept.documents.keys()].slice(0, DISCARDED_AT_ONCE);
  for (const id of some) kept.documents.delete(id);
  if (some.length === DISCARDED_AT_ONCE) return false;
  builds.delete(name);
  return true;
}

type Row = { readonly key: readonly string[]; readonly document: Document };

/** A page of a list, found by looking at every document. */
function rowsOf({ state, documents }: Kept, query: ListQuery): readonly Row[] {
  const index = indexFor(state.build.collection, state.indexes, query);
  const { equals, direction, after, from, to, limit } = query;
  const sign = direction === 'ascending' ? 1 : -1;
  const rows = [...documents.values()].flatMap((text): readonly Row[] => {
    const document = JSON.parse(text) as Document;
    if (Object.entries(equals).some(([field, value]) => document[field] !== value)) return [];
    const key = keyOf(index, document);
    const [first = ''] = key;
    if ((from !== undefined && first < from) || (to !== undefined && first >= to)) return [];
    return after !== undefined && sign * compare(key, after) <= 0 ? [] : [{ key, document }];
  });
  return rows.toSorted((a, b) => sign * compare(a.key, b.key)).slice(0, limit);
}

function keyOf({ order }: Index, document: Document): readonly string[] {
  return [...order.map((field) => indexedText(document, field) ?? ''), document.id];
}

function compare(a: readonly string[], b: readonly string[]): number {
  const n = a.findIndex((text, place) => text !== b[place]);
  if (n === -1) return 0;
  return (a[n] ?? '') < (b[n] ?? '') ? -1 : 1;
}
