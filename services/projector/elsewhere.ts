import type { Bell } from '#bell';
import { projectorOf } from '#engines';
import type { EventStore } from '#event-store';
import { logStart, plainFailure, type Clock, type Machine, type Timers } from '#kernel';
import type { Orders } from '#orders';
import {
  createChangesElsewhere,
  createStoredModels,
  laneIn,
  openPersonalData,
  walletModels,
  type ChangesElsewhere,
  type ProjectionFeed,
} from '#projections';
import type { Damage, ReadStoreReader } from '#read-store';
import { createOrderer, type Orderer } from './orders.js';
import { mends, replayedIn, type ProjectionOrder } from './projection-orders.js';

/** What is known here of projections that another program runs, and asked of it. */
export type Elsewhere = Doing & {
  /** Which documents it has changed. */
  readonly changes: ChangesElsewhere;
  /** Answers whoever waits for another program with `unknown_outcome`, from now on. */
  readonly end: () => void;
};

/** What whoever runs the projections says of them, and does. */
export type Doing = Pick<
  ProjectionFeed,
  'status' | 'rebuild' | 'cancelRebuild' | 'parked' | 'discard' | 'replay'
> & { readonly mend: (damage: Damage) => Promise<void> };

export type ElsewhereParts = {
  readonly models: Pick<ReadStoreReader, 'builds' | 'list' | 'getMany'>;
  readonly log: Pick<EventStore, 'head' | 'readAll'>;
  /** The way to whoever runs them; undefined where no other program could. */
  readonly orders: Orders | undefined;
  readonly bell?: Bell | undefined;
  /** How many lanes the read models have; each may be folded by another program. */
  readonly lanes: number;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly machine?: Machine | undefined;
  /** Whether somebody traces what becomes of commands. */
  readonly isTraced?: boolean;
};

/** How long the answer to an order is waited for, in milliseconds: to one that begins something, and to one that does it. */
const BEGUN_MS = 12_000;
const DONE_MS = 60_000;

/** The projections of whatever other program runs them: what is stored of them, and orders to whoever has their lease. */
export function createElsewhere(parts: ElsewhereParts): Elsewhere {
  const { models, log, orders, bell, lanes, clock, timers, machine, isTraced = false } = parts;
  const stored = createStoredModels(models, walletModels, clock);
  const orderer = orders === undefined ? nobody : createOrderer({ orders, bell, timers, machine });
  const order = (lane: number, what: ProjectionOrder, timeoutMs: number) =>
    orderer.order(projectorOf(lane), what, timeoutMs);
  const laneFor = laneFinder(lanes);
  // Which documents an event changes doesn't follow from what is encrypted in it.
  const open = openPersonalData(() => 'forgotten');
  const replayIn = async (lane: number, model: string, stream: string | null) =>
    replayedIn(await order(lane, { ask: 'replay', model, stream }, DONE_MS)) ?? { replayed: 0, left: 0 };
  return {
    changes: createChangesElsewhere({ log, reader: models, models: walletModels, open, isTraced }),
    end: orderer.end,
    status: async () => stored.status(await log.head()),
    parked: stored.parked,
    rebuild: async (model) => {
      await order(0, { ask: 'rebuild', model }, BEGUN_MS);
    },
    cancelRebuild: async (model) => (await order(0, { ask: 'cancelRebuild', model }, BEGUN_MS)) === true,
    discard: async (model, eventId) => {
      const [parked] = await stored.parked(model, { eventId });
      const lane = laneFor(model, parked?.stream);
      return replayedIn(await order(lane, { ask: 'discard', model, eventId }, DONE_MS));
    },
    replay: async (model, stream) => {
      if (stream !== undefined) return replayIn(laneFor(model, stream), model, stream);
      const parked = await stored.parked(model, { after: logStart, limit: Infinity });
      const asked = new Set([0, ...parked.map((one) => laneFor(model, one.stream))]);
      const sum = { replayed: 0, left: 0 };
      for (const lane of asked) {
        const { replayed, left } = await replayIn(lane, model, null);
        sum.replayed += replayed;
        sum.left += left;
      }
      return sum;
    },
    mend: async ({ build, ids }) => {
      const asked = Map.groupBy(ids, (id) => laneFor(modelOf(build), id, 'document'));
      if (ids.length === 0) asked.set(0, []);
      for (const [lane, some] of asked) {
        const what = { ask: 'mend', build, ids: some.toSorted() } as const;
        await orderer.orderOnce(projectorOf(lane), what, DONE_MS, mends);
      }
    },
  };
}

/** Of a build's name what comes before its version. */
function modelOf(build: string): string {
  return build.slice(0, build.indexOf('@'));
}

/** Finds who folds a stream into a model, or a document of it: the first lane where that is not one lane's alone. */
function laneFinder(lanes: number) {
  const models = new Map(walletModels.map((model) => [model.name, model]));
  return (name: string, about: string | undefined, kind: 'stream' | 'document' = 'stream'): number => {
    const model = models.get(name);
    const stream = kind === 'stream' ? about : about && model?.streamOf?.(about);
    return stream === undefined ? 0 : laneIn(model ?? {}, stream, lanes);
  };
}

const refuse = async () => {
  throw plainFailure('unavailable', 'Another program runs the projections.');
};
const nobody: Orderer = { order: refuse, orderOnce: refuse, end: () => undefined };
