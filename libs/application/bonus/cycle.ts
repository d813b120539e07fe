import type { CommandContext } from '#commands';
import { accountStream } from '#ledger';
import type { Aggregates } from '../aggregates.js';
import { sentBy, type Receipt } from '../command.js';
import { withSettingsRevision, type SettingsInForce } from '../settings/in-force.js';

type Parts = { readonly aggregates: Pick<Aggregates, 'accounts'>; readonly settings: SettingsInForce };

/** Starts a person's bonus cycle by the policy in force, unless it was started before. */
export class StartBonusCycle extends sentBy('system')<Receipt> {
  constructor(
    override readonly context: CommandContext,
    readonly userId: string,
  ) {
    super();
  }
}

export class StartBonusCycleHandler {
  constructor(private readonly parts: Parts) {}

  async execute({ context, userId }: StartBonusCycle): Promise<Receipt> {
    const inForce = await this.parts.settings.current();
    const command = { type: 'StartBonusCycle', policy: inForce.bonusPolicy } as const;
    return this.parts.aggregates.accounts.execute(
      accountStream(userId),
      command,
      withSettingsRevision(inForce, context),
    );
  }
}

/** Ends a customer's bonus cycle. Refuses as the account does. */
export class StopBonus extends sentBy('admin')<Receipt> {
  constructor(
    override readonly context: CommandContext,
    readonly userId: string,
  ) {
    super();
  }
}

export class StopBonusHandler {
  constructor(private readonly parts: Parts) {}

  async execute({ context, userId }: StopBonus): Promise<Receipt> {
    const inForce = await this.parts.settings.current();
    const command = { type: 'StopBonus', policy: inForce.bonusPolicy } as const;
    return this.parts.aggregates.accounts.execute(
      accountStream(userId),
      command,
      withSettingsRevision(inForce, context),
    );
  }
}
