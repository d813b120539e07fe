import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext } from '#commands';
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

@CommandHandler(ChangeSettings)
export class ChangeSettingsHandler implements ICommandHandler<ChangeSettings> {
  constructor(
    private readonly aggregates: Pick<Aggregates, 'settings'>,
    private readonly settings: SettingsInForce,
  ) {}

  async execute({ context, change }: ChangeSettings): Promise<Receipt> {
    const done = await this.aggregates.settings.execute(settingsStream, change, context);
    const last = done.events.at(-1);
    // In force before the answer, so that the caller never sees the old settings afterwards.
    if (last !== undefined) await this.settings.changed(last.revision);
    return done;
  }
}
