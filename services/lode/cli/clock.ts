import { createGuardedClock, machineClocks, type GuardedClock } from '#clock';
import type { ExclusiveEngines, Stores } from '#engines';
import { systemRandom } from '#kernel';
import { judgeClock, type JudgedClock } from '../time.js';
import type { Call } from './command.js';

/** A clock with what judges it. */
export type CommandClock = { readonly guard: GuardedClock; readonly clock: JudgedClock };

/**
 * Does some work by the machine's clock, judged by a log and what is remembered beside it; how far the time has come is
 * remembered afterwards.
 */
export async function withClock<T>(
  { settings }: Pick<Call, 'settings'>,
  { openClockMarks }: Pick<ExclusiveEngines, 'openClockMarks'>,
  { events: eventStore }: Pick<Stores, 'events'>,
  work: (clock: CommandClock) => Promise<T>,
): Promise<T> {
  const { logId } = await eventStore.ensureHeader();
  const marks = await openClockMarks(logId);
  try {
    const guard = createGuardedClock(machineClocks, settings.clockTolerance);
    const clock = judgeClock({ guard, eventStore, marks, random: systemRandom });
    await clock.begin();
    const result = await work({ guard, clock });
    await clock.keep();
    return result;
  } finally {
    await marks.close();
  }
}

/** As `withClock`; refuses with `unavailable` while the clock is not accepted. */
export function withAcceptedClock<T>(
  call: Pick<Call, 'settings'>,
  engines: Pick<ExclusiveEngines, 'openClockMarks'>,
  stores: Pick<Stores, 'events'>,
  work: (guard: GuardedClock) => Promise<T>,
): Promise<T> {
  return withClock(call, engines, stores, async ({ guard }) => {
    const held = guard.hold();
    if (held !== undefined) throw held;
    return work(guard);
  });
}
