import { logStart, type Position } from '#kernel';
import {
  buildName,
  idIndex,
  limits,
  sameIndexes,
  type Batch,
  type Build,
  type BuildState,
  type Collection,
  type Document,
  type ReadStore,
} from '#read-store';
import type { Delivery } from './delivery.js';
import { parkedBefore, parkedEvents, readParked, type ParkedEvent } from './parking.js';

/** What the runner writes down before it handles events, so that a death while handling them can be told. */
const deliveries: Collection = { name: 'deliveries', version: 1, indexes: [] };

/** Of each build an event that it was made from, by which a log that has lost it or went another way is told. */
export const anchors: Collection = { name: 'anchors', version: 1, indexes: [] };

/**
 * The last event that a build has taken: its position, the one after which the log gives it, and its hash; and which log
 * that is, left out of those from before logs had an id.
 */
export type Anchor = Document & { readonly after: Position; readonly chain: string; readonly logId?: string };

/** Events of a build that were about to be handled, how many from where on, and how often they have been. */
export type Mark = {
  /** Of the event, when it is a single one; otherwise of the one before the first. */
  readonly position: Position;
  readonly events: number;
  readonly attempts: number;
};

type Session = Document & { readonly state: 'running' | 'stopped'; readonly events: number };
type DeliveryMark = Document & Mark;

/** The runner's own documents: parked events, marks of what is being handled, and how far each build has come. */
export type Bookkeeping = {
  readonly parked: Build;
  /** What earlier versions of these documents were in, and what a start that died left: to be discarded. */
  readonly outdated: readonly Build[];
  /** The most events that were in flight when the process died; 0 after it was stopped in order. */
  readonly diedWith: number;
  /** Says that batches of up to `events` events are handled from now on; written only when it is news. */
  readonly running: (events: number) => Promise<void>;
  readonly stopped: () => Promise<void>;
  /** The last mark of a build. */
  readonly marked: (build: Build) => Promise<Mark | undefined>;
  readonly mark: (build: Build, mark: Mark) => Promise<void>;
  /** The last event that a build was about to take. */
  readonly anchored: (build: Build) => Promise<Position | undefined>;
  /** The batch that says that builds have taken an event; to be written with what they made of it. */
  readonly anchor: (builds: readonly Build[], last: Delivery) => Batch;
  /** The batches that forget what was kept of a build. */
  readonly forget: (build: Build, parkedIds: readonly string[]) => readonly Batch[];
};

/** The runner's documents in a store, which are made when they are not there. `logId` is of the log that is folded. */
export async function openBookkeeping(
  store: ReadStore,
  states: readonly BuildState[],
  logId?: string,
): Promise<Bookkeeping> {
  const parked = await activeBuildOf(store, states, parkedEvents, (build) => takeAlong(store, build));
  const marks = await activeBuildOf(store, states, deliveries);
  const anchored = await activeBuildOf(store, states, anchors);
  const last = await store.get<Session>(deliveries.name, 'session');
  const inUse = [parked, marks, anchored];
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
    outdated: states
      .map(({ build }) => build)
      .filter((build) => inUse.some(({ collection }) => collection === build.collection))
      .filter((build) => !inUse.some((used) => buildName(used) === buildName(build))),
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
    anchored: async (build) => (await store.get<Anchor>(anchors.name, buildName(build)))?.position,
    anchor: (builds, { after, stored: { meta, position } }) => ({
      build: anchored,
      put: builds.map((build): Anchor => {
        const anchor = { after, chain: meta.chain, id: buildName(build), position };
        return logId === undefined ? anchor : { ...anchor, logId };
      }),
      remove: [],
    }),
    forget: (build, parkedIds) => [
      { build: parked, put: [], remove: parkedIds },
      { build: marks, put: [], remove: [buildName(build)] },
      { build: anchored, put: [], remove: [buildName(build)] },
    ],
  };
}

/** Removes some of a build that queries don't read, and at last what was kept of it; true when nothing is left. */
export async function discardBuild(store: ReadStore, books: Bookkeeping, build: Build): Promise<boolean> {
  if (!(await store.discard(build))) return false;
  const parked = await readParked(store, build);
  await store.write(
    books.forget(
      build,
      parked.map(({ id }) => id),
    ),
  );
  return true;
}

/** Copies the parked events that an earlier version kept into a build: what is parked is known from nowhere else. */
async function takeAlong(store: ReadStore, build: Build): Promise<void> {
  for (let after: readonly string[] | undefined; ;) {
    const page = await store.list<ParkedEvent>(parkedEvents.name, {
      index: idIndex,
      equals: {},
      direction: 'ascending',
      limit: limits.page,
      ...(after === undefined ? {} : { after }),
    });
    const last = page.at(-1);
    if (last === undefined) return;
    await store.write([{ build, put: parkedBefore(page), remove: [] }]);
    after = [last.id];
  }
}

/** The build that the runner's own documents of a kind are in; `migrate` fills a new one while an older one is read. */
async function activeBuildOf(
  store: ReadStore,
  states: readonly BuildState[],
  collection: Collection,
  migrate?: (build: Build) => Promise<void>,
): Promise<Build> {
  const known = states.find(({ build, state }) => build.collection === collection.name && state === 'active');
  if (known !== undefined && isOf(known, collection)) return known.build;
  const build = await store.begin(collection, { bulk: false });
  if (known !== undefined) await migrate?.(build);
  await store.activate(build);
  return build;
}

/** True when the build was made by this version of the collection and can be listed as it says. */
export function isOf({ build, indexes }: BuildState, collection: Collection): boolean {
  return build.version === collection.version && sameIndexes(indexes, collection.indexes);
}
