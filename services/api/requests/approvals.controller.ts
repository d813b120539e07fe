import { Controller } from '@nestjs/common';
import {
  ApproveAdjustment,
  Bus,
  GetApprovalsNeeded,
  ListApprovals,
  RejectAdjustment,
  type Session,
} from '#application';
import { accountStream, parseMoney } from '#ledger';
import { CommandParam, type CommandRequest } from '../http/command-context.js';
import { recorded } from '../http/second.js';
import { BodyOf, Caller, ParamsOf, QueryOf, Route, type AnswerOf } from '../http/route.js';

/** What takes more than one admin. */
@Controller()
export class ApprovalsController {
  constructor(private readonly bus: Bus) {}

  @Route('approvals')
  list(
    @QueryOf('approvals') query: QueryOf<'approvals'>,
    @Caller() { userId }: Session,
  ): Promise<AnswerOf<'approvals'>> {
    return this.bus.query(new ListApprovals(query, userId));
  }

  @Route('approvalsNeeded')
  needed(
    @QueryOf('approvalsNeeded') { amount, currency }: QueryOf<'approvalsNeeded'>,
    @Caller() { userId }: Session,
  ): Promise<AnswerOf<'approvalsNeeded'>> {
    return this.bus.query(new GetApprovalsNeeded(userId, { currency, amount: parseMoney(amount, 'USD') }));
  }

  @Route('approveAdjustment')
  async approve(
    @ParamsOf('approveAdjustment') params: ParamsOf<'approveAdjustment'>,
    @BodyOf('approveAdjustment') body: BodyOf<'approveAdjustment'>,
    @CommandParam() request: CommandRequest,
  ): Promise<AnswerOf<'approveAdjustment'>> {
    const { requestId, userId } = params;
    const context = request.contextFor(accountStream(userId), body);
    const command = new ApproveAdjustment(context, params);
    const { approvals, position } = await request.answered(this.bus.execute(command));
    return approvals === null
      ? { requestId, status: 'confirmed', position, message: 'Transaction approved successfully!' }
      : { requestId, status: 'Pending', position, message: recorded(approvals), approvals };
  }

  @Route('rejectAdjustment')
  async reject(
    @ParamsOf('rejectAdjustment') params: ParamsOf<'rejectAdjustment'>,
    @BodyOf('rejectAdjustment') body: BodyOf<'rejectAdjustment'>,
    @CommandParam() request: CommandRequest,
  ): Promise<AnswerOf<'rejectAdjustment'>> {
    const { requestId, userId } = params;
    const context = request.contextFor(accountStream(userId), body);
    const { position } = await request.answered(this.bus.execute(new RejectAdjustment(context, params)));
    return { requestId, status: 'rejected', position, message: 'Transaction rejected successfully!' };
  }
}
