import {
  hasFirstLane,
  allLanes,
  comparePositions,
  logStart,
  oneLane,
  plainFailure,
  type Lanes,
  type Position,
} from '#kernel';
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
export type Anchor = Document & {
  readonly after: Position;
  readonly chain: string;
  readonly logId?: string;
  /** Whose lanes they are of; left out where there is one. */
  readonly lanes?: readonly number[];
};

/** Events of a build that were about to be handled, how many from where on, and how often they have been. */
export type Mark = {
  /** Of the event, when it is a single one; otherwise of the one before the first. */
  readonly position: Position;
  readonly events: number;
  readonly attempts: number;
};

type Session = Document & {
  readonly state: 'running' | 'stopped';
  readonly events: number;
  readonly lanes?: readonly number[];
};
type DeliveryMark = Document & Mark & { readonly lanes?: readonly number[] };

/** The ids that the writers of lanes may keep something under: those of each lane, by which the first of some is told. */
export function idsOf(base: string, of: number): readonly string[] {
  return allLanes(of).own.map((lane) => idOf(base, { of, own: [lane] }));
}

function idOf(base: string, { of, own: [first = 0] }: Lanes): string {
  return of === 1 ? base : `${base}/${first}`;
}

/** The id under which the writer of some lanes keeps what is about all of them: of other lanes it is another one. */
function idOfShare(base: string, { of, own }: Lanes): string {
  return of === 1 ? base : `${base}/${own[0] ?? 0}-${own.at(-1) ?? 0}`;
}

/** The ids of marks: of single lanes, and of lanes that follow each other, as any writer may have them. */
function markIdsOf(base: string, of: number): readonly string[] {
  const { own } = allLanes(of);
  const shares = own.flatMap((first) => own.slice(first).map((last) => ({ of, own: [first, last] })));
  return [...idsOf(base, of), ...shares.map((share) => idOfShare(base, share))];
}

/** What a document of a lane has that tells which one it is of. */
function ofLane(
  base: string,
  lane: number,
  { of }: Lanes,
): { readonly id: string; readonly lanes?: readonly number[] } {
  const id = idOf(base, { of, own: [lane] });
  return of === 1 ? { id } : { id, lanes: [lane] };
}

/** What was kept by whoever had any of these lanes. */
async function keptBy<Kept extends Document & { readonly lanes?: readonly number[] }>(
  store: Pick<ReadStore, 'getMany'>,
  collection: string,
  base: string,
  { of, own }: Lanes,
  ids = idsOf(base, of),
): Promise<readonly Kept[]> {
  // What was kept before there were lanes is everybody's.
  const kept = await store.getMany<Kept>(collection, [...new Set([base, ...ids])]);
  return kept.filter(({ lanes = allLanes(of).own }) => lanes.some((lane) => own.includes(lane)));
}

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
  /** What was marked of a build by whoever had any of these lanes: of single lanes, and of all that somebody had. */
  readonly marked: (build: Build) => Promise<readonly Mark[]>;
  /** Marks events of all lanes, or one that is folded by one of them: whoever has a lane next finds what is marked there. */
  readonly mark: (build: Build, mark: Mark, lane?: number) => Promise<void>;
  /** Takes back what was marked of these lanes: whoever has them next, from further behind, is not to suspect what went well. */
  readonly unmark: (build: Build) => Promise<void>;
  /** Tells of an event of a lane whether a build was about to take it, or a later one of that lane. */
  readonly anchored: (build: Build) => Promise<(position: Position, lane: () => number) => boolean>;
  /** The batch that says that builds have taken an event; to be written with what they made of it. */
  readonly anchor: (builds: readonly Build[], last: Delivery) => Batch;
  /**
   * The batch that says that documents or parked events are others though no checkpoint moved, to be written after them:
   * whoever only reads the store has no other way to know.
   */
  readonly amended: () => Batch;
  /** The batches that forget what was kept of a build. */
  readonly forget: (build: Build, parkedIds: readonly string[]) => readonly Batch[];
};

/** What the runner's documents are opened with. */
export type BooksOptions = {
  /** Of the log that is folded. */
  readonly logId?: string | undefined;
  /** Those whose events are folded. */
  readonly lanes?: Lanes;
};

/** The runner's documents in a store, which are made when they are not there. */
export async function openBookkeeping(
  store: ReadStore,
  states: readonly BuildState[],
  { logId, lanes = oneLane }: BooksOptions = {},
): Promise<Bookkeeping> {
  const own = (collection: Collection, migrate?: (build: Build) => Promise<void>) =>
    activeBuildOf(store, states, { collection, mayBegin: hasFirstLane(lanes), migrate });
  const parked = await own(parkedEvents, (build) => takeAlong(store, build));
  const marks = await own(deliveries);
  const anchored = await own(anchors);
  const sessions = await openSessions(store, marks, lanes);
  const inUse = [parked, marks, anchored];
  const whose = lanes.of === 1 ? {} : { lanes: lanes.own };
  let amendments = parkedIn(states)?.checkpoint.ordinal ?? 0;
  return {
    parked,
    outdated: states
      .map(({ build }) => build)
      .filter((build) => inUse.some(({ collection }) => collection === build.collection))
      .filter((build) => !inUse.some((used) => buildName(used) === buildName(build))),
    ...sessions,
    marked: (build) => {
      const name = buildName(build);
      return keptBy<DeliveryMark>(store, deliveries.name, name, lanes, markIdsOf(name, lanes.of));
    },
    mark: (build, { attempts, events, position }, lane) => {
      const name = buildName(build);
      const where = lane === undefined ? { id: idOfShare(name, lanes), ...whose } : ofLane(name, lane, lanes);
      const put: DeliveryMark = { attempts, events, position, ...where };
      return store.write([{ build: marks, put: [put], remove: [] }]);
    },
    unmark: (build) => {
      const name = buildName(build);
      const remove = [idOfShare(name, lanes), ...lanes.own.map((lane) => ofLane(name, lane, lanes).id)];
      return store.write([{ build: marks, put: [], remove: [...new Set(remove)] }]);
    },
    anchored: async (build) => {
      const kept = await keptBy<Anchor>(store, anchors.name, buildName(build), lanes);
      return (position, lane) =>
        kept.some(
          (anchor) =>
            comparePositions(position, anchor.position) <= 0 && (anchor.lanes?.includes(lane()) ?? true),
        );
    },
    anchor: (builds, { after, stored: { meta, position } }) => ({
      build: anchored,
      put: builds.map((build): Anchor => {
        const anchor = { after, chain: meta.chain, id: idOf(buildName(build), lanes), position, ...whose };
        return logId === undefined ? anchor : { ...anchor, logId };
      }),
      remove: [],
    }),
    amended: () => ({
      build: parked,
      checkpoint: { position: logStart, ordinal: ++amendments },
      put: [],
      remove: [],
    }),
    forget: (build, parkedIds) => [
      { build: parked, put: [], remove: parkedIds },
      { build: marks, put: [], remove: [buildName(build), ...markIdsOf(buildName(build), lanes.of)] },
      { build: anchored, put: [], remove: idsOf(buildName(build), lanes.of) },
    ],
  };
}

const SESSION = 'session';

/** What is said of batches that are about to be handled, and what whoever had any of these lanes before said last. */
async function openSessions(
  store: ReadStore,
  build: Build,
  lanes: Lanes,
): Promise<Pick<Bookkeeping, 'diedWith' | 'running' | 'stopped'>> {
  const last = await keptBy<Session>(store, deliveries.name, SESSION, lanes);
  const own = lanes.own.map((lane) => ofLane(SESSION, lane, lanes));
  let announced = 0;
  // What those before died with is known from here on, and they say nothing any more.
  let former = last.map(({ id }) => id).filter((one) => !own.some(({ id }) => id === one));
  const say = async (state: Session['state'], events: number) => {
    const put = own.map((one): Session => ({ events, position: logStart, state, ...one }));
    await store.write([{ build, put, remove: former }]);
    former = [];
    announced = events;
  };
  return {
    diedWith: Math.max(0, ...last.map(({ state, events }) => (state === 'running' ? events : 0))),
    running: async (events) => {
      if (events !== announced) await say('running', events);
    },
    stopped: () => say('stopped', 0),
  };
}

/**
 * How often documents or parked events became others though no checkpoint moved: these were folded after all or discarded, or
 * what was damaged was made again. It is kept as the ordinal of the parked events' own build, which has no other use for one.
 */
export function amendmentsIn(states: readonly BuildState[]): number {
  const kept = parkedIn(states);
  const places = kept?.lanes ?? (kept === undefined ? [] : [kept.checkpoint]);
  return places.reduce((sum, { ordinal }) => sum + ordinal, 0);
}

function parkedIn(states: readonly BuildState[]): BuildState | undefined {
  return states.find(({ build, state }) => build.collection === parkedEvents.name && state === 'active');
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

type OwnDocuments = {
  readonly collection: Collection;
  /** Whether a build is begun where there is none. */
  readonly mayBegin: boolean;
  readonly migrate: ((build: Build) => Promise<void>) | undefined;
};

/** The build that the runner's own documents of a kind are in; `migrate` fills a new one while an older one is read. */
async function activeBuildOf(
  store: ReadStore,
  states: readonly BuildState[],
  { collection, mayBegin, migrate }: OwnDocuments,
): Promise<Build> {
  const known = states.find(({ build, state }) => build.collection === collection.name && state === 'active');
  if (known !== undefined && isOf(known, collection)) return known.build;
  if (!mayBegin)
    throw plainFailure('unavailable', 'The read models wait for whoever folds the first of their lanes.');
  const build = await store.begin(collection, { bulk: false });
  if (known !== undefined) await migrate?.(build);
  await store.activate(build);
  return build;
}

/** True when the build was made by this version of the collection and can be listed as it says. */
export function isOf({ build, indexes }: BuildState, collection: Collection): boolean {
  return build.version === collection.version && sameIndexes(indexes, collection.indexes);
}
