import {
  bonusHandlers,
  createAggregates,
  dispatchTo,
  SendMails,
  SweepFiles,
  transferHandlers,
  watchSettings,
  type Aggregates,
  type ApplicationParts,
  type Bus,
  type Handled,
} from '#application';
import { createOpenOutcomes } from '#commands';
import type { JoinedEngines } from '#engines';
import { localBuckets } from '#identity';
import { noHold, type Position } from '#kernel';
import type { ReadStoreReader } from '#read-store';
import {
  createElsewhere,
  createFollower,
  createProjector,
  reactionsOn,
  serveProjector,
  type Projector,
  type ProgramPort,
  type ProjectorThread,
} from '../../../projector/index.js';
import { createProcesses, jobsElsewhere, localBonusWorkers } from '../../../worker/index.js';
import type { LogServer } from './log.js';
import { identityOf, type IdentityOfApi, type IdentityServer } from './identities.js';
import { beginLife, type Life } from './machines.js';
import { latency, type World } from './network.js';
import type { PlantedBug } from './plan.js';
import { withBatchRefusals } from './planted.js';
import { LANES, type Stores } from './stores.js';

/** What programs stand on. */
export type Ground = {
  readonly world: World;
  readonly log: LogServer;
  readonly stores: Stores;
  readonly identities: IdentityServer;
  readonly bug: PlantedBug | undefined;
};

/** What clients reach of an API. */
export type Api = {
  readonly life: Life;
  readonly accounts: Aggregates['accounts'];
  readonly access: Aggregates['access'];
  readonly identity: IdentityOfApi;
  /** Its way to the handlers that keep people out and let them in. */
  readonly bus: Pick<Bus, 'execute'>;
  /** As its queries wait for what their command did. */
  readonly waitFor: (position: Position, timeoutMs: number) => Promise<boolean>;
  readonly readStore: ReadStoreReader;
};

/** What every program has. */
function commonOf({ world, log, stores, bug }: Ground, life: Life) {
  const { machine, timers } = life;
  const { clock, random } = machine;
  const eventStore = log.seenBy(life);
  const readStore = stores.models.readerOf(life);
  const { cacheBytes } = world.plan;
  const made = createAggregates({
    ...{ eventStore, clock, timers, random, cacheBytes },
    outcomes: createOpenOutcomes(),
  });
  const aggregates =
    bug === 'repeat-refused-with-batch' ? { ...made, accounts: withBatchRefusals(made.accounts) } : made;
  const settings = watchSettings({ aggregates, eventStore, monotonic: machine.monotonic, timers });
  const bell = stores.bellOf(life);
  const elsewhere = createElsewhere({
    ...{
      models: readStore,
      log: eventStore,
      orders: stores.ordersOf(life),
      bell,
      lanes: LANES,
      clock,
      timers,
      machine,
    },
  });
  const onProblem = (problem: Readonly<Record<string, unknown>>) => {
    const { type = 'job', code = '' } = problem;
    world.time.note(`${life.name} says ${String(type)} ${String(code)}`);
    world.happened.add(String(type));
  };
  return { eventStore, readStore, aggregates, settings, elsewhere, bell, onProblem };
}

type Common = ReturnType<typeof commonOf>;

/** Begins an API: commands go through its executors, and its queries follow what others fold. */
export async function startApi(ground: Ground, life: Life): Promise<Api> {
  const common = commonOf(ground, life);
  const follower = followerOn(common, life);
  await follower.start();
  const { accounts, access } = common.aggregates;
  const { identity, handlers } = await identityIn(ground, life, common);
  const { readStore } = common;
  return {
    life,
    accounts,
    access,
    identity,
    bus: busTo(handlers),
    waitFor: follower.feed.waitFor,
    readStore,
  };
}

function identityIn(
  { world, identities, bug }: Ground,
  life: Life,
  { eventStore, aggregates }: Common,
): ReturnType<typeof identityOf> {
  return identityOf({ world, life, eventStore, aggregates, bug, store: identities.seenBy(life) });
}

function followerOn({ readStore, elsewhere, bell, onProblem }: Common, { timers, machine }: Life): Projector {
  return createFollower({ models: readStore, elsewhere, bell, timers, machine, onProblem });
}

/** Begins a projector with its thread, and the reactors: each of the two runs, or stands by while another program does. */
export async function startProjectorProgram(
  ground: Ground,
  life: Life,
): Promise<{ readonly endThread: () => void }> {
  const { stores, world } = ground;
  const common = commonOf(ground, life);
  const { readStore, elsewhere, bell, onProblem } = common;
  const leases = stores.leasesOf(life, life.name);
  const { timers, machine } = life;
  let thread: Thread | undefined;
  const projector = createProjector({
    thread: () => (thread = beginThread(ground, life)),
    models: readStore,
    lanes: LANES,
    elsewhere,
    orders: stores.ordersOf(life),
    bell,
    leases,
    timers,
    machine,
    onProblem,
    say: (step) => world.time.note(`${life.name} says ${step}`),
  });
  const processes = processesOn(ground, life, common, projector.reactions, 'reactors');
  await projector.start();
  const { handlers } = await identityIn(ground, life, common);
  await processes.start(busTo([...handlers, ...handlersOf(common, life)]));
  return { endThread: () => thread?.end() };
}

/** Begins a worker: jobs, of which each run is taken by one of those that run. */
export async function startWorker(ground: Ground, life: Life): Promise<void> {
  const common = commonOf(ground, life);
  const follower = followerOn(common, life);
  const processes = processesOn(ground, life, common, reactionsOn(common.eventStore), 'jobs');
  await follower.start();
  await processes.start(busTo(handlersOf(common, life)));
  processes.startJobs();
}

function processesOn(
  { stores }: Ground,
  life: Life,
  { eventStore, readStore, aggregates, settings, bell, onProblem }: Common,
  reactions: Projector['reactions'],
  runs: 'reactors' | 'jobs',
) {
  const { timers, machine } = life;
  const warn = (about: unknown) => onProblem(about as Readonly<Record<string, unknown>>);
  return createProcesses({
    runs: { reactors: runs === 'reactors', jobs: runs === 'jobs' },
    // As a program that others can ask for runs.
    jobLimits: { reconcileMs: 2_000 },
    memory: {
      openCheckpoints: (lease) => stores.checkpointsOf(life, lease),
      storedReactors: async () => stores.storedReactors(),
      createJobs: runs === 'jobs' ? (options) => stores.jobsOf(life, life.name, options) : jobsElsewhere,
      orders: stores.ordersOf(life),
      ...(bell && { bell }),
      mail: undefined,
    },
    leases: stores.leasesOf(life, life.name),
    timers,
    machine,
    ports: { eventStore, readStore, clock: machine.clock, hold: noHold },
    settings,
    reactions,
    bonusWorkers: () => localBonusWorkers(aggregates.accounts),
    logger: { warn, error: warn },
  });
}

/** The handlers that reactors and jobs need here, but for those of identity. */
function handlersOf(
  { aggregates, settings, readStore }: Common,
  { machine, timers }: Life,
): readonly Handled[] {
  const identity = { bucketsOf: localBuckets(machine.clock) };
  const parts = { aggregates, settings, readStore, identity, ...machine, hold: noHold, timers };
  // Of the others only the parts are asked for.
  return [...transferHandlers(parts as unknown as ApplicationParts), ...bonusHandlers(parts)];
}

/** The way to handlers, without files and mails. */
function busTo(handlers: readonly Handled[]): Pick<Bus, 'execute'> {
  const { execute } = dispatchTo(handlers);
  return {
    execute: async (command) => {
      if (command instanceof SweepFiles) return { swept: 0 } as never;
      if (command instanceof SendMails) return {} as never;
      return execute(command);
    },
  };
}

/** What was encrypted of a person: there are no keys here. */
export function profileOf(userId: string) {
  return { email: `${userId}@lode.example`, firstname: userId, lastname: 'Lode', phone: '1' };
}

/** A projector's thread, which can die without its program. */
type Thread = ProjectorThread & { readonly end: () => void };

function beginThread({ world, log, stores }: Ground, program: Life): Thread {
  const thread = beginLife(
    `${program.name}'s thread`,
    { now: program.machine.clock, skewMs: 0 },
    {
      time: world.time,
      draws: world.draws,
      lateness: () => world.plan.latenessMs,
      host: program,
    },
  );
  program.onEnd(thread.end);
  const [toProgram, toThread] = [channel(world, program), channel(world, thread)];
  const port: ProgramPort = {
    postMessage: toProgram.send,
    on: (_, listener) => toThread.listen(listener),
    close: () => thread.end(),
  };
  const engines: JoinedEngines = {
    openEvents: async () => log.seenBy(thread),
    openModels: (_, own) => stores.models.open(thread, own),
    mayActivate: async () => true,
    openPersonKeys: async () => ({
      load: async () => undefined,
      decrypt: profileOf,
      close: async () => undefined,
    }),
  };
  void serveProjector(port, engines, { ...thread.machine, timers: thread.timers });
  return {
    tell: toThread.send,
    onMessage: toProgram.listen,
    onEnd: (listener) => {
      thread.onEnd(() =>
        world.time.after(latency(world), 'thread ended', () => listener(undefined), program),
      );
    },
    end: thread.end,
  };
}

/** Messages to a program or thread, each after the one before it. */
function channel({ time, draws }: World, to: Life) {
  const queue: unknown[] = [];
  const listeners: ((message: never) => void)[] = [];
  return {
    send: (message: unknown) => {
      queue.push(structuredClone(message));
      time.after(
        draws.between(0, 0.5),
        'message',
        () => {
          const first = queue.shift();
          if (first !== undefined) for (const listener of listeners) listener(first as never);
        },
        to,
      );
    },
    listen: (listener: (message: never) => void) => {
      listeners.push(listener);
    },
  };
}
