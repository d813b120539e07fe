import type { JobRun, Jobs, JobsOptions } from '../port.js';
import { createQueuedJobs } from '../queues/jobs.js';
import {
  STATES,
  LOOKS_PER_LEASE,
  type Outcome,
  type QueueOf,
  type QueueServer,
  type RunData,
  type RunQueue,
} from '../queues/port.js';
import { pauseAfter, runId, runWasLost } from '../rules.js';

/** What workers share: the queue of each kind. */
export type MemoryQueues = Map<string, Queue>;

type State = 'wait' | 'delayed' | 'active' | 'completed' | 'failed';

/** A run as it is kept. Times are milliseconds of whoever keeps them. */
type Kept = {
  readonly id: string;
  data: RunData;
  state: State;
  /** Of attempts that count. */
  failures: number;
  /** Whoever has it, and until when, and when one that rests is tried again. */
  lock: { readonly token: string; readonly until: number } | undefined;
  dueAt: number;
  ended: Pick<JobRun, 'endedAt' | 'report' | 'error'>;
};

/** The runs of a kind, those first that were put into their state first. */
type Queue = {
  asked: number;
  runs: readonly Kept[];
  /** Runs that had been under way at the last look for dead workers, and have given no sign since; and when that was. */
  silent: ReadonlySet<string>;
  lookedAt: number;
};

/** Queues as a worker has them. */
export type MemoryQueuesOptions = {
  readonly queues: MemoryQueues;
  /** Milliseconds by which locks run out and pauses end. */
  readonly now: () => number;
  /** The way to them, for whoever stands between; without it each call is answered at once. */
  readonly ask?: (<Answer>(what: string, work: () => Promise<Answer>) => Promise<Answer>) | undefined;
};

/** A run that a worker has taken, as it knows it. */
type Claimed = { data: RunData };

const NOT_ENDED = { endedAt: null, report: null, error: null } as const;

/**
 * Jobs that live as long as the process: for tests. The worker is the one of BullMQ's queues, and these behave as they do. Passes
 * the same contract.
 */
export function createMemoryJobs(memory: MemoryQueuesOptions, options: JobsOptions): Jobs {
  const { ask = (_, work) => work() } = memory;
  const server: QueueServer = {
    queueOf: (which) => asking(createMemoryRunQueue(memory, which), which.kind.name, ask),
    reach: () => ask('reach', async () => undefined),
    isAway: () => false,
    onOutage: () => undefined,
    onReconnected: () => undefined,
    close: () => undefined,
  };
  return createQueuedJobs(server, options);
}

/** A queue on the other side of a way. */
function asking(
  queue: RunQueue<Claimed>,
  kind: string,
  way: NonNullable<MemoryQueuesOptions['ask']>,
): RunQueue<Claimed> {
  const ask = <Answer>(what: string, work: () => Promise<Answer>) => way(`${what} ${kind}`, work);
  return {
    ask: (slot, cause) => ask('ask', () => queue.ask(slot, cause)),
    supersede: (slot) => ask('supersede', () => queue.supersede(slot)),
    counts: () => ask('counts', () => queue.counts()),
    claim: () => ask('claim', () => queue.claim()),
    begin: (claimed, startedAt) => ask('begin', () => queue.begin(claimed, startedAt)),
    putBack: (claimed) => ask('putBack', () => queue.putBack(claimed)),
    beat: (claimed) => ask('beat', () => queue.beat(claimed)),
    leave: (claimed, outcome, endedAt) => ask('leave', () => queue.leave(claimed, outcome, endedAt)),
    putBackStalled: () => ask('putBackStalled', () => queue.putBackStalled()),
    all: () => ask('all', () => queue.all()),
    close: () => queue.close(),
  };
}

function createMemoryRunQueue({ queues, now }: MemoryQueuesOptions, which: QueueOf): RunQueue<Claimed> {
  const { kind } = which;
  const queue = (): Queue => {
    const made = queues.get(kind.name) ?? { asked: 0, runs: [], silent: new Set(), lookedAt: -Infinity };
    queues.set(kind.name, made);
    return made;
  };
  return {
    ...waitingPart(which, queue),
    ...runningPart(which, queue, now),
    all: async () =>
      queue()
        .runs.toSorted((a, b) => b.data.number - a.data.number)
        .map((run) => runOf(kind.name, run)),
    close: async () => undefined,
  };
}

type RunningPart = Pick<
  RunQueue<Claimed>,
  'claim' | 'begin' | 'putBack' | 'beat' | 'leave' | 'putBackStalled'
>;

/** The run that is under way: how it begins, lives and ends. */
function runningPart(which: QueueOf, queue: () => Queue, now: () => number): RunningPart {
  const { limits, token } = which;
  const find = ({ data: { slot } }: Claimed) => queue().runs.find(({ data }) => data.slot === slot);
  /** Whether a run is under way whose lock is this worker's. */
  const isOwn = (run: Kept | undefined): run is Kept =>
    run?.state === 'active' && run.lock?.token === token && run.lock.until > now();
  const lock = (run: Kept): Claimed => {
    run.lock = { token, until: now() + limits.leaseMs };
    const all = queue();
    all.silent = new Set([...all.silent].filter((id) => id !== run.id));
    return { data: run.data };
  };
  return {
    claim: async () => {
      const all = queue();
      const underWay = all.runs.find(({ state }) => state === 'active');
      if (underWay !== undefined) return isOwn(underWay) ? lock(underWay) : undefined;
      for (const run of all.runs)
        if (run.state === 'delayed' && run.dueAt <= now()) move(all, run, { state: 'wait' });
      const first = all.runs.find(({ state }) => state === 'wait');
      if (first === undefined) return undefined;
      move(all, first, { state: 'active' });
      return lock(first);
    },
    begin: async (claimed, startedAt) => {
      const run = find(claimed);
      if (run === undefined) throw runWasLost();
      claimed.data = { ...claimed.data, attempts: claimed.data.attempts + 1, startedAt };
      run.data = claimed.data;
    },
    putBack: async (claimed) => {
      const run = find(claimed);
      if (isOwn(run)) move(queue(), run, { state: 'wait' });
    },
    beat: async (claimed) => {
      const run = find(claimed);
      if (!isOwn(run)) return false;
      lock(run);
      return true;
    },
    leave: async (claimed, outcome, endedAt) => {
      const run = find(claimed);
      if (!isOwn(run)) return;
      const all = queue();
      move(all, run, left(run, outcome, endedAt, which, now()));
      all.runs = withoutOldest(all.runs, limits.runsKept);
    },
    putBackStalled: async () => {
      const all = queue();
      if (now() - all.lookedAt < limits.leaseMs / LOOKS_PER_LEASE / 2) return false;
      all.lookedAt = now();
      const isDead = ({ state, id, lock: held }: Kept) =>
        state === 'active' && all.silent.has(id) && (held === undefined || held.until <= now());
      const dead = all.runs.filter(isDead);
      for (const run of dead) move(all, run, { state: 'wait' });
      all.silent = new Set(all.runs.flatMap(({ state, id }) => (state === 'active' ? [id] : [])));
      return dead.length > 0;
    },
  };
}

/** Puts a run that nobody has any more behind all others. */
function move(queue: Queue, run: Kept, to: Partial<Kept> & Pick<Kept, 'state'>): void {
  Object.assign(run, { lock: undefined, ...to });
  queue.runs = [...queue.runs.filter((one) => one !== run), run];
}

/** Runs that were asked for and have not begun. */
function waitingPart({ kind }: QueueOf, queue: () => Queue): Pick<RunQueue, 'ask' | 'supersede' | 'counts'> {
  return {
    ask: async (slot, cause) => {
      const all = queue();
      const id = runId(kind.name, slot);
      all.asked += 1;
      if (all.runs.some((run) => run.id === id)) return;
      const data = { slot, cause, attempts: 0, startedAt: null, number: all.asked };
      const rest = { failures: 0, lock: undefined, dueAt: 0, ended: NOT_ENDED };
      all.runs = [...all.runs, { id, data, state: 'wait', ...rest }];
    },
    supersede: async (slot) => {
      const all = queue();
      all.runs = all.runs.filter(
        ({ state, data }) =>
          state !== 'wait' || data.cause !== 'schedule' || data.attempts > 0 || data.slot === slot,
      );
    },
    counts: async () => {
      const count = (state: State) => queue().runs.filter((run) => run.state === state).length;
      const [active, wait, resting] = [count('active'), count('wait'), count('delayed')];
      return { active, waiting: wait + resting, resting };
    },
  };
}

/** What becomes of a run that its worker leaves. */
function left(
  { data, failures }: Kept,
  outcome: Outcome,
  endedAt: string,
  { kind, limits }: QueueOf,
  now: number,
): Partial<Kept> & Pick<Kept, 'state'> {
  const { attempts } = data;
  switch (outcome.state) {
    case 'done':
      return { state: 'completed', ended: { endedAt, report: outcome.report, error: null } };
    case 'interrupted':
      return { state: 'wait', data: { ...data, attempts: attempts - 1 } };
    case 'unknown':
      return {
        state: 'delayed',
        data: { ...data, attempts: attempts - 1 },
        dueAt: now + pauseAfter(attempts, limits),
      };
    default: {
      const isLast = outcome.state === 'failed' || failures + 1 >= kind.attempts;
      return {
        state: isLast ? 'failed' : 'delayed',
        failures: failures + 1,
        dueAt: now + pauseAfter(failures + 1, limits),
        ended: { endedAt, report: null, error: outcome.error },
      };
    }
  }
}

/** Of those that ended well, and of those that failed, so many are kept. */
function withoutOldest(runs: readonly Kept[], kept: number): readonly Kept[] {
  const old = (['completed', 'failed'] as const).flatMap((state) =>
    runs.filter((run) => run.state === state).slice(0, -kept),
  );
  return runs.filter((run) => !old.includes(run));
}

function runOf(kind: string, { id, data, state, ended }: Kept): JobRun {
  const { slot, cause, attempts, startedAt } = data;
  const hasEnded = state === 'completed' || state === 'failed';
  const { report, error } = ended;
  return {
    ...{ id, kind, slot, cause, attempts, startedAt, report, error },
    state: STATES[state],
    endedAt: hasEnded ? ended.endedAt : null,
  };
}
