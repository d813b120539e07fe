import type { CommandContext } from '#commands';
import { LodeError } from '#kernel';
import { accountStream, type AccountCommand } from '#ledger';
import type { Aggregates } from '../aggregates.js';
import { commandOrRefusal } from '../command-or-refusal.js';
import { sentBy, type Receipt } from '../command.js';
import { withSettingsRevision, type RevisedSettings, type SettingsInForce } from '../settings/in-force.js';
import { approvalsIn, ruled, usesOf, type ApprovalParts, type Decided } from './approvals.js';

/** Whose adjustment waits, and which. */
type Waiting = { readonly userId: string; readonly requestId: string };

/**
 * Approves an adjustment that another admin asked for; the last approval that it takes books it. Refuses with `request_not_found`,
 * `request_closed`, `own_request`, `already_approved`, `approval_expired`, and as the account does.
 */
export class ApproveAdjustment extends sentBy('admin')<Decided> {
  constructor(
    override readonly context: CommandContext,
    readonly waiting: Waiting,
  ) {
    super();
  }
}

type Parts = ApprovalParts & { readonly settings: SettingsInForce };

export class ApproveAdjustmentHandler {
  constructor(private readonly parts: Parts) {}

  async execute({ context, waiting }: ApproveAdjustment): Promise<Decided> {
    const inForce = await this.parts.settings.current();
    const command = await commandOrRefusal(() => this.commandFor(waiting, inForce, context));
    const done = await this.parts.aggregates.accounts.execute(
      accountStream(waiting.userId),
      command,
      withSettingsRevision(inForce, context),
    );
    return { ...done, approvals: approvalsIn(done.events) };
  }

  private async commandFor(
    { userId, requestId }: Waiting,
    { prices, approvalLimits: limits }: RevisedSettings,
    context: CommandContext,
  ): Promise<AccountCommand> {
    const { state } = await this.parts.aggregates.accounts.load(accountStream(userId));
    const proposal = state.kind === 'open' ? state.proposals.get(requestId) : undefined;
    if (proposal === undefined) throw new LodeError('request_not_found', 'There is no such adjustment.');
    const { approvals, entries } = proposal;
    const type = 'ApproveAdjustment';
    return ruled(
      this.parts,
      {
        userId,
        uses: usesOf(entries, limits),
        limits,
        approvals,
        commandBy: (approval) => ({ type, requestId, prices, approval }),
      },
      context,
    );
  }
}

/** Turns an adjustment down that waits: nothing moves. Refuses with `request_not_found` and `request_closed`. */
export class RejectAdjustment extends sentBy('admin')<Receipt> {
  constructor(
    override readonly context: CommandContext,
    readonly waiting: Waiting,
  ) {
    super();
  }
}

export class RejectAdjustmentHandler {
  constructor(private readonly parts: { readonly aggregates: Pick<Aggregates, 'accounts'> }) {}

  execute({ context, waiting: { userId, requestId } }: RejectAdjustment): Promise<Receipt> {
    const command = { type: 'RejectAdjustment', requestId, by: context.actor.id } as const;
    return this.parts.aggregates.accounts.execute(accountStream(userId), command, context);
  }
}
