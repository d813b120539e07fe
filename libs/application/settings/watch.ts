import { createSignal, LodeError, type Clock, type Timers } from '#kernel';
import type { EventStore } from '#event-store';
import { settingsStream, type Settings } from '#ledger';
import type { Aggregates } from '../aggregates.js';
import type { SettingsInForce } from './in-force.js';

export type SettingsWatchParts = {
  readonly aggregates: { readonly settings: Pick<Aggregates['settings'], 'load'> };
  readonly eventStore: Pick<EventStore, 'onAppended'>;
  /** Milliseconds on a clock that never goes back. */
  readonly monotonic: Clock;
  readonly timers: Timers;
};

/** The oldest that settings may be which a decision goes by, in milliseconds; and how long one waits for newer ones. */
export const SETTINGS_AGE_MAX_MS = 1_000;
/** How often the log is asked for new ones, in milliseconds: more than once while the last answer is good. */
export const SETTINGS_POLL_MS = 400;
/** The same when the log has rung, which it does for every append of anything. */
const RUNG_MS = 50;
/** A read that began before a change may miss it; the one after it does not. */
const READS_MAX = 2;

/** Settings as a read of the log found them, and when that read began. */
type Known = { readonly settings: Settings; readonly revision: number; readonly asOf: number };

/**
 * Keeps the settings in memory, so that a command whose own stream is there reads no log on its way. The log is asked by
 * the clock, because a notification may be lost, and sooner when it rings.
 */
export function watchSettings(parts: SettingsWatchParts): SettingsInForce & { readonly stop: () => void } {
  const { aggregates, eventStore, monotonic, timers } = parts;
  const signal = createSignal(timers);
  let known: Known | undefined;
  /** Revisions below it are not in force any more. */
  let least = -1;
  let reading: Promise<void> | undefined;
  let isStopped = false;

  const good = (): Settings | undefined =>
    known !== undefined && known.revision >= least && monotonic() - known.asOf <= SETTINGS_AGE_MAX_MS
      ? known.settings
      : undefined;

  async function read(): Promise<void> {
    const asOf = monotonic();
    const { state: settings, revision } = await aggregates.settings.load(settingsStream);
    known = { settings, revision, asOf };
  }

  /** One read at a time, for all who wait for it. */
  function refresh(): Promise<void> {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  async function refreshed(): Promise<Settings> {
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
      // Whoever needs them is told what is wrong.
      await refresh().catch(() => undefined);
      await signal.stopOr(RUNG_MS);
      await signal.raisedOr(SETTINGS_POLL_MS);
    }
  }

  const silence = eventStore.onAppended(signal.raise);
  void poll();

  return {
    current: async () => good() ?? refreshed(),
    changed: async (revision) => {
      least = Math.max(least, revision);
      if (good() === undefined) await refreshed().catch(() => undefined);
    },
    stop: () => {
      isStopped = true;
      silence();
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
  return new LodeError('unavailable', 'The settings in force are not known at the moment. Try again.');
}
