import type { EventStore } from '#event-store';
import { createSignal, systemTimers, type Position, type Timers } from '#kernel';
import { reactorLimits } from './limits.js';
import type { Reactor } from './reactor.js';

/** Events looked at in one go. */
const PAGE = 500;

/**
 * Tells which reactors have something to do whenever the log has grown: those that handle the type of an event there. It
 * may tell for nothing, as when it can't read the log, and misses none that is written while it watches. Gives what ends
 * it.
 */
export function watchLog(
  log: Pick<EventStore, 'readTypes' | 'head' | 'onAppended'>,
  reactors: readonly Pick<Reactor<unknown>, 'name' | 'handles'>[],
  tell: (names: readonly string[]) => void,
  timers: Timers = systemTimers,
): () => void {
  const everyone = reactors.map(({ name }) => name);
  const types = [...new Set(reactors.flatMap(({ handles }) => handles))];
  const signal = createSignal(timers);
  let seen: Position | undefined;
  let isLooking = false;
  let hasGrown = false;
  let isStopped = false;

  const namesFor = (events: readonly { readonly type: string }[]) =>
    reactors.filter(({ handles }) => events.some(({ type }) => handles.includes(type)));

  async function look(): Promise<void> {
    if (seen === undefined) {
      seen = await log.head();
      tell(everyone);
    }
    const { events, scanned } = await log.readTypes(types, seen, PAGE);
    const names = namesFor(events).map(({ name }) => name);
    if (names.length > 0) tell(names);
    // There may be more behind it.
    hasGrown ||= scanned !== seen;
    seen = scanned;
  }

  async function lookWhileItGrows(): Promise<void> {
    isLooking = true;
    while (hasGrown && !isStopped) {
      hasGrown = false;
      await look().catch(() => {
        // What could not be looked at concerns anybody; the next look begins where the log ends then.
        seen = undefined;
        tell(everyone);
      });
      // In any case, also while the log grows all the time: the next look finds more than one commit.
      await signal.stopOr(reactorLimits.gatherMs);
    }
    isLooking = false;
  }

  const unsubscribe = log.onAppended(() => {
    hasGrown = true;
    if (!isLooking) void lookWhileItGrows();
  });
  return () => {
    unsubscribe();
    isStopped = true;
    signal.stop();
  };
}
