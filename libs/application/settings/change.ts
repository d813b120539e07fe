import type { CommandContext } from '#commands';
import type { LodeError } from '#kernel';
import { settingsStream, type SettingsCommand } from '#ledger';
import type { Aggregates } from '../aggregates.js';
import { sentBy, type Receipt } from '../command.js';
import type { SettingsInForce } from './in-force.js';

/** Changes one part of what is set for the whole platform. Refuses with `setting_invalid` what is out of bounds. */
export class ChangeSettings extends sentBy('admin')<Receipt> {
  constructor(
    override readonly context: CommandContext,
    readonly change: SettingsCommand,
  ) {
    super();
  }
}

export class ChangeSettingsHandler {
  constructor(
    private readonly aggregates: Pick<Aggregates, 'settings'>,
    private readonly settings: SettingsInForce,
  ) {}

  execute({ context, change }: ChangeSettings): Promise<Receipt> {
    return changeSettings(this.aggregates, this.settings, change, context);
  }
}

/** Changes the settings, or refuses; what was changed is in force here before the answer, so that the caller never sees the old ones afterwards. */
export async function changeSettings(
  aggregates: Pick<Aggregates, 'settings'>,
  settings: Pick<SettingsInForce, 'changed'>,
  change: SettingsCommand | LodeError,
  context: CommandContext,
): Promise<Receipt> {
  const done = await aggregates.settings.execute(settingsStream, change, context);
  const last = done.events.at(-1);
  if (last !== undefined) await settings.changed(last.revision);
  return done;
}
