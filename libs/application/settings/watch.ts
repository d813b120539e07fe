import { createSignal, plainFailure, type Clock, type LodeError, type Timers } from '#kernel';
import type { EventStore } from '#event-store';
import type { Aggregates } from '../aggregates.js';
import { settingsInForce, type RevisedSettings, type SettingsInForce } from './in-force.js';

type SettingsWatchParts = {
  readonly aggregates: { readonly settings: Pick<Aggregates['settings'], 'load'> };
  readonly eventStore: Pick<EventStore, 'onAppended'>;
  /** Milliseconds on a clock that never goes back. */
  readonly monotonic: Clock;
  readonly timers: Timers;
};

/** Maximum age of the settings a decision may use, in ms; also how long to wait for newer ones. */
export const SETTINGS_AGE_MAX_MS = 1_000;
/** Pause between reads, in ms: there is more than one read within the maximum age. */
export const SETTINGS_POLL_MS = 400;
/** Minimum pause between reads when appends are notified, in ms; every append notifies. */
const NOTIFIED_PAUSE_MS = 50;
/** A read that began before a change may miss it; the one after it does not. */
const READS_MAX = 2;

/** Settings as a read of the log found them, and when that read began. */
type Known = { readonly settings: RevisedSettings; readonly asOf: number };

/**
 * Keeps the settings in memory, so that a command on a cached stream reads no log. Polls, because notifications can be
 * lost; reads sooner when one arrives.
 */
export function watchSettings(parts: SettingsWatchParts): SettingsInForce & { readonly stop: () => void } {
  const { aggregates, eventStore, monotonic, timers } = parts;
  const signal = createSignal(timers);
  let known: Known | undefined;
  /** Revisions below it are not in force any more. */
  let least = -1;
  let reading: Promise<void> | undefined;
  let isStopped = false;

  const good = (): RevisedSettings | undefined =>
    known !== undefined && known.settings.revision >= least && monotonic() - known.asOf <= SETTINGS_AGE_MAX_MS
      ? known.settings
      : undefined;

  async function read(): Promise<void> {
    const asOf = monotonic();
    known = { settings: await settingsInForce(aggregates), asOf };
  }

  /** One read at a time, for all who wait for it. */
  function refresh(): Promise<void> {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  async function refreshed(): Promise<RevisedSettings> {
    for (let reads = 1; reads <= READS_MAX; reads += 1) {
      await inTime(timers, refresh());
      const settings = good();
      if (settings !== undefined) return settings;
    }
    throw unavailable();
  }

  async function poll(): Promise<void> {
    while (!isStopped) {
      signal.lower();
      // Whoever needs the settings then reads them, and gets the error.
      await refresh().catch(() => undefined);
      await signal.stopOr(NOTIFIED_PAUSE_MS);
      await signal.raisedOr(SETTINGS_POLL_MS);
    }
  }

  const unsubscribe = eventStore.onAppended(signal.raise);
  void poll();

  return {
    current: async () => good() ?? refreshed(),
    lastKnown: () => (known !== undefined && known.settings.revision >= least ? known.settings : refreshed()),
    changed: async (revision) => {
      least = Math.max(least, revision);
      if (good() === undefined) await refreshed().catch(() => undefined);
    },
    stop: () => {
      isStopped = true;
      unsubscribe();
      signal.stop();
    },
  };
}

/** What `work` gives; rejects with `unavailable` when that takes longer than settings may be old. */
function inTime(timers: Timers, work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const cancel = timers.after(SETTINGS_AGE_MAX_MS, () => late.reject(unavailable()));
  return Promise.race([work, late.promise]).finally(cancel);
}

function unavailable(): LodeError {
  return plainFailure('unavailable', 'The settings in force are not known at the moment. Try again.');
}
