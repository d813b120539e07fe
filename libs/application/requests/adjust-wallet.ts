import type { CommandContext } from '#commands';
import { accountStream, type AccountCommand, type ApprovalRule } from '#ledger';
import { sentBy } from '../command.js';
import { commandOrRefusal } from '../command-or-refusal.js';
import { withSettingsRevision, type SettingsInForce } from '../settings/in-force.js';
import { approvalsIn, proposalId, ruled, usesOf, type ApprovalParts, type Decided } from './approvals.js';

/** US dollars in each currency; below zero they are taken away. */
export type AdjustmentEntries = Extract<AccountCommand, { readonly type: 'AdjustWallet' }>['entries'];

/** An adjustment that was booked, or that waits under an id for other admins. */
export type Adjusted = Decided & { readonly requestId: string };

/**
 * Books what an admin adds to a wallet or takes from it. Above a limit it waits for others, and moves nothing. Refuses as the
 * account does.
 */
export class AdjustWallet extends sentBy('admin')<Adjusted> {
  constructor(
    override readonly context: CommandContext,
    readonly adjustment: { readonly userId: string; readonly entries: AdjustmentEntries },
  ) {
    super();
  }
}

type Parts = ApprovalParts & { readonly settings: SettingsInForce };

export class AdjustWalletHandler {
  constructor(private readonly parts: Parts) {}

  async execute({ context, adjustment: { userId, entries } }: AdjustWallet): Promise<Adjusted> {
    const inForce = await this.parts.settings.current();
    const { approvalLimits: limits, prices } = inForce;
    const booking = { type: 'AdjustWallet', by: context.actor.id, entries, prices } as const;
    const uses = usesOf(entries, limits);
    const requestId = proposalId(context);
    const commandBy = (rule: ApprovalRule) => ({ ...booking, approval: { ...rule, requestId } });
    const asked = { userId, uses, limits, approvals: [], commandBy };
    const command =
      uses.length === 0 ? booking : await commandOrRefusal(() => ruled(this.parts, asked, context));
    const done = await this.parts.aggregates.accounts.execute(
      accountStream(userId),
      command,
      withSettingsRevision(inForce, context),
    );
    return { ...done, requestId, approvals: approvalsIn(done.events) };
  }
}
