import type { CommandContext } from '#commands';
import type { PersonKeys } from '#identity';
import { accountStream, hasTiers, type AccountCommand } from '#ledger';
import { sentBy, type Receipt } from '../command.js';
import { commandOrRefusal } from '../command-or-refusal.js';
import { withSettingsRevision, type RevisedSettings, type SettingsInForce } from '../settings/in-force.js';
import { approvalsIn, ruled, usesOf, type ApprovalParts, type Decided } from './approvals.js';

/** A customer's request of one of the kinds that admins decide. */
export type DecidedRequest = {
  readonly kind: 'funding' | 'withdrawal' | 'transfer';
  readonly userId: string;
  readonly requestId: string;
};

type Parts = ApprovalParts & {
  readonly settings: SettingsInForce;
  readonly identity: { readonly personKeys: PersonKeys };
};

/**
 * Approves an open request. Refuses with `request_closed` one that was decided before. Above a limit it stays open until enough admins
 * have approved it, and the same one is refused with `already_approved`. Nobody decides about their own: `own_request`.
 */
export class ConfirmRequest extends sentBy('admin')<Decided> {
  constructor(
    override readonly context: CommandContext,
    readonly request: DecidedRequest,
    /** By what the payment of a withdrawal is found where it was made. */
    readonly payoutReference?: string,
  ) {
    super();
  }
}

export class ConfirmRequestHandler {
  constructor(private readonly parts: Parts) {}

  async execute({ context, request, payoutReference }: ConfirmRequest): Promise<Decided> {
    const { aggregates, settings } = this.parts;
    const stream = accountStream(request.userId);
    const inForce = await settings.current();
    const command = await commandOrRefusal(() => this.commandFor(request, payoutReference, inForce, context));
    // What goes out was converted when it was asked for; only what is paid in is converted at its confirmation.
    const goesBySettings = request.kind === 'funding' || hasTiers(inForce.approvalLimits);
    const from = goesBySettings ? withSettingsRevision(inForce, context) : context;
    const done = await aggregates.accounts.execute(stream, command, from);
    return { ...done, approvals: approvalsIn(done.events) };
  }

  /** What the account is told: what one admin decides, or what goes by the approvals that it takes. */
  private async commandFor(
    request: DecidedRequest,
    payoutReference: string | undefined,
    { prices, approvalLimits: limits }: RevisedSettings,
    context: CommandContext,
  ): Promise<AccountCommand> {
    const { kind, userId, requestId } = request;
    const by = context.actor.id;
    const command =
      kind === 'funding'
        ? ({ type: 'ConfirmFunding', requestId, by, prices } as const)
        : kind === 'transfer'
          ? ({ type: 'ConfirmTransfer', requestId, by } as const)
          : { ...(await this.payment(request, payoutReference)), by };
    if (!hasTiers(limits)) return command;
    const { state } = await this.parts.aggregates.accounts.load(accountStream(userId));
    const asked = state.kind === 'open' ? state.requests.get(requestId) : undefined;
    if (asked === undefined || !hasTiers(limits, [asked.currency])) return command;
    const { approvals = [] } = asked;
    const uses = usesOf([asked], limits);
    return ruled(
      this.parts,
      { userId, uses, limits, approvals, commandBy: (approval) => ({ ...command, approval }) },
      context,
    );
  }

  private async payment({ userId, requestId }: DecidedRequest, payoutReference: string | undefined) {
    const command = { type: 'ConfirmWithdrawal', requestId } as const;
    if (payoutReference === undefined) return command;
    const { personKeys } = this.parts.identity;
    return { ...command, reference: await personKeys.encryptFor(userId, { payoutReference }) };
  }
}

/** Turns an open request down: what was held for it is free again. Refuses as `ConfirmRequest`. */
export class RejectRequest extends sentBy('admin')<Receipt> {
  constructor(
    override readonly context: CommandContext,
    readonly request: DecidedRequest,
  ) {
    super();
  }
}

const rejections = {
  funding: 'RejectFunding',
  withdrawal: 'RejectWithdrawal',
  transfer: 'RejectTransfer',
} as const;

export class RejectRequestHandler {
  constructor(private readonly parts: Pick<Parts, 'aggregates'>) {}

  execute({ context, request }: RejectRequest): Promise<Receipt> {
    const { kind, userId, requestId } = request;
    const command = { type: rejections[kind], requestId, by: context.actor.id };
    return this.parts.aggregates.accounts.execute(accountStream(userId), command, context);
  }
}
