import { kindsBeyond, type EventStore } from '#event-store';
import {
  createRunLoop,
  isLodeError,
  thisMachine,
  type Machine,
  type RetryPolicy,
  type RunLoop,
  type Timers,
} from '#kernel';
import type { Lease, Leases } from '#leases';
import { memberLimits, type Joined, type Member, type Membership, type Reads } from '#membership';
import { walletModels } from '#projections';
import type { BuildState, ReadStoreReader } from '#read-store';
import { refuse } from './consistency.js';
import type { Mismatch, Programs } from './engines.js';
import type { LogEngine } from './log.js';
import { refuseNewer } from './newer.js';

/** Between two looks at the others, in milliseconds: a membership is renewed as often as fits into its time a few times. */
const LOOK_MS = memberLimits.ttlMs / 3;
/** Pauses while the servers can't be reached. */
const RETRY: RetryPolicy = { firstMs: 1_000, lastMs: LOOK_MS, jitter: 0.5 };

const nothing: Reads = { kinds: {}, models: {} };

/** Of a program that has its engines to itself. */
const alone: Programs = { beyond: () => nothing, members: () => [] };

/** Of each read model the version that this program makes. */
const ownModels: Readonly<Record<string, number>> = Object.fromEntries(
  walletModels.map(({ name, version }) => [name, version]),
);

type JoinParts = {
  readonly name: string;
  /** Whether it may run the projections, and the reactors beside them. */
  readonly projects: boolean;
  readonly log: Pick<LogEngine, 'name' | 'knownKinds' | 'program' | 'isShared'>;
  readonly events: Pick<EventStore, 'kinds' | 'header'>;
  readonly models: Pick<ReadStoreReader, 'builds'>;
  /** Undefined where no other program can be met. */
  readonly membership: Membership | undefined;
  readonly timers: Timers;
  readonly machine?: Machine;
};

/** How the program stands among the others. */
type Standing = { beyond: Reads; members: readonly Member[]; joined: Joined | undefined };

/**
 * Says of this program what it reads, for as long as it runs, and looks at what others have written and made, after that was said
 * and again and again. One that finds something that it can't read is no member any more: others need not wait for it. Refuses
 * what it finds at first with `storage_failed`.
 */
export async function joinPrograms(
  parts: JoinParts,
): Promise<Programs & { readonly leave: () => Promise<void> }> {
  const { log, events } = parts;
  if (!log.isShared) return { ...alone, leave: async () => undefined };
  const standing: Standing = { beyond: nothing, members: [], joined: undefined };
  const looking = repeated(parts, standing, () => look(parts, standing));
  // Beside the looks: a log that says nothing for a while must not end the membership of those who would read it.
  const renewing = repeated(parts, standing, () => renew(parts, standing, looking.wake));
  const leave = async () => {
    await Promise.all([renewing.stop(), looking.stop()]);
  };
  try {
    await join(parts, standing);
    renewing.start();
    await refuseNewer(events, log);
    const { beyond, members } = await looked(parts);
    refuse(newerModels(beyond.models));
    standing.members = members;
  } catch (error) {
    await leave();
    throw error;
  }
  looking.start();
  return { beyond: () => standing.beyond, members: () => standing.members, leave };
}

/** Does something every `LOOK_MS`, or when it is woken. It is no member any more after the last time. */
function repeated(
  { timers, machine = thisMachine }: JoinParts,
  standing: Standing,
  work: () => Promise<void>,
): RunLoop {
  return createRunLoop({
    turn: async () => {
      await work();
      return { until: 'woken', ms: LOOK_MS };
    },
    // Health says what is away; nothing but this needs it to be known who is there.
    onFailing: () => undefined,
    onRecovered: () => undefined,
    onStopped: () => leaveOthers(standing),
    retry: RETRY,
    clock: machine.clock,
    random: machine.random,
    timers,
  });
}

/** Stays a member, or becomes one again, after which it is looked anew. */
async function renew(parts: JoinParts, standing: Standing, lookAgain: () => void): Promise<void> {
  if ((await standing.joined?.renew()) === true) return;
  // While something is beyond this program, it joins no others.
  if (isBeyond(standing.beyond)) return;
  await join(parts, standing);
  // It may have been found meanwhile.
  if (isBeyond(standing.beyond)) await leaveOthers(standing);
  else lookAgain();
}

async function look(parts: JoinParts, standing: Standing): Promise<void> {
  let found = await looked(parts);
  if (isBeyond(standing.beyond) && !isBeyond(found.beyond)) {
    // As at the start: others wait for it first, and then it finds what was written before.
    await join(parts, standing);
    found = await looked(parts);
  }
  Object.assign(standing, found);
  if (isBeyond(found.beyond)) await leaveOthers(standing);
}

async function join({ name, projects, log, membership }: JoinParts, standing: Standing): Promise<void> {
  const { knownKinds, program } = log;
  standing.joined = await membership?.join({ name, program, projects, kinds: knownKinds, models: ownModels });
}

/** What can't be ended runs out: nobody renews it. */
async function leaveOthers(standing: Standing): Promise<void> {
  const last = standing.joined;
  standing.joined = undefined;
  await last?.leave().catch(() => undefined);
}

async function looked({
  log,
  events,
  models,
  membership,
}: JoinParts): Promise<Pick<Standing, 'beyond' | 'members'>> {
  const kinds = log.knownKinds === undefined ? {} : kindsBeyond(await events.kinds(), log.knownKinds);
  const members = (await membership?.members()) ?? [];
  return { members, beyond: { kinds, models: modelsBeyond(await buildsOf(models), members) } };
}

/** None while nobody has made any. */
async function buildsOf(models: Pick<ReadStoreReader, 'builds'>): Promise<readonly BuildState[]> {
  try {
    return await models.builds();
  } catch (error) {
    if (isLodeError(error) && error.code === 'unavailable') return [];
    throw error;
  }
}

/** Read models that are read in a later version than this program makes, while a program is there that makes such. */
export function modelsBeyond(
  builds: readonly Pick<BuildState, 'build' | 'state'>[],
  members: readonly Pick<Member, 'models'>[],
  own: Reads['models'] = ownModels,
): Reads['models'] {
  const isAhead = (name: string) => members.some(({ models }) => (models[name] ?? 0) > (own[name] ?? 0));
  return Object.fromEntries(
    builds
      .filter(
        ({ build: { collection, version }, state }) =>
          state === 'active' && version > (own[collection] ?? version),
      )
      .filter(({ build }) => isAhead(build.collection))
      .map(({ build: { collection, version } }) => [collection, version]),
  );
}

function newerModels(models: Reads['models']): Mismatch | undefined {
  const named = Object.entries(models).map(([name, version]) => `${name} of version ${version}`);
  if (named.length === 0) return undefined;
  return {
    what: `A newer Lode runs on the same servers, and has made read models that this one can't read: ${named.join(', ')}.`,
    todo: 'Start the version of Lode that runs there, or end all of its programs first.',
  };
}

function isBeyond({ kinds, models }: Reads): boolean {
  return Object.keys(kinds).length + Object.keys(models).length > 0;
}

/**
 * Whether this program leaves the projections to others: to older ones, as long as such are there, which alone can fold what is
 * read until then; and to newer ones, once what they have made is read, or they have written what this one can't read.
 */
export function leavesProjections(programs: Programs, own: Reads['models'] = ownModels): boolean {
  const { beyond, members } = programs;
  const isOlder = ({ models }: Member) =>
    Object.entries(models).some(([name, version]) => version < (own[name] ?? 0));
  return (
    Object.keys(beyond().models).length > 0 ||
    members().some((one) => one.projects && isOlder(one)) ||
    leavesEvents(programs)
  );
}

/**
 * Whether events are there that this program would hold up, and another one that runs projections and reactors reads all of them.
 * Without such it goes on with what it can read.
 */
export function leavesEvents({ beyond, members }: Programs): boolean {
  const { kinds } = beyond();
  const reads = ({ kinds: known }: Member) =>
    known === undefined || Object.keys(kindsBeyond(kinds, known)).length === 0;
  return Object.keys(kinds).length > 0 && members().some((one) => one.projects && reads(one));
}

/** Leases of which each is neither taken nor kept while `isHeldBack` says so of its name. */
export function holdingBack(leases: Leases, isHeldBack: (name: string) => boolean): Leases {
  const letGo = (lease: Lease): Lease => ({
    ...lease,
    renew: async () => {
      if (!isHeldBack(lease.name)) return lease.renew();
      await lease.release();
      return false;
    },
  });
  return {
    ...leases,
    acquire: async (name) => {
      if (isHeldBack(name)) return undefined;
      const lease = await leases.acquire(name);
      return lease && letGo(lease);
    },
  };
}
