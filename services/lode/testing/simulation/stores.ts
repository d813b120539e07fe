import { DatabaseSync } from 'node:sqlite';
import type { Bell } from '#bell';
import type { Jobs, JobsOptions } from '#jobs';
import { createInProcessJobs } from '#jobs/in-process';
import { createMemoryJobs, type MemoryQueues, type MemoryQueuesOptions } from '#jobs/memory';
import { allLanes, comparePositions, LodeError, logStart, type Lanes } from '#kernel';
import type { Lease, Leases } from '#leases';
import { createMemoryLeases, type MemoryLeaseStore } from '#leases/memory';
import type { Orders } from '#orders';
import { createMemoryOrders, type MemoryOrderStore } from '#orders/memory';
import type { Checkpoints, StoredReactor } from '#reactors';
import { createSqliteCheckpoints, readReactors } from '#reactors/sqlite';
import { buildName, type Batch, type Document, type ReadStore, type ReadStoreReader } from '#read-store';
import {
  createMemoryReadStore,
  createMemoryReadStoreReader,
  emptyReadModels,
  type MemoryReadModels,
} from '#read-store/memory';
import { hasTable } from '#sqlite';
import { createBells } from './bells.js';
import type { Life } from './machines.js';
import { call, type Server, type World } from './network.js';

/** What programs share beside the log, each on a server of its own. */
export type Stores = {
  readonly models: ModelServer;
  readonly leasesOf: (life: Life, holder: string) => Leases;
  readonly ordersOf: (life: Life) => Orders;
  readonly bellOf: (life: Life) => Bell | undefined;
  readonly checkpointsOf: (life: Life, lease: Pick<Lease, 'name' | 'epoch'>) => Checkpoints;
  readonly storedReactors: () => readonly StoredReactor[];
  readonly jobsOf: (life: Life, owner: string, options: JobsOptions) => Jobs;
  /** What is kept of jobs is gone. */
  readonly loseJobs: () => void;
  readonly close: () => void;
};

export function createStores(world: World): Stores {
  const [leaseServer, orderServer, checkpointServer] = ['leases', 'orders', 'checkpoints'].map(
    (name): Server => ({ name, awayUntil: 0 }),
  ) as [Server, Server, Server];
  const queueServer: Server = { name: 'queues', awayUntil: 0 };
  const queues: MemoryQueues = new Map();
  const leases: MemoryLeaseStore = new Map();
  const orders: MemoryOrderStore = new Map();
  const [reactors, jobs] = [new DatabaseSync(':memory:'), new DatabaseSync(':memory:')];
  const checks = createMemoryLeases(leases, 'checks', world.time.now);
  return {
    models: createModelServer(world),
    leasesOf: (life, holder) => {
      const own = createMemoryLeases(leases, holder, world.time.now);
      const ask = <Answer>(what: string, work: () => Promise<Answer>) =>
        call(world, life, leaseServer, what, 'unavailable', work);
      return {
        isHeld: (name) => ask(`isHeld ${name}`, () => own.isHeld(name)),
        acquire: async (name) => {
          const lease = await ask(`acquire ${name}`, () => own.acquire(name));
          if (lease === undefined) return undefined;
          return {
            ...lease,
            renew: () => ask(`renew ${name}`, lease.renew),
            release: () => ask(`release ${name}`, lease.release),
          };
        },
      };
    },
    ordersOf: (life) => {
      const own = createMemoryOrders(orders);
      const ask = <Answer>(what: string, work: () => Promise<Answer>) =>
        call(world, life, orderServer, what, 'unavailable', work);
      return {
        place: (order) => ask('place', () => own.place(order)),
        waiting: (to) => ask('waiting', () => own.waiting(to)),
        settle: (order, outcome) => ask('settle', () => own.settle(order, outcome)),
        outcome: (id) => ask('outcome', () => own.outcome(id)),
      };
    },
    bellOf: createBells(world),
    checkpointsOf: (life, lease) => {
      const own = createSqliteCheckpoints(reactors, () => checks.check(lease));
      const ask = <Answer>(what: string, work: () => Promise<Answer>) =>
        call(world, life, checkpointServer, what, 'unavailable', work);
      return {
        load: (name) => ask(`load ${name}`, () => own.load(name)),
        save: (name, progress) => ask(`save ${name}`, () => own.save(name, progress)),
      };
    },
    storedReactors: () => readReactors(reactors),
    jobsOf: (life, owner, options) => {
      const parts = { ...options, timers: life.timers, random: life.machine.random };
      if (!world.plan.queuedJobs) return createInProcessJobs({ ...parts, database: jobs, owner });
      return createMemoryJobs(
        { queues, now: world.time.now, ask: askQueues(world, life, queueServer) },
        parts,
      );
    },
    loseJobs: () => {
      // Before the first worker there is nothing to lose.
      if (hasTable(jobs, 'job_run')) jobs.exec('DELETE FROM job_run');
      queues.clear();
    },
    close: () => {
      reactors.close();
      jobs.close();
    },
  };
}

/** The way to the queues of jobs: nobody knows what became of a call that was not answered. */
function askQueues(world: World, life: Life, server: Server): NonNullable<MemoryQueuesOptions['ask']> {
  return (what, work) =>
    call(world, life, server, what, 'unavailable', async () => {
      const answer = await work();
      if (what.startsWith('putBackStalled') && answer === true) world.happened.add('a run is taken over');
      return answer;
    });
}

/** The read models on their server. */
export type ModelServer = {
  /** The read models themselves, for whoever looks at them from outside the simulation. */
  readonly inner: () => ReadStoreReader;
  readonly readerOf: (life: Life) => ReadStoreReader;
  /** Opens some lanes of them to be written, or all: whoever wrote any of these before is refused from then on. */
  readonly open: (life: Life, own?: readonly number[]) => Promise<ReadStore>;
  /** Undoes the last writes, of which it keeps some: those that no sync has covered. */
  readonly losePower: () => Promise<void>;
};

/**
 * So many of the first documents of a write, and nothing that comes after them: as a server leaves them that has no transactions
 * and dies in between. None takes the place of a later one.
 */
async function writeSome(store: ReadStore, batches: readonly Batch[], count: number): Promise<void> {
  const builds = new Set((await store.builds()).map(({ build }) => buildName(build)));
  let left = count;
  for (const { build, put, remove } of batches) {
    if (!builds.has(buildName(build))) continue;
    const first = put.slice(0, left);
    const there = await store.read(
      build,
      first.map(({ id }) => id),
    );
    const positions = new Map(there.map(({ id, position }) => [id, position]));
    const isNotEarlier = ({ id, position }: Document) =>
      comparePositions(positions.get(id) ?? logStart, position) <= 0;
    await store.write([{ build, put: first.filter(isNotEarlier), remove: [] }]);
    left -= first.length;
    if (left === 0 || remove.length > 0) return;
  }
}

/** Writes that a loss of power undoes, at most. */
const UNDONE_MAX = 10;

/** Lanes of the read models: fewer than on a server, and more than programs. */
export const LANES = 4;

/** What was written, and of which lanes. */
type Write = { readonly lanes: Lanes; readonly work: (store: ReadStore) => Promise<unknown> };

function createModelServer(world: World): ModelServer {
  const server: Server = { name: 'models', awayUntil: 0 };
  let models: MemoryReadModels = emptyReadModels(LANES);
  /** All that was written, in order: what is left of it after a loss of power is written again. */
  let written: Write[] = [];

  const readerOf = (life: Life): ReadStoreReader => {
    const ask = <Answer>(what: string, work: (reader: ReadStoreReader) => Promise<Answer>) =>
      call(world, life, server, what, 'unavailable', () => work(createMemoryReadStoreReader(models)));
    return {
      get: (collection, id) => ask('get', (reader) => reader.get(collection, id)),
      getMany: (collection, ids) => ask('getMany', (reader) => reader.getMany(collection, ids)),
      list: (collection, query) => ask('list', (reader) => reader.list(collection, query)),
      keys: (collection, query) => ask('keys', (reader) => reader.keys(collection, query)),
      checkpoint: (collection) => ask('checkpoint', (reader) => reader.checkpoint(collection)),
      builds: () => ask('builds', (reader) => reader.builds()),
      close: async () => undefined,
    };
  };

  const open = async (life: Life, asked = allLanes(LANES).own): Promise<ReadStore> => {
    const lanes: Lanes = { of: LANES, own: asked };
    const { own, opened } = await call(world, life, server, 'open', 'unavailable', async () => ({
      own: createMemoryReadStore(models, lanes),
      opened: models,
    }));
    /** What was still on its way to a server that lost its power comes to nobody. */
    const there = () => {
      if (models !== opened) throw new LodeError('unavailable', 'injected: the models lost their power');
      return own;
    };
    const write = <Answer>(what: string, work: (store: ReadStore) => Promise<Answer>) =>
      call(world, life, server, what, 'unknown_outcome', async () => {
        const answer = await work(there());
        written.push({ lanes, work });
        return answer;
      });
    return {
      ...readerOf(life),
      ...(own.withoutTransactions && { withoutTransactions: true }),
      builds: () => call(world, life, server, 'builds', 'unavailable', async () => there().builds()),
      read: (build, ids) =>
        call(world, life, server, 'read', 'unavailable', async () => there().read(build, ids)),
      begin: (collection, how) => write(`begin ${collection.name}`, (store) => store.begin(collection, how)),
      write: async (batches) => {
        if (!world.draws.chance(world.plan.cut))
          return write(`write ${batches.length}`, (store) => store.write(batches));
        const count = world.draws.below(1 + batches.reduce((sum, { put }) => sum + put.length, 0));
        await write(`write ${count} documents`, (store) => writeSome(store, batches, count));
        world.happened.add('a write of read models is cut off');
        throw new LodeError('unknown_outcome', 'injected: the write was cut off');
      },
      activate: (build) => write(`activate ${build.collection}`, (store) => store.activate(build)),
      retire: (build) => write(`retire ${build.collection}`, (store) => store.retire(build)),
      discard: (build) => write(`discard ${build.collection}`, (store) => store.discard(build)),
    };
  };

  return {
    inner: () => createMemoryReadStoreReader(models),
    readerOf,
    open,
    losePower: async () => {
      written = written.slice(0, Math.max(0, written.length - world.draws.below(UNDONE_MAX + 1)));
      models = emptyReadModels(LANES);
      for (const { lanes, work } of written) await work(createMemoryReadStore(models, lanes));
    },
  };
}
