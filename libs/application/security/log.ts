import { networkOf } from '#identity';
import { plainFailure, repeatEvery, type Clock, type Hold, type Position, type Timers } from '#kernel';
import { securityTypes, type SecurityType } from '#ledger';
import { refuseWhileHeld } from '../platform/held.js';
import {
  createWriting,
  minuteOf,
  type Entry,
  type GivenByCommand,
  type SecurityLogParts,
  type SecurityObject,
  type SecuritySubject,
} from './writing.js';

/** Events that refusals, and what strangers are given, leave in a minute, at most. */
export const REFUSALS_PER_MINUTE_MAX = 1_000;
/** Those of them that nobody was signed in for: whoever floods from many networks leaves room for people's. */
const STRANGERS_PER_MINUTE_MAX = 800;
/** How often it is looked whether a minute is over, in milliseconds. */
const LOOK_MS = 1_000;

/** How often something happened, and how often of that no event says so. */
export type SecurityCount = {
  readonly type: SecurityType;
  readonly seen: number;
  readonly unwritten: number;
};

/** What is noted of access to the platform. */
export type SecurityLog = {
  /** Counts a refusal, of which an event tells after the minute. Never fails: a refusal is answered whatever comes of it. */
  readonly refused: (type: SecurityType, who: SecuritySubject) => void;
  /**
   * Notes what somebody is about to be given: the first time in a minute an event is written before this resolves, with
   * where that event is. Rejects
   * with `unavailable` when it can't be, or strangers have had the minute's places, and then it may not be given.
   */
  readonly given: (type: SecurityType, who: SecuritySubject, what: SecurityObject) => Promise<Position>;
  /**
   * Writes that an operator's command gives data out, once for the same `id`. Rejects when it can't be written.
   */
  readonly givenByCommand: (given: GivenByCommand) => Promise<void>;
  /** Since the program began. */
  readonly counts: () => readonly SecurityCount[];
};

/** The log of access. `stop` writes what is left of the minute. */
export function watchSecurity(
  parts: SecurityLogParts & { readonly clock: Clock; readonly hold: Hold; readonly timers: Timers },
): SecurityLog & { readonly flush: () => Promise<void>; readonly stop: () => Promise<void> } {
  const { clock, hold, timers } = parts;
  const writing = createWriting(parts);
  const counts = createCounts();
  const minutes = createMinutes(clock, (over) => void flushed(over));
  let lastFlush = Promise.resolve();

  /** Writes entries after what is being written. */
  function flushed(over: readonly Entry[]): Promise<void> {
    lastFlush = lastFlush.then(() => writeLeft(parts, writing, counts, over));
    return lastFlush;
  }

  const flush = () => flushed(minutes.takeAll());
  const cancel = repeatEvery(timers, LOOK_MS, () => void minutes.current());

  return {
    refused(type, who) {
      counts.add(type, 'seen', 1);
      const minute = minutes.current();
      const key = keyOf(type, who, {});
      const known = minute.entries.get(key);
      if (hold() !== undefined) counts.add(type, 'unwritten', 1);
      else if (known !== undefined) known.left += 1;
      else if (takePlace(minute, who.session === undefined))
        minute.entries.set(key, { type, who, what: {}, minute: minute.began, left: 1 });
      else counts.add(type, 'unwritten', 1);
    },
    async given(type, who, what) {
      refuseWhileHeld(hold);
      counts.add(type, 'seen', 1);
      const minute = minutes.current();
      const { began, entries } = minute;
      const key = keyOf(type, who, what);
      const known = entries.get(key);
      if (known?.written !== undefined) {
        known.left += 1;
        return known.written;
      }
      if (who.session === undefined && !takePlace(minute, true)) {
        counts.add(type, 'unwritten', 1);
        throw plainFailure('unavailable', 'Too much has to be noted at the moment. Try again in a minute.');
      }
      const first = { type, who, what, minute: began };
      const entry = { ...first, written: writing.first({ ...first, left: 1 }), left: 0 };
      entries.set(key, entry);
      try {
        return await entry.written;
      } catch (error) {
        entries.delete(key);
        counts.add(type, 'unwritten', 1 + entry.left);
        entry.left = 0;
        throw error;
      }
    },
    async givenByCommand(given) {
      refuseWhileHeld(hold);
      await writing.ofCommand(given);
      counts.add('ListExported', 'seen', 1);
    },
    counts: counts.all,
    flush,
    stop: async () => {
      cancel();
      await flush();
    },
  };
}

async function writeLeft(
  { log }: SecurityLogParts,
  writing: ReturnType<typeof createWriting>,
  counts: ReturnType<typeof createCounts>,
  over: readonly Entry[],
): Promise<void> {
  const left = over.filter((entry) => entry.left > 0);
  if (left.length === 0) return;
  const failures = await writing.all(left);
  for (const { entry } of failures) counts.add(entry.type, 'unwritten', entry.left);
  const [first] = failures;
  if (first !== undefined)
    log.error({ err: first.error, events: failures.length }, 'the security log could not be written');
}

function createCounts() {
  const counted = new Map(securityTypes.map((type) => [type, { seen: 0, unwritten: 0 }]));
  return {
    add(type: SecurityType, member: 'seen' | 'unwritten', by: number): void {
      const known = counted.get(type);
      if (known !== undefined) known[member] += by;
    },
    all: (): readonly SecurityCount[] =>
      [...counted].map(([type, { seen, unwritten }]) => ({ type, seen, unwritten })),
  };
}

/** A minute that is counted, and how many of its places for events of refusals are taken. */
type Minute = {
  readonly began: string;
  entries: Map<string, Entry>;
  taken: number;
  takenByStrangers: number;
};

/** The minute that it is; `onOver` gets what was counted in one that is over. */
function createMinutes(clock: Clock, onOver: (entries: readonly Entry[]) => void) {
  const begin = (began: string): Minute => ({ began, entries: new Map(), taken: 0, takenByStrangers: 0 });
  let minute = begin('');

  function takeAll(): readonly Entry[] {
    const all = [...minute.entries.values()];
    minute.entries = new Map();
    return all;
  }

  return {
    takeAll,
    current(): Minute {
      const began = minuteOf(clock());
      if (began === minute.began) return minute;
      onOver(takeAll());
      minute = begin(began);
      return minute;
    },
  };
}

/** Takes one of the minute's places for an event of a refusal. False when there is none. */
function takePlace(minute: Minute, isStranger: boolean): boolean {
  if (minute.taken >= REFUSALS_PER_MINUTE_MAX) return false;
  if (isStranger && minute.takenByStrangers >= STRANGERS_PER_MINUTE_MAX) return false;
  minute.taken += 1;
  if (isStranger) minute.takenByStrangers += 1;
  return true;
}

/** What is counted together. */
function keyOf(
  type: SecurityType,
  { session, client }: SecuritySubject,
  { about, route }: SecurityObject,
): string {
  const who = session === undefined ? `network ${networkOf(client.address)}` : `person ${session.userId}`;
  return [type, who, about ?? '', route ?? ''].join('\n');
}
