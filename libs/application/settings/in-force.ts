import type { CommandContext } from '#commands';
import { settingsStream, type Settings } from '#ledger';
import type { Aggregates } from '../aggregates.js';

/** What admins have set, with the defaults for what they have not, up to this revision; −1 before any were set. */
export type RevisedSettings = Settings & { readonly revision: number };

/** The settings that decisions go by. */
export type SettingsInForce = {
  /**
   * The settings that a decision goes by now: what the log said a second ago at most, and never less than what this
   * process has answered. Rejects with the event store's errors, and with `unavailable` when it does not answer in time.
   */
  readonly current: () => Promise<RevisedSettings>;
  /**
   * The settings as they were last read, however long ago, and never less than what this process has answered: for what goes on
   * while the event store does not answer. Where they were not read yet, as `current`.
   */
  readonly lastKnown: () => RevisedSettings | Promise<RevisedSettings>;
  /** Brings the settings' event of that revision into force here. Never rejects: until it is in force, `current` does. */
  readonly changed: (revision: number) => Promise<void>;
};

/** The settings in force, each time from the end of the log: for a program that does one thing and ends. */
export function createSettingsInForce(aggregates: Pick<Aggregates, 'settings'>): SettingsInForce {
  const current = () => settingsInForce(aggregates);
  return { current, lastKnown: current, changed: async () => {} };
}

/** What admins have set, with the defaults for what they have not; true as of the end of the log. */
export async function settingsInForce({
  settings,
}: {
  readonly settings: Pick<Aggregates['settings'], 'load'>;
}): Promise<RevisedSettings> {
  const { state, revision } = await settings.load(settingsStream);
  return { ...state, revision };
}

/** The context of a command that goes by these settings: its events say so. */
export function withSettingsRevision(
  settings: Pick<RevisedSettings, 'revision'>,
  context: CommandContext,
): CommandContext {
  return { ...context, settings: settings.revision };
}
