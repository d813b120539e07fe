import { comparePositions, laneOf, LodeError, type Clock, type Position } from '#kernel';
import { buildName, checkpointStart, type BuildState, type ReadStoreReader } from '#read-store';
import { amendmentsIn } from './bookkeeping.js';
import type { ModelHealth, RebuildProgress } from './health.js';
import { runnerLimits } from './limits.js';
import { chosen, isHeld, parkedEvents, readParked, type ParkedQuery, type ParkedEvent } from './parking.js';
import type { ReadModel } from './read-model.js';

/** Read models that another program folds, by what is stored of them. */
export type StoredModels = {
  /**
   * How they stand against a log that ends at `head`. That something doesn't move is known from one look to the next; of
   * documents that were found damaged, and of what whoever folds them is trying again, nothing is stored. What was parked
   * in the last seconds may not be counted yet.
   */
  readonly status: (head: Position) => Promise<readonly ModelHealth[]>;
  /** As a runner's: events that queries of a model miss. `route_not_found` for a model that there is not. */
  readonly parked: (model: string, asked: ParkedQuery) => Promise<readonly ParkedEvent[]>;
};

type Reader = Pick<ReadStoreReader, 'builds' | 'list'>;

/** What the looks so far have shown of a build. */
type Seen = {
  position: Position;
  /** When it last moved, and where it was first seen to; undefined while it has not. */
  moved:
    { readonly at: number; readonly first: { readonly at: number; readonly ordinal: number } } | undefined;
  /** The end of the log that it has not got to since the look that first found it there. */
  waits: { readonly since: number; readonly head: Position } | undefined;
  /** The first look at which it stood where it stands, and events waited. */
  stuckSince: number | undefined;
};

/** What was counted of one build's parked events. */
type Counted = { readonly parked: number; readonly discarded: number };
/** By the builds' names. */
type Counts = ReadonlyMap<string, Counted>;

const MS_PER_SECOND = 1_000;
/** How long a count of what is parked is good for, in milliseconds: it reads all of that. */
const COUNTED_MS = 10_000;

/** Looks at models in a store. */
export function createStoredModels(reader: Reader, models: readonly ReadModel[], clock: Clock): StoredModels {
  const seen = new Map<string, Seen>();
  const countOf = createCounting(reader, models, clock);

  const look = (state: BuildState, head: Position): Seen => {
    const { position, ordinal } = state.checkpoint;
    const [name, now] = [buildName(state.build), clock()];
    const one = seen.get(name) ?? {
      position,
      moved: undefined,
      waits: undefined,
      stuckSince: undefined,
    };
    seen.set(name, one);
    const isBehind = comparePositions(position, head) < 0;
    if (one.position !== position) {
      one.moved = { at: now, first: one.moved?.first ?? { at: now, ordinal } };
      one.position = position;
      one.stuckSince = undefined;
    }
    // What it waited for it may have got to while the log went on: what it waits for by now is younger.
    if (one.waits !== undefined && comparePositions(position, one.waits.head) >= 0) one.waits = undefined;
    one.waits = isBehind ? (one.waits ?? { since: now, head }) : undefined;
    one.stuckSince = isBehind ? (one.stuckSince ?? now) : undefined;
    return one;
  };

  return {
    status: async (head) => {
      const states = await reader.builds();
      const counts = await countOf(states);
      const looks = new Map(states.map((state) => [state, look(state, head)]));
      forgetOthers(seen, states);
      const furthest = Math.max(0, ...foldedOf(states, models).map(({ checkpoint }) => checkpoint.ordinal));
      return models.map((model) => healthOf(model, { states, counts, looks, furthest, now: clock() }));
    },
    parked: async (name, asked) => {
      const states = await reader.builds();
      const active = states.find(({ build, state }) => build.collection === name && state === 'active');
      const isModel = models.some((model) => model.name === name);
      if (!isModel || active === undefined)
        throw new LodeError('route_not_found', `There is no read model ${name}.`);
      if (!keepsParked(states)) return [];
      const taken = takenBy(active, models);
      return chosen((await readParked(reader, active.build)).filter(taken), asked);
    },
  };
}

/** Whether a build has taken an event, and parked it: each lane stands at a place of its own. */
function takenBy(
  { build, checkpoint, lanes }: BuildState,
  models: readonly ReadModel[],
): (parked: ParkedEvent) => boolean {
  const isShared = models.some(({ name, isShared: all }) => name === build.collection && all === true);
  return ({ position, stream }) => {
    const lane = isShared ? 0 : laneOf(stream, lanes?.length ?? 1);
    return comparePositions(position, (lanes?.[lane] ?? checkpoint).position) <= 0;
  };
}

/** Builds that came to nothing, or went, need not be remembered. */
function forgetOthers(seen: Map<string, Seen>, states: readonly BuildState[]): void {
  const names = new Set(states.map(({ build }) => buildName(build)));
  for (const name of seen.keys()) if (!names.has(name)) seen.delete(name);
}

/** The builds that events are folded into. */
function foldedOf(states: readonly BuildState[], models: readonly ReadModel[]): readonly BuildState[] {
  return states.filter(
    ({ build, state }) => state !== 'retired' && models.some(({ name }) => name === build.collection),
  );
}

/** False until somebody has folded anything. */
function keepsParked(states: readonly BuildState[]): boolean {
  return states.some(({ build, state }) => build.collection === parkedEvents.name && state === 'active');
}

/**
 * Counts what is parked, again after some seconds: of a broken model very much is, and how models stand is asked for often. At
 * once where somebody discarded or replayed some of it.
 */
function createCounting(
  reader: Reader,
  models: readonly ReadModel[],
  clock: Clock,
): (states: readonly BuildState[]) => Promise<Counts> {
  let last: { readonly key: string; readonly at: number; readonly counts: Counts } | undefined;
  return async (states) => {
    const key = `${keepsParked(states)} ${amendmentsIn(states)}`;
    const at = clock();
    if (last?.key === key && Math.abs(at - last.at) < COUNTED_MS) return last.counts;
    const counts = await countParked(reader, states, models);
    last = { key, at, counts };
    return counts;
  };
}

/** Of each build that has any, its parked and its discarded events. */
async function countParked(
  reader: Reader,
  states: readonly BuildState[],
  models: readonly ReadModel[],
): Promise<Counts> {
  const counts = new Map<string, Counted>();
  if (!keepsParked(states)) return counts;
  const taken = new Map(states.map((state) => [buildName(state.build), takenBy(state, models)]));
  for (const event of await readParked(reader)) {
    if (taken.get(event.build)?.(event) !== true) continue;
    const { parked, discarded } = counts.get(event.build) ?? { parked: 0, discarded: 0 };
    const [held, left] = isHeld(event) ? [1, 0] : [0, 1];
    counts.set(event.build, { parked: parked + held, discarded: discarded + left });
  }
  return counts;
}

type Looked = {
  readonly states: readonly BuildState[];
  readonly counts: Counts;
  readonly looks: ReadonlyMap<BuildState, Seen>;
  /** The ordinal of the last event that any build has taken. */
  readonly furthest: number;
  readonly now: number;
};

function healthOf(model: ReadModel, looked: Looked): ModelHealth {
  const { states, counts, looks, furthest, now } = looked;
  const own = states.filter(({ build, state }) => build.collection === model.name && state !== 'retired');
  const active = own.find(({ state }) => state === 'active');
  const beside = own.findLast(({ state }) => state === 'building');
  const shown = active ?? beside;
  const seen = shown && looks.get(shown);
  const { position, ordinal } = shown?.checkpoint ?? checkpointStart;
  const isStalled = own.some((one) => isLong(looks.get(one)?.stuckSince, now));
  const state = () => {
    if (isStalled) return 'stalled';
    if (active === undefined || beside !== undefined) return 'rebuilding';
    return seen?.waits === undefined ? 'current' : 'behind';
  };
  const { parked = 0, discarded = 0 } = counts.get(shown === undefined ? '' : buildName(shown.build)) ?? {};
  return {
    name: model.name,
    version: shown?.build.version ?? model.version,
    position,
    ordinal,
    eventsBehind: Math.max(0, furthest - ordinal),
    state: state(),
    secondsBehind: seen?.waits === undefined ? 0 : (now - seen.waits.since) / MS_PER_SECOND,
    parked,
    discarded,
    damaged: 0,
    movedAt: seen?.moved?.at,
    rebuild: beside && progressOf(beside, looked, Math.max(furthest, ordinal)),
  };
}

function isLong(since: number | undefined, now: number): boolean {
  return since !== undefined && now - since > runnerLimits.stalledAfterMs;
}

function progressOf(
  beside: BuildState,
  { counts, looks, now }: Pick<Looked, 'counts' | 'looks' | 'now'>,
  of: number,
): RebuildProgress {
  const events = beside.checkpoint.ordinal;
  const first = looks.get(beside)?.moved?.first;
  const taken = first === undefined ? 0 : events - first.ordinal;
  const secondsLeft =
    first === undefined || taken === 0 || of === events
      ? undefined
      : (((of - events) / taken) * (now - first.at)) / MS_PER_SECOND;
  const isHalted = (counts.get(buildName(beside.build))?.parked ?? 0) >= runnerLimits.parked;
  return { events, of, secondsLeft, isHalted };
}
