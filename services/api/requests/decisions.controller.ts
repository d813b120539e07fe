import { Controller } from '@nestjs/common';
import { Bus, ConfirmRequest, RejectRequest, type DecidedRequest } from '#application';
import type { DecisionAnswer } from '#contracts';
import { accountStream } from '#ledger';
import { CommandParam, type CommandRequest } from '../http/command-context.js';
import { BodyOf, ParamsOf, Route } from '../http/route.js';

type Kind = DecidedRequest['kind'];
/** Whose request it is, and which. */
type Named = Pick<DecidedRequest, 'userId' | 'requestId'>;
type Body = { readonly reason?: string | undefined };

/** What each decision is sent as, and what the admin is told of it. */
const decisions = {
  confirm: {
    Command: ConfirmRequest,
    status: 'confirmed',
    message: 'Transaction approved successfully!',
  },
  reject: {
    Command: RejectRequest,
    status: 'rejected',
    message: 'Transaction rejected successfully!',
  },
} as const;
type Decision = keyof typeof decisions;

/** What admins decide of the requests of customers, of all kinds. */
@Controller()
export class DecisionsController {
  constructor(private readonly bus: Bus) {}

  @Route('confirmFunding')
  confirmFunding(
    @ParamsOf('confirmFunding') params: ParamsOf<'confirmFunding'>,
    @BodyOf('confirmFunding') body: BodyOf<'confirmFunding'>,
    @CommandParam() request: CommandRequest,
  ): Promise<DecisionAnswer> {
    return this.decided('confirm', 'funding', params, body, request);
  }

  @Route('rejectFunding')
  rejectFunding(
    @ParamsOf('rejectFunding') params: ParamsOf<'rejectFunding'>,
    @BodyOf('rejectFunding') body: BodyOf<'rejectFunding'>,
    @CommandParam() request: CommandRequest,
  ): Promise<DecisionAnswer> {
    return this.decided('reject', 'funding', params, body, request);
  }

  @Route('confirmWithdrawal')
  confirmWithdrawal(
    @ParamsOf('confirmWithdrawal') params: ParamsOf<'confirmWithdrawal'>,
    @BodyOf('confirmWithdrawal') body: BodyOf<'confirmWithdrawal'>,
    @CommandParam() request: CommandRequest,
  ): Promise<DecisionAnswer> {
    return this.decided('confirm', 'withdrawal', params, body, request);
  }

  @Route('rejectWithdrawal')
  rejectWithdrawal(
    @ParamsOf('rejectWithdrawal') params: ParamsOf<'rejectWithdrawal'>,
    @BodyOf('rejectWithdrawal') body: BodyOf<'rejectWithdrawal'>,
    @CommandParam() request: CommandRequest,
  ): Promise<DecisionAnswer> {
    return this.decided('reject', 'withdrawal', params, body, request);
  }

  @Route('confirmTransfer')
  confirmTransfer(
    @ParamsOf('confirmTransfer') params: ParamsOf<'confirmTransfer'>,
    @BodyOf('confirmTransfer') body: BodyOf<'confirmTransfer'>,
    @CommandParam() request: CommandRequest,
  ): Promise<DecisionAnswer> {
    return this.decided('confirm', 'transfer', params, body, request);
  }

  @Route('rejectTransfer')
  rejectTransfer(
    @ParamsOf('rejectTransfer') params: ParamsOf<'rejectTransfer'>,
    @BodyOf('rejectTransfer') body: BodyOf<'rejectTransfer'>,
    @CommandParam() request: CommandRequest,
  ): Promise<DecisionAnswer> {
    return this.decided('reject', 'transfer', params, body, request);
  }

  private async decided(
    decision: Decision,
    kind: Kind,
    { userId, requestId }: Named,
    body: Body,
    request: CommandRequest,
  ): Promise<DecisionAnswer> {
    const { Command, status, message } = decisions[decision];
    const context = request.contextFor(accountStream(userId), body);
    const command = new Command(context, { kind, userId, requestId });
    const { position } = await request.answered(this.bus.execute(command));
    return { requestId, status, position, message };
  }
}
