import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext } from '#commands';
import { accountStream } from '#ledger';
import type { Aggregates } from '../aggregates.js';
import { sentBy, type Receipt } from '../command.js';
import { withSettingsRevision, type SettingsInForce } from '../settings/in-force.js';

/** A customer's request of one of the kinds that admins decide. */
export type DecidedRequest = {
  readonly kind: 'funding' | 'withdrawal' | 'transfer';
  readonly userId: string;
  readonly requestId: string;
};

type Parts = { readonly aggregates: Pick<Aggregates, 'accounts'>; readonly settings: SettingsInForce };

/** Approves an open request. Refuses with `request_closed` one that was decided before. */
export class ConfirmRequest extends sentBy('admin')<Receipt> {
  constructor(
    override readonly context: CommandContext,
    readonly request: DecidedRequest,
  ) {
    super();
  }
}

@CommandHandler(ConfirmRequest)
export class ConfirmRequestHandler implements ICommandHandler<ConfirmRequest> {
  constructor(private readonly parts: Parts) {}

  async execute({ context, request }: ConfirmRequest): Promise<Receipt> {
    const { aggregates, settings } = this.parts;
    const stream = accountStream(request.userId);
    const { kind, requestId } = request;
    // What goes out was converted when it was asked for; only what is paid in is converted at its confirmation.
    if (kind !== 'funding')
      return aggregates.accounts.execute(stream, { type: confirmations[kind], requestId }, context);
    const inForce = await settings.current();
    const command = { type: 'ConfirmFunding', requestId, prices: inForce.prices } as const;
    return aggregates.accounts.execute(stream, command, withSettingsRevision(inForce, context));
  }
}

const confirmations = { withdrawal: 'ConfirmWithdrawal', transfer: 'ConfirmTransfer' } as const;

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

@CommandHandler(RejectRequest)
export class RejectRequestHandler implements ICommandHandler<RejectRequest> {
  constructor(private readonly parts: Pick<Parts, 'aggregates'>) {}

  execute({ context, request }: RejectRequest): Promise<Receipt> {
    const { kind, userId, requestId } = request;
    const command = { type: rejections[kind], requestId };
    return this.parts.aggregates.accounts.execute(accountStream(userId), command, context);
  }
}
