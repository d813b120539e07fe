import { createRunLoop, thisMachine, type Machine, type Pause, type Timers } from '#kernel';
import {
  keepRenewing,
  LOOK_MS,
  RETRY,
  type ActiveRunner,
  type ActiveRunnerProblem,
} from './active-runner.js';
import type { Lease, Leases } from './port.js';

/** A part that was begun for that long, in milliseconds, is begun anew at once when its writes are refused: two can't drive each other round. */
const STEADY_MS = 1_000;

/** Which of how many parts of some work, from 0. */
export type Part = { readonly part: number; readonly of: number };

export type ActiveMemberOptions = {
  readonly leases: Pick<Leases, 'acquire' | 'isHeld'>;
  /** The names of the leases: as many programs as there are may share the work, and those beyond stand by. */
  readonly seats: readonly string[];
  /** Begins one's part of the work, and gives what ends it. */
  readonly begin: (part: Part) => Promise<() => Promise<void>>;
  readonly onProblem: (problem: ActiveRunnerProblem) => void;
  readonly timers: Timers;
  readonly machine?: Machine | undefined;
};

/** One of those who share some work. */
export type ActiveMember = ActiveRunner & {
  /** The part that it has begun; undefined while it stands by. */
  readonly part: () => Part | undefined;
};

type Seat = { readonly place: number; readonly lease: Lease };

/**
 * One's part of work that programs share, as many parts as there are programs: each has a lease, and its part follows from
 * which of them are held. When somebody comes or goes, everybody ends the part that they had and begins another. Two may have a
 * piece of work for a moment, as in `createActiveRunner`: the store that is protected refuses the one that began it first.
 */
export function createActiveMember(options: ActiveMemberOptions): ActiveMember {
  const { seats, begin, onProblem, timers, machine = thisMachine } = options;
  let seat: Seat | undefined;
  let isRefused = false;
  const work = createWork(begin, machine);

  const leave = async () => {
    const last = seat;
    seat = undefined;
    await last?.lease.release().catch(() => undefined);
  };
  /** Begins the part that is one's by now, if it is another one. */
  const settle = async () => {
    seat ??= await firstFree(options);
    if (seat === undefined) return;
    const part = await partOf(options, seat);
    if (work.part()?.part === part.part && work.part()?.of === part.of && !isRefused) return;
    const stopRenewing = keepRenewing(seat.lease, timers);
    try {
      await work.end();
      isRefused = false;
      await work.begin(part);
    } catch (error) {
      // Somebody else may be able to.
      await leave();
      throw error;
    } finally {
      stopRenewing();
    }
  };
  const loop = createRunLoop({
    turn: async (): Promise<Pause> => {
      if (seat !== undefined && !(await seat.lease.renew())) {
        onProblem({ type: 'deposed', lease: seat.lease.name });
        seat = undefined;
        await work.end();
      }
      await settle();
      return { until: 'woken', ms: LOOK_MS };
    },
    onFailing: ({ code, message, attempts }) =>
      onProblem({ type: 'failing', lease: seat?.lease.name ?? seats[0] ?? '', code, message, attempts }),
    onRecovered: () => undefined,
    onStopped: async () => {
      // What could not be ended or released runs out.
      await work.end().catch(() => undefined);
      await leave();
    },
    retry: RETRY,
    clock: machine.clock,
    random: machine.random,
    timers,
  });

  return {
    start: async () => {
      await settle();
      loop.start();
    },
    stop: loop.stop,
    isActive: () => work.part() !== undefined,
    part: work.part,
    beginAnew: () => {
      isRefused = true;
      // Most often somebody has come, whose part it was: the rest is nobody's until it is begun again.
      if (work.isSteady()) loop.wake();
    },
  };
}

/** A part of the work that is begun, and ended before another. */
function createWork(begin: ActiveMemberOptions['begin'], { monotonic }: Machine) {
  let begunAt = -Infinity;
  let now: { readonly part: Part; readonly end: () => Promise<void> } | undefined;
  return {
    part: () => now?.part,
    isSteady: () => monotonic() - begunAt > STEADY_MS,
    begin: async (part: Part) => {
      begunAt = monotonic();
      now = { part, end: await begin(part) };
    },
    end: async () => {
      const last = now;
      now = undefined;
      await last?.end();
    },
  };
}

/** The first lease that nobody else has; undefined where somebody has each of them. */
async function firstFree({
  leases,
  seats,
}: Pick<ActiveMemberOptions, 'leases' | 'seats'>): Promise<Seat | undefined> {
  for (const [place, name] of seats.entries()) {
    const lease = await leases.acquire(name);
    if (lease !== undefined) return { place, lease };
  }
  return undefined;
}

/** The part of whoever has a lease, among all that are held. */
async function partOf(
  { leases, seats }: Pick<ActiveMemberOptions, 'leases' | 'seats'>,
  { place }: Seat,
): Promise<Part> {
  const held = await Promise.all(seats.map((name, one) => one === place || leases.isHeld(name)));
  const sharers = [...seats.keys()].filter((one) => held[one] === true);
  return { part: sharers.indexOf(place), of: sharers.length };
}
