import type { CommandContext } from '#commands';
import type { Identity } from '#identity';
import { LodeError } from '#kernel';
import type { Aggregates } from '../aggregates.js';
import { commandOrRefusal } from '../command-or-refusal.js';
import { sentBy, type Receipt } from '../command.js';
import { changeSettings } from './change.js';
import type { SettingsInForce } from './in-force.js';

/**
 * Says whether admins need a second factor. Refuses with `second_factor_missing` an admin who has none and switches it on:
 * they would be kept out by it.
 */
export class SetAdminAccess extends sentBy('admin')<Receipt> {
  constructor(
    override readonly context: CommandContext,
    readonly needsSecondFactor: boolean,
  ) {
    super();
  }
}

type Parts = {
  readonly aggregates: Pick<Aggregates, 'settings'>;
  readonly settings: Pick<SettingsInForce, 'changed'>;
  readonly identity: { readonly secondFactors: Pick<Identity['secondFactors'], 'isOn'> };
};

export class SetAdminAccessHandler {
  constructor(private readonly parts: Parts) {}

  async execute({ context, needsSecondFactor }: SetAdminAccess): Promise<Receipt> {
    const { aggregates, identity, settings } = this.parts;
    const change = await commandOrRefusal(async () => {
      if (needsSecondFactor && !(await identity.secondFactors.isOn(context.actor.id)))
        throw new LodeError('second_factor_missing', 'Please set up your own second factor first.');
      return { type: 'SetAdminAccess', needsSecondFactor } as const;
    });
    return changeSettings(aggregates, settings, change, context);
  }
}
