import { settingsStream, type Settings } from '#ledger';
import type { Aggregates } from '../aggregates.js';

/** What admins have set, with the defaults for what they have not. */
export type SettingsInForce = {
  /** The settings that a decision goes by now. Rejects with the event store's errors. */
  readonly current: () => Promise<Settings>;
};

/** The settings in force, each time from the end of the log. */
export function createSettingsInForce(aggregates: Pick<Aggregates, 'settings'>): SettingsInForce {
  return { current: () => settingsInForce(aggregates) };
}

/** What admins have set, with the defaults for what they have not; true as of the end of the log. */
export async function settingsInForce({ settings }: Pick<Aggregates, 'settings'>): Promise<Settings> {
  const { state } = await settings.load(settingsStream);
  return state;
}
