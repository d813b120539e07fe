import { logStart, type Position } from '#kernel';
import {
  buildName,
  idIndex,
  sameIndexes,
  type Batch,
  type Build,
  type BuildState,
  type Collection,
  type Document,
  type ReadStore,
} from '#read-store';
import { parkedEvents } from './parking.js';

/** What the runner writes down before it handles events, so that a death while handling them can be told. */
const deliveries: Collection = { name: 'deliveries', version: 1, indexes: [] };
const PAGE = 100;

/** Events of a build that were about to be handled, how many from where on, and how often they have been. */
export type Mark = {
  /** Of the event, when it is a single one; otherwise of the one before the first. */
  readonly position: Position;
  readonly events: number;
  readonly attempts: number;
};

type Session = Document & { readonly state: 'running' | 'stopped'; readonly events: number };
type DeliveryMark = Document & Mark;

/** The runner's own documents: parked events, and marks of what is being handled. */
export type Bookkeeping = {
  readonly parked: Build;
  /** The most events that were in flight when the process died; 0 after it was stopped in order. */
  readonly diedWith: number;
  /** Says that batches of up to `events` events are handled from now on; written only when it is news. */
  readonly running: (events: number) => Promise<void>;
  readonly stopped: () => Promise<void>;
  /** The last mark of a build. */
  readonly marked: (build: Build) => Promise<Mark | undefined>;
  readonly mark: (build: Build, mark: Mark) => Promise<void>;
  /** The batch that forgets what was kept of a build. */
  readonly forget: (build: Build, parkedIds: readonly string[]) => readonly Batch[];
};

export async function openBookkeeping(store: ReadStore, states: readonly BuildState[]): Promise<Bookkeeping> {
  const parked = await activeBuildOf(store, states, parkedEvents);
  const marks = await activeBuildOf(store, states, deliveries);
  const all = await store.list<Session>(deliveries.name, {
    index: idIndex,
    equals: {},
    direction: 'ascending',
    limit: PAGE,
  });
  const last = all.find(({ id }) => id === 'session');
  let announced = 0;

  const put = (document: Document) => store.write([{ build: marks, put: [document], remove: [] }]);
  const session = (state: Session['state'], events: number): Session => ({
    events,
    id: 'session',
    position: logStart,
    state,
  });
  return {
    parked,
    diedWith: last?.state === 'running' ? last.events : 0,
    running: async (events) => {
      if (events === announced) return;
      await put(session('running', events));
      announced = events;
    },
    stopped: async () => {
      await put(session('stopped', 0));
      announced = 0;
    },
    marked: (build) => store.get<DeliveryMark>(deliveries.name, buildName(build)),
    mark: (build, { attempts, events, position }) =>
      put({ attempts, events, id: buildName(build), position }),
    forget: (build, parkedIds) => [
      { build: parked, put: [], remove: parkedIds },
      { build: marks, put: [], remove: [buildName(build)] },
    ],
  };
}

async function activeBuildOf(
  store: ReadStore,
  states: readonly BuildState[],
  collection: Collection,
): Promise<Build> {
  const known = states.find(({ build, state }) => build.collection === collection.name && state === 'active');
  if (known !== undefined && isOf(known, collection)) return known.build;
  const build = await store.begin(collection, { bulk: false });
  await store.activate(build);
  return build;
}

/** True when the build was made by this version of the collection and can be listed as it says. */
export function isOf({ build, indexes }: BuildState, collection: Collection): boolean {
  return build.version === collection.version && sameIndexes(indexes, collection.indexes);
}
