import { Controller } from '@nestjs/common';
import { Bus, ConfirmRequest, RejectRequest, type DecidedRequest } from '#application';
import type { ApprovalAnswer } from '#contracts';
import { accountStream } from '#ledger';
import { CommandParam, type CommandRequest } from '../http/command-context.js';
import { BodyOf, ParamsOf, Route } from '../http/route.js';
import { recorded } from '../http/second.js';

type Kind = DecidedRequest['kind'];
/** Whose request it is, and which. */
type Named = Pick<DecidedRequest, 'userId' | 'requestId'>;
type Body = { readonly reason?: string | undefined };

/** What becomes of a request by each decision, and what the admin is told of it. */
const decisions = {
  confirm: { status: 'confirmed', message: 'Transaction approved successfully!' },
  reject: { status: 'rejected', message: 'Transaction rejected successfully!' },
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
  ): Promise<ApprovalAnswer> {
    return this.decided('confirm', 'funding', params, body, request);
  }

  @Route('rejectFunding')
  rejectFunding(
    @ParamsOf('rejectFunding') params: ParamsOf<'rejectFunding'>,
    @BodyOf('rejectFunding') body: BodyOf<'rejectFunding'>,
    @CommandParam() request: CommandRequest,
  ): Promise<ApprovalAnswer> {
    return this.decided('reject', 'funding', params, body, request);
  }

  @Route('confirmWithdrawal')
  confirmWithdrawal(
    @ParamsOf('confirmWithdrawal') params: ParamsOf<'confirmWithdrawal'>,
    @BodyOf('confirmWithdrawal') body: BodyOf<'confirmWithdrawal'>,
    @CommandParam() request: CommandRequest,
  ): Promise<ApprovalAnswer> {
    const { payoutReference = '' } = body;
    return this.decided('confirm', 'withdrawal', params, body, request, payoutReference);
  }

  @Route('rejectWithdrawal')
  rejectWithdrawal(
    @ParamsOf('rejectWithdrawal') params: ParamsOf<'rejectWithdrawal'>,
    @BodyOf('rejectWithdrawal') body: BodyOf<'rejectWithdrawal'>,
    @CommandParam() request: CommandRequest,
  ): Promise<ApprovalAnswer> {
    return this.decided('reject', 'withdrawal', params, body, request);
  }

  @Route('confirmTransfer')
  confirmTransfer(
    @ParamsOf('confirmTransfer') params: ParamsOf<'confirmTransfer'>,
    @BodyOf('confirmTransfer') body: BodyOf<'confirmTransfer'>,
    @CommandParam() request: CommandRequest,
  ): Promise<ApprovalAnswer> {
    return this.decided('confirm', 'transfer', params, body, request);
  }

  @Route('rejectTransfer')
  rejectTransfer(
    @ParamsOf('rejectTransfer') params: ParamsOf<'rejectTransfer'>,
    @BodyOf('rejectTransfer') body: BodyOf<'rejectTransfer'>,
    @CommandParam() request: CommandRequest,
  ): Promise<ApprovalAnswer> {
    return this.decided('reject', 'transfer', params, body, request);
  }

  private async decided(
    decision: Decision,
    kind: Kind,
    { userId, requestId }: Named,
    body: Body,
    request: CommandRequest,
    payoutReference = '',
  ): Promise<ApprovalAnswer> {
    const { status, message } = decisions[decision];
    const context = request.contextFor(accountStream(userId), body);
    const named = { kind, userId, requestId };
    if (decision === 'reject') {
      const { position } = await request.answered(this.bus.execute(new RejectRequest(context, named)));
      return { requestId, status, position, message };
    }
    const { approvals, position } = await request.answered(
      this.bus.execute(new ConfirmRequest(context, named, payoutReference || undefined)),
    );
    return approvals === null
      ? { requestId, status, position, message }
      : { requestId, status: 'Pending', position, message: recorded(approvals), approvals };
  }
}
