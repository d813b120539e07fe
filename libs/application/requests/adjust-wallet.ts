import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext } from '#commands';
import { accountStream, type AccountCommand } from '#ledger';
import type { Aggregates } from '../aggregates.js';
import { sentBy, type Receipt } from '../command.js';
import { withSettingsRevision, type SettingsInForce } from '../settings/in-force.js';

/** US dollars in each currency; below zero they are taken away. */
export type AdjustmentEntries = Extract<AccountCommand, { readonly type: 'AdjustWallet' }>['entries'];

/** Books what an admin adds to a wallet or takes from it. Refuses as the account does. */
export class AdjustWallet extends sentBy('admin')<Receipt> {
  constructor(
    override readonly context: CommandContext,
    readonly adjustment: { readonly userId: string; readonly entries: AdjustmentEntries },
  ) {
    super();
  }
}

@CommandHandler(AdjustWallet)
export class AdjustWalletHandler implements ICommandHandler<AdjustWallet> {
  constructor(
    private readonly aggregates: Pick<Aggregates, 'accounts'>,
    private readonly settings: SettingsInForce,
  ) {}

  async execute({ context, adjustment: { userId, entries } }: AdjustWallet): Promise<Receipt> {
    const inForce = await this.settings.current();
    const command = { type: 'AdjustWallet', entries, prices: inForce.prices } as const;
    return this.aggregates.accounts.execute(
      accountStream(userId),
      command,
      withSettingsRevision(inForce, context),
    );
  }
}
