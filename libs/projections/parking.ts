import { comparePositions, createRetryQueue, sortablePosition, type Position } from '#kernel';
import type { Delivery } from './delivery.js';
import {
  buildName,
  type Build,
  type Checkpoint,
  type Collection,
  type Document,
  type ListQuery,
  type ReadStoreReader,
} from '#read-store';

/** The events that read models could not handle, and those of the same streams that wait behind them. */
export const parkedEvents: Collection = {
  name: 'parked',
  version: 2,
  indexes: [
    { name: 'all', equals: [], order: ['order'] },
    { name: 'build', equals: ['build'], order: ['order'] },
    { name: 'stream', equals: ['build', 'stream'], order: ['order'] },
  ],
};

/** One event that a build has not folded. The event itself stays in the log: it may hold personal data. */
export type ParkedEvent = Document & {
  readonly model: string;
  /** The build's name, `model@version.number`. */
  readonly build: string;
  readonly stream: string;
  readonly eventId: string;
  readonly type: string;
  readonly revision: number;
  /** Reading the log after here gives the event first. */
  readonly after: Position;
  /** It is the n-th event of the log; left out of those that were parked before events were counted. */
  readonly ordinal?: number;
  /** As `sortablePosition` gives it. */
  readonly order: string;
  /** `parked` when it failed itself, `waiting` when an earlier event of its stream did, `discarded` when it is left out. */
  readonly state: 'parked' | 'waiting' | 'discarded';
  readonly attempts: number;
  /** What failed, as `errorText` gives it; empty for a waiting one. */
  readonly error: string;
};

const PAGE = 1_000;

export type Failure = { readonly attempts: number; readonly error: string };

/** The document for an event that is not folded; `failure` is left out for one that waits behind another. */
export function parkedEvent(
  build: Build,
  { stored: event, after, ordinal }: Delivery,
  failure?: Failure,
): ParkedEvent {
  const name = buildName(build);
  return {
    after,
    attempts: failure?.attempts ?? 0,
    build: name,
    error: failure?.error ?? '',
    eventId: event.id,
    ...placeIn(name, event.position),
    model: build.collection,
    ordinal,
    position: event.position,
    revision: event.revision,
    state: failure === undefined ? 'waiting' : 'parked',
    stream: event.stream,
    type: event.type,
  };
}

/** The id and the order of an event that a build has not folded. */
function placeIn(build: string, position: Position): Pick<ParkedEvent, 'id' | 'order'> {
  const order = sortablePosition(position);
  return { id: `${build}/${order}`, order };
}

/** A page of parked events as an earlier version kept them, as they are kept now. */
export function parkedBefore(page: readonly ParkedEvent[]): readonly ParkedEvent[] {
  return page.map((parked) => ({ ...parked, ...placeIn(parked.build, parked.position) }));
}

/**
 * Where the log is read from to get a parked event. Those without an ordinal are of the embedded log, the only one there
 * was: its positions count its events from 1.
 */
export function beforeParked({ after, ordinal, position }: ParkedEvent): Checkpoint {
  return { position: after, ordinal: (ordinal ?? Number(position)) - 1 };
}

/** All parked events in log order: those of a build, or of one stream in it; of every build when none is named. */
export async function readParked(
  store: Pick<ReadStoreReader, 'list'>,
  build?: Build,
  stream?: string,
): Promise<readonly ParkedEvent[]> {
  const all: ParkedEvent[] = [];
  const { index, equals } = placeOf(build, stream);
  for (;;) {
    const last = all.at(-1);
    const page = await store.list<ParkedEvent>(parkedEvents.name, {
      index,
      equals,
      direction: 'ascending',
      ...(last === undefined ? {} : { after: [last.order, last.id] }),
      limit: PAGE,
    });
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}

function placeOf(build: Build | undefined, stream: string | undefined): Pick<ListQuery, 'index' | 'equals'> {
  if (build === undefined) return { index: 'all', equals: {} };
  const name = buildName(build);
  if (stream === undefined) return { index: 'build', equals: { build: name } };
  return { index: 'stream', equals: { build: name, stream } };
}

/** Those of a build's parked and discarded events that it has taken, in log order, or of one stream in it. */
export async function readTaken(
  store: Pick<ReadStoreReader, 'list'>,
  build: Build,
  { position: checkpoint }: Checkpoint,
  stream?: string,
): Promise<readonly ParkedEvent[]> {
  return (await readParked(store, build, stream)).filter((parked) => isTaken(parked, checkpoint));
}

/** Which parked events are asked for: that of an id, or those after a place. */
export type ParkedQuery = { readonly eventId: string } | { readonly after: Position; readonly limit: number };

/** Those of some parked events that are asked for. */
export function chosen(taken: readonly ParkedEvent[], asked: ParkedQuery): readonly ParkedEvent[] {
  if ('eventId' in asked) return taken.filter(({ eventId }) => eventId === asked.eventId);
  return taken.filter(({ position }) => comparePositions(position, asked.after) > 0).slice(0, asked.limit);
}

/** Whether an event was in a batch that was to be written before the runner was there. */
export type WasAttempted = (event: Pick<ParkedEvent, 'position' | 'stream'>) => boolean;

/** Which streams of a build are held back, and what the current batch adds to that. */
export type Parking = {
  readonly holds: (stream: string) => boolean;
  readonly isParked: (position: string) => boolean;
  /** Parked and waiting events, with those of the current batch. */
  readonly count: () => number;
  /** Why an event was parked last, if one was. */
  readonly lastError: () => string | undefined;
  readonly add: (parked: ParkedEvent) => void;
  /**
   * What was written of an event, or may have been, in a batch that did not get to its checkpoint. It stays parked: where
   * documents can be ahead of the checkpoint, there are some already that others have changed after it.
   */
  readonly decided: (event: Pick<ParkedEvent, 'position'>) => ParkedEvent | undefined;
  /**
   * True for an event of a batch that did not get to its checkpoint: documents may have it, and nobody knows which, so
   * that it can't be parked any more unless it was parked there.
   */
  readonly mayBeFolded: WasAttempted;
  readonly release: (parked: ParkedEvent) => void;
  /** Events that are left out. */
  readonly discarded: () => number;
  /** As `release`, of an event that is left out. */
  readonly discard: (parked: ParkedEvent) => void;
  readonly pending: () => readonly ParkedEvent[];
  readonly commit: () => void;
  readonly rollback: () => void;
  /** As `rollback`, of a batch up to a position that may have been written in part. */
  readonly interrupt: (upTo: Position) => void;
  /** The events that the build has taken, and are parked or discarded, are these. */
  readonly align: (taken: readonly ParkedEvent[]) => void;
};

/**
 * The parked events of a build that stands at a checkpoint; those beyond it are of a batch that did not get to its own.
 * What was in such batches `wasAttempted`.
 */
export function createParking(
  stored: readonly ParkedEvent[],
  { position: checkpoint }: Checkpoint,
  wasAttempted: WasAttempted,
): Parking {
  // Without what failed: of a broken model very many are held.
  const place = ({ position, stream }: ParkedEvent) => ({ position, stream });
  const queueOf = (taken: readonly ParkedEvent[]) =>
    createRetryQueue(taken.map(place), ({ stream }) => stream);
  let queue = queueOf([]);
  let positions = new Set<string>();
  let discarded = 0;
  const align = (taken: readonly ParkedEvent[]) => {
    const held = taken.filter(isHeld);
    queue = queueOf(held);
    positions = new Set(held.map(({ position }) => position));
    discarded = taken.length - held.length;
  };
  align(stored.filter((parked) => isTaken(parked, checkpoint)));
  const decided = new Map<Position, ParkedEvent>();
  for (const parked of stored) if (!isTaken(parked, checkpoint)) decided.set(parked.position, parked);
  let furthest = checkpoint;
  let added: ParkedEvent[] = [];
  let lastError: string | undefined;
  const release = (parked: ParkedEvent) => {
    positions.delete(parked.position);
    queue.remove(parked);
  };
  const rollback = () => {
    added.forEach(release);
    added = [];
  };
  return {
    holds: (stream) => queue.holds(stream),
    isParked: (position) => positions.has(position),
    count: () => queue.count(),
    lastError: () => lastError,
    add: (parked) => {
      if (parked.state === 'parked') lastError = parked.error;
      positions.add(parked.position);
      queue.put(place(parked));
      added.push(parked);
    },
    // Asked for every event, while hardly ever anything is there.
    decided: ({ position }) => (decided.size === 0 ? undefined : decided.get(position)),
    mayBeFolded: (event) => comparePositions(event.position, furthest) <= 0 || wasAttempted(event),
    release,
    discarded: () => discarded,
    discard: (parked) => {
      release(parked);
      discarded++;
    },
    pending: () => added,
    commit: () => {
      for (const { position } of added) decided.delete(position);
      added = [];
    },
    rollback,
    interrupt: (upTo) => {
      for (const parked of added) decided.set(parked.position, parked);
      rollback();
      if (comparePositions(upTo, furthest) > 0) furthest = upTo;
    },
    align,
  };
}

/** True for an event that is to be folded again: one that is discarded is known only to be told of. */
export function isHeld({ state }: ParkedEvent): boolean {
  return state !== 'discarded';
}

/** True when the build has taken the event, and parked it. */
function isTaken({ position }: ParkedEvent, checkpoint: Position): boolean {
  return comparePositions(position, checkpoint) <= 0;
}
