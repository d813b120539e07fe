import {
  createRunLoop,
  hasCode,
  systemRandom,
  type Clock,
  type Pause,
  type RetryPolicy,
  type Timers,
} from '#kernel';
import type { Found, Look, Looking } from './look.js';

/** Bounds and times of the look at everything. */
export const scrubLimits = {
  firstAfterMs: 30_000,
  everyMs: 86_400_000,
  /** Pauses are so many times as long as the work before them, and so long at least: a tenth of the time is worked. */
  pauses: 9,
  pauseLeastMs: 50,
  /** How often the place is kept, beside the ends of parts. */
  keepMs: 10_000,
  /** What is remembered of what was found; all of it is counted and told. */
  found: 100,
  /** How often a part that can't be looked at is tried again before the next one. */
  tries: 5,
  /** The same where what a part is on is away: some minutes, which a server needs to start anew. */
  triesAway: 12,
} as const;
export type ScrubLimits = { readonly [Key in keyof typeof scrubLimits]: number };

/** A look at everything, times in milliseconds since the epoch. */
export type Pass = {
  readonly begunAt: number;
  readonly looked: number;
  readonly damaged: number;
  /** Of these, what is not made again by itself. */
  readonly lasting: number;
  /** The first of what was found, each a sentence. */
  readonly found: readonly string[];
  /** The parts that could not be looked at to their end, for what they are on was away; not kept by versions before. */
  readonly missed?: readonly string[];
};

/** How far the look at everything is, and what it came to: kept, so that it goes on after a restart. */
export type ScrubState = {
  /** The pass under way; undefined between two. */
  readonly pass: (Pass & { readonly part: string; readonly place?: string }) | undefined;
  readonly last: (Pass & { readonly endedAt: number }) | undefined;
  /** When each part was looked at wholly. */
  readonly checkedAt: Readonly<Record<string, number>>;
};

export type ScrubberOptions = {
  /** In their order. */
  readonly parts: Readonly<Record<string, Looking>>;
  /** What was kept; undefined when that is nothing, or of another log. */
  readonly load: () => ScrubState | undefined;
  readonly keep: (state: ScrubState) => void;
  /** Whether this is the program that looks; another one may take it over. */
  readonly isOurs: () => boolean;
  readonly onFound: (part: string, found: Found) => void;
  /** Hears what a look failed with; it is tried again. */
  readonly onFailing: (part: string, message: string) => void;
  readonly clock: Clock;
  readonly monotonic: Clock;
  readonly timers: Timers;
  readonly limits?: ScrubLimits;
};

export type Scrubber = {
  readonly start: () => void;
  readonly stop: () => Promise<void>;
  readonly state: () => ScrubState;
};

const RETRY: RetryPolicy = { firstMs: 1_000, lastMs: 60_000, jitter: 0.5 };

const nothing: ScrubState = { pass: undefined, last: undefined, checkedAt: {} };

/** Goes over everything that is kept, a little at a time, once a day. Its place survives a restart. */
export function createScrubber(options: ScrubberOptions): Scrubber {
  const { parts, load, keep, onFailing, clock, monotonic, timers, limits = scrubLimits } = options;
  const names = Object.keys(parts);
  const tried = createTries(limits);
  let state = load() ?? nothing;
  let keptAt = monotonic();
  let isFirst = true;

  const put = (next: ScrubState, isEnd: boolean) => {
    state = next;
    if (!isEnd && monotonic() - keptAt < limits.keepMs) return;
    keptAt = monotonic();
    keep(state);
  };

  const turn = async (): Promise<Pause> => {
    if (isFirst) {
      isFirst = false;
      return { until: 'stopped', ms: limits.firstAfterMs };
    }
    if (!options.isOurs()) return { until: 'stopped', ms: limits.firstAfterMs };
    const now = clock();
    if (state.pass === undefined) {
      const wait = waitFor(state.last, now, limits.everyMs);
      if (wait > 0) return { until: 'stopped', ms: Math.min(wait, limits.firstAfterMs) };
      state = {
        ...state,
        pass: { begunAt: now, looked: 0, damaged: 0, lasting: 0, found: [], part: names[0] ?? '' },
      };
    }
    const began = monotonic();
    await step();
    const worked = monotonic() - began;
    return { until: 'stopped', ms: Math.max(limits.pauseLeastMs, limits.pauses * worked) };
  };

  const step = async () => {
    const { pass } = state;
    if (pass === undefined) return;
    const looking = parts[pass.part];
    // A part of before that there is no more: from the beginning.
    if (looking === undefined) {
      state = { ...state, pass: { ...pass, part: names[0] ?? '' } };
      if (names.length === 0) put({ ...state, pass: undefined }, true);
      return;
    }
    const look = await tried(pass.part, () => looking(pass.place));
    for (const one of look.found) options.onFound(pass.part, one);
    if (look.isAway) onFailing(pass.part, 'it is away, and is passed by until the next look');
    const seen = { ...pass, ...addedTo(pass, look, limits.found) };
    const where = { pass: seen, place: look.next, isGivenUp: look.isGivenUp, now: clock() };
    put(advanced(names, state, where), look.next === undefined);
  };

  const loop = createRunLoop({
    turn,
    onFailing: ({ message }) => onFailing(state.pass?.part ?? '', message),
    onRecovered: () => undefined,
    onStopped: async () => keep(state),
    retry: RETRY,
    clock,
    random: systemRandom,
    timers,
  });
  return { start: loop.start, stop: loop.stop, state: () => state };
}

/** A look, or what stands for one at a part that was given up: of what it is on, `isAway` says that it was not there. */
type Outcome = Look & { readonly isGivenUp: boolean; readonly isAway: boolean };
type Tried = (part: string, look: () => Promise<Look>) => Promise<Outcome>;

/** Gives up a part that fails again and again: it must not keep the others from being looked at. What is away is not damaged. */
function createTries({ tries, triesAway }: Pick<ScrubLimits, 'tries' | 'triesAway'>): Tried {
  let failures = 0;
  return async (part, look) => {
    try {
      const answer = await look();
      failures = 0;
      return { ...answer, isGivenUp: false, isAway: false };
    } catch (error) {
      failures += 1;
      const isAway = hasCode(error, 'unavailable');
      if (failures < (isAway ? triesAway : tries)) throw error;
      failures = 0;
      const why = error instanceof Error ? error.message : String(error);
      return {
        looked: 0,
        found: isAway ? [] : [{ what: `The part ${part} can't be looked at: ${why}` }],
        next: undefined,
        isGivenUp: true,
        isAway,
      };
    }
  };
}

/** The parts that the last look, or the one under way, has missed and none has come through since. */
export function missedIn({ pass, last, checkedAt }: ScrubState): readonly string[] {
  const isOpen = (part: string, at: number) => (checkedAt[part] ?? -Infinity) < at;
  const before = (last?.missed ?? []).filter((part) => isOpen(part, last?.endedAt ?? 0));
  const now = (pass?.missed ?? []).filter((part) => isOpen(part, pass?.begunAt ?? 0));
  return [...new Set([...before, ...now])];
}

/** The state after a look that goes on at a place, or came to the end of its part. */
function advanced(
  names: readonly string[],
  before: ScrubState,
  {
    pass,
    place,
    isGivenUp,
    now,
  }: {
    readonly pass: NonNullable<ScrubState['pass']>;
    readonly place: string | undefined;
    /** Of a part that was given up not all was looked at. */
    readonly isGivenUp: boolean;
    readonly now: number;
  },
): ScrubState {
  const { part, place: _, ...counted } = pass;
  if (place !== undefined) return { ...before, pass: { ...counted, part, place } };
  const checkedAt = isGivenUp ? before.checkedAt : { ...before.checkedAt, [part]: now };
  const following = names[names.indexOf(part) + 1];
  if (following !== undefined) return { ...before, checkedAt, pass: { ...counted, part: following } };
  return { checkedAt, pass: undefined, last: { ...counted, endedAt: now } };
}

/** How long until the next pass: a day after the last one began. A clock that went back is no reason to wait. */
function waitFor(last: ScrubState['last'], now: number, everyMs: number): number {
  if (last === undefined || now < last.begunAt) return 0;
  return last.begunAt + everyMs - now;
}

function addedTo(
  pass: NonNullable<ScrubState['pass']>,
  { looked, found, isAway }: Outcome,
  most: number,
): Pass {
  return {
    missed: [...(pass.missed ?? []), ...(isAway ? [pass.part] : [])],
    begunAt: pass.begunAt,
    looked: pass.looked + looked,
    damaged: pass.damaged + found.length,
    lasting:
      pass.lasting +
      found.filter(({ damage, rebuild }) => damage === undefined && rebuild === undefined).length,
    found: [...pass.found, ...found.map(({ what }) => what)].slice(0, most),
  };
}
