import type { Logger } from 'pino';
import { acceptClock, createAggregates, findKnownTime } from '#application';
import {
  CLOCK_STEP_MS,
  instantText,
  type ClockAnswer,
  type ClockMarks,
  type ClockRequests,
  type ClockTolerance,
  type GuardedClock,
} from '#clock';
import type { EventStore } from '#event-store';
import { createRunLoop, isLodeError, systemMonotonic, systemRandom, type Random, type Timers } from '#kernel';

/** Between two looks at the clock, and at what operators said of it, in milliseconds. */
const LOOK_MS = 1_000;
/** How often it is remembered how far the time has come, in milliseconds. */
const KEEP_MS = 60_000;
/** Looks that may fail in a row go slower than others. */
const RETRY = { firstMs: LOOK_MS, lastMs: 10 * LOOK_MS, jitter: 0 };

/**
 * How far the clock may be from what is remembered of the time beside a program that runs, which remembers it each minute
 * while it accepts the clock, and does not take a jump.
 */
export function toleranceBeside({ behindMs }: ClockTolerance): ClockTolerance {
  return { behindMs: Math.min(behindMs, CLOCK_STEP_MS), aheadMs: CLOCK_STEP_MS + KEEP_MS };
}

/** What a program judges its clock with. */
export type TimeKeeping = {
  readonly guard: GuardedClock;
  readonly eventStore: EventStore;
  readonly marks: ClockMarks;
  readonly random: Random;
};

/** What became of the wish to have the clock accepted; instants are ISO 8601. */
export type Acceptance =
  | { readonly outcome: 'accepted'; readonly instant: string; readonly was: string }
  /** There was nothing to do. */
  | { readonly outcome: 'accepted before'; readonly instant: string; readonly was: string }
  | { readonly outcome: 'refused'; readonly instant: string; readonly was: string; readonly why: string };

/** A clock that is judged by what is known of the time of a log. */
export type JudgedClock = {
  /** Judges it by what is known now. */
  readonly begin: () => Promise<void>;
  /** Notices what others have accepted. */
  readonly refresh: () => Promise<void>;
  /** Remembers how far the time has come; only while the clock is accepted. */
  readonly keep: () => Promise<void>;
  /** Accepts what it says, for an operator. */
  readonly accept: (reason: string | undefined) => Promise<Acceptance>;
};

/** Judges a clock by a log and what is remembered beside it. */
export function judgeClock({ guard, eventStore, marks, random }: TimeKeeping): JudgedClock {
  // Of their own, because what accepts the clock can't wait until it is accepted.
  const aggregates = createAggregates({ eventStore, clock: () => guard.state().wall });
  const known = () => findKnownTime({ log: eventStore, marks });
  const begin = async () => guard.begin(await known());
  const refresh = async () => {
    const found = await known();
    if (found.accepted > guard.state().accepted) guard.begin(found);
  };
  const keep = async () => {
    const { isAccepted, reference, accepted } = guard.state();
    if (!isAccepted) return;
    const kept = await marks.save({ instant: reference, accepted });
    if (kept.accepted > accepted) await refresh();
  };
  return {
    begin,
    refresh,
    keep,
    accept: async (reason) => {
      const state = guard.state();
      const instants = { instant: instantText(state.wall), was: instantText(state.reference) };
      if (state.isAccepted) return { outcome: 'accepted before', ...instants };
      try {
        await acceptClock(aggregates, state, { reason, random });
      } catch (error) {
        if (!isLodeError(error)) throw error;
        return { outcome: 'refused', ...instants, why: error.message };
      }
      await begin();
      await keep();
      return { outcome: 'accepted', ...instants };
    },
  };
}

export type TimeKeeper = { readonly stop: () => Promise<void> };

/** Judges the clock of a program that runs, again and again: what it does by the clock waits while that is not accepted. */
export async function keepTime(
  parts: Pick<TimeKeeping, 'guard' | 'eventStore' | 'marks'> & {
    readonly requests: ClockRequests;
    readonly logger: Logger;
    readonly timers: Timers;
  },
): Promise<TimeKeeper> {
  const { guard, requests, logger, timers } = parts;
  const clock = judgeClock({ ...parts, random: systemRandom });
  await clock.begin();
  let wasAccepted = true;
  let keptAt = -Infinity;
  const keep = async () => {
    keptAt = systemMonotonic();
    await clock.keep();
  };
  const turn = async () => {
    guard.keep();
    const { isAccepted, wall, reference } = guard.state();
    if (isAccepted !== wasAccepted) {
      const instants = { clock: instantText(wall), known: instantText(reference) };
      if (isAccepted) logger.warn(instants, 'the clock is accepted again');
      else logger.error(instants, 'the clock is not accepted: nothing is written until it is put right');
    }
    wasAccepted = isAccepted;
    await answer(requests, clock);
    if (!isAccepted) await clock.refresh();
    else if (systemMonotonic() - keptAt >= KEEP_MS) await keep();
  };
  const loop = createRunLoop({
    turn: async () => {
      await turn();
      return { until: 'stopped', ms: LOOK_MS };
    },
    onFailing: (failing) => logger.warn(failing, 'what is known of the time can not be read or kept'),
    onRecovered: () => undefined,
    // What is not kept now is told by the log's last event.
    onStopped: () => keep().catch(() => undefined),
    retry: RETRY,
    clock: systemMonotonic,
    random: systemRandom,
    timers,
  });
  loop.start();
  return { stop: loop.stop };
}

async function answer(requests: ClockRequests, clock: JudgedClock): Promise<void> {
  const request = requests.pending();
  if (request === undefined) return;
  const acceptance: ClockAnswer = JSON.stringify(await clock.accept(request.reason));
  requests.answer(request.id, acceptance);
}
