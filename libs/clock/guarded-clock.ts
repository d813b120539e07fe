import { LodeError, type Clock, type Hold } from '#kernel';
import { isBelieved, type ClockTolerance, type KnownTime } from './rule.js';

/** The clocks of the machine, all in milliseconds. */
export type MachineClocks = {
  /** Since the epoch. */
  readonly wall: Clock;
  /** Since some moment that is the same in every thread of the program; it may stand still while the machine sleeps. */
  readonly monotonic: Clock;
  /** Since the machine was started, sleep included. It costs more than the others. */
  readonly uptime: Clock;
};

/** How the machine's clock stands; instants in milliseconds since the epoch. */
export type ClockState = {
  readonly isAccepted: boolean;
  /** What the machine's clock says. */
  readonly wall: number;
  /** The latest instant that is known: it goes with the clock while that is accepted. */
  readonly reference: number;
  /** How many acceptances by an operator it takes into account. */
  readonly accepted: number;
};

/** The machine's clock with a judgement on it, to which all threads of a program come together. */
export type GuardedClock = {
  /**
   * The time to go by: the machine's while it is accepted. Otherwise what it was at last, and what has passed since, so
   * that nothing ends or is deleted because of a wrong clock.
   */
  readonly now: Clock;
  /** Why no event may be given an instant just now. */
  readonly hold: Hold;
  readonly state: () => ClockState;
  /** Begins with what is known, or begins anew with more: the clock is judged by that alone, and later by its course. */
  readonly begin: (known: KnownTime) => void;
  /** To be called each second or so: keeps up with the clock, and with how long the machine has been running. */
  readonly keep: () => void;
  /** What `joinGuardedClock` makes the same clock of in another thread. */
  readonly shared: SharedArrayBuffer;
};

/** Whole numbers in the memory that threads share, in milliseconds but for the counts. */
const CELLS = {
  reference: 0,
  /** What the wall clock says less what the monotonic one does, when it was accepted last. */
  anchor: 1,
  /** The same for the time since the machine was started. */
  uptimeAnchor: 2,
  /** What is to be believed less what the monotonic clock says. */
  belief: 3,
  accepted: 4,
  behind: 5,
  ahead: 6,
} as const;
const CELLS_BYTES = Object.keys(CELLS).length * BigInt64Array.BYTES_PER_ELEMENT;
/** What stands in a cell without a number: no number of milliseconds. */
const NONE = -(2n ** 63n);

/** A clock that is believed whatever it says until `begin` tells what is known. */
export function createGuardedClock(machine: MachineClocks, tolerance: ClockTolerance): GuardedClock {
  const shared = new SharedArrayBuffer(CELLS_BYTES + Int32Array.BYTES_PER_ELEMENT);
  const cells = cellsOf(shared);
  for (const cell of ['reference', 'anchor', 'uptimeAnchor', 'belief'] as const) cells.set(cell, undefined);
  cells.set('behind', tolerance.behindMs);
  cells.set('ahead', tolerance.aheadMs);
  return joinGuardedClock(shared, machine);
}

/** The clock of the program, in another of its threads. */
export function joinGuardedClock(shared: SharedArrayBuffer, machine: MachineClocks): GuardedClock {
  const cells = cellsOf(shared);
  /** How often the clock was begun, in any thread. */
  const begun = new Int32Array(shared, CELLS_BYTES, 1);
  /** What was found last, and by what: each command asks several times, thousands of commands a second. */
  let judged: { readonly found: ClockState; readonly moment: number; readonly begins: number } | undefined;

  const state = (): ClockState => {
    const wall = machine.wall();
    const monotonic = machine.monotonic();
    const begins = Atomics.load(begun, 0);
    const moment = Math.trunc(monotonic);
    if (judged?.found.wall !== wall || judged.moment !== moment || judged.begins !== begins)
      judged = { found: judge(wall, monotonic), moment, begins };
    return judged.found;
  };

  const judge = (wall: number, monotonic: number): ClockState => {
    const [reference, anchor, uptimeAnchor] = [
      cells.get('reference'),
      cells.get('anchor'),
      cells.get('uptimeAnchor'),
    ];
    const expected = anchor === undefined ? undefined : monotonic + anchor;
    const expectedAwake = () => (uptimeAnchor === undefined ? undefined : machine.uptime() + uptimeAnchor);
    const tolerance = { behindMs: cells.get('behind') ?? 0, aheadMs: cells.get('ahead') ?? 0 };
    const isAccepted = isBelieved({ wall, reference, expected, expectedAwake }, tolerance);
    const accepted = cells.get('accepted') ?? 0;
    if (!isAccepted) return { isAccepted, wall, reference: reference ?? wall, accepted };
    const latest = Math.max(reference ?? wall, wall);
    cells.set('anchor', wall - monotonic);
    cells.set('belief', wall - monotonic);
    if (latest !== reference) cells.set('reference', latest);
    return { isAccepted, wall, reference: latest, accepted };
  };

  const keep = () => {
    const { isAccepted, wall } = state();
    if (isAccepted) cells.set('uptimeAnchor', wall - machine.uptime());
  };
  const believed = (wall: number) => {
    const belief = cells.get('belief');
    return belief === undefined ? wall : Math.round(machine.monotonic() + belief);
  };

  return {
    now: () => {
      const { isAccepted, wall } = state();
      return isAccepted ? wall : believed(wall);
    },
    hold: () => {
      const found = state();
      return found.isAccepted ? undefined : clockNotAccepted(found);
    },
    state,
    begin: ({ reference, accepted }) => {
      cells.set('accepted', accepted);
      cells.set('anchor', undefined);
      cells.set('uptimeAnchor', undefined);
      cells.set('belief', reference === undefined ? undefined : reference - machine.monotonic());
      cells.set('reference', reference);
      Atomics.add(begun, 0, 1);
      keep();
    },
    keep,
    shared,
  };
}

/** The numbers by name. Each is read and written as a whole, whatever other threads do. */
function cellsOf(shared: SharedArrayBuffer) {
  const cells = new BigInt64Array(shared, 0, Object.keys(CELLS).length);
  return {
    get: (name: keyof typeof CELLS): number | undefined => {
      const value = Atomics.load(cells, CELLS[name]);
      return value === NONE ? undefined : Number(value);
    },
    set: (name: keyof typeof CELLS, value: number | undefined) =>
      void Atomics.store(cells, CELLS[name], value === undefined ? NONE : BigInt(Math.round(value))),
  };
}

/** After so many seconds a command may be sent again: that is how often a clock is looked at that is not accepted. */
const RETRY_SECONDS = 5;

/** Why nothing is written: what the clock says, and what is known. */
export function clockNotAccepted({ wall, reference }: Pick<ClockState, 'wall' | 'reference'>): LodeError {
  const message =
    `The clock of the server says ${instantText(wall)}, and the latest time that is known is ${instantText(reference)}: ` +
    'nothing is written until the clock is put right or accepted by an operator.';
  return new LodeError('unavailable', message, { retryAfterSeconds: RETRY_SECONDS }, { told: message });
}

/** An instant in milliseconds as ISO 8601, also one that no calendar has. */
export function instantText(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? `${ms} ms` : date.toISOString();
}
