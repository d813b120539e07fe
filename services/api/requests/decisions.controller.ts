import { Controller } from '@nestjs/common';
import { Bus, ConfirmRequest, RejectRequest, type DecidedRequest } from '#application';
import type { DecisionAnswer } from '#contracts';
import { accountStream } from '#ledger';
import { TheCommand, type CommandRequest } from '../http/command-context.js';
import { BodyOf, ParamsOf, Route } from '../http/route.js';

type Kind = DecidedRequest['kind'];
/** Whose request it is, and which. */
type Named = Pick<DecidedRequest, 'userId' | 'requestId'>;
type Body = { readonly reason?: string | undefined };

/** What admins decide of the requests of customers, of all kinds. */
@Controller()
export class DecisionsController {
  constructor(private readonly bus: Bus) {}

  @Route('confirmFunding')
  confirmFunding(
    @ParamsOf('confirmFunding') params: ParamsOf<'confirmFunding'>,
    @BodyOf('confirmFunding') body: BodyOf<'confirmFunding'>,
    @TheCommand() request: CommandRequest,
  ): Promise<DecisionAnswer> {
    return this.confirm('funding', params, body, request);
  }

  @Route('rejectFunding')
  rejectFunding(
    @ParamsOf('rejectFunding') params: ParamsOf<'rejectFunding'>,
    @BodyOf('rejectFunding') body: BodyOf<'rejectFunding'>,
    @TheCommand() request: CommandRequest,
  ): Promise<DecisionAnswer> {
    return this.reject('funding', params, body, request);
  }

  @Route('confirmWithdrawal')
  confirmWithdrawal(
    @ParamsOf('confirmWithdrawal') params: ParamsOf<'confirmWithdrawal'>,
    @BodyOf('confirmWithdrawal') body: BodyOf<'confirmWithdrawal'>,
    @TheCommand() request: CommandRequest,
  ): Promise<DecisionAnswer> {
    return this.confirm('withdrawal', params, body, request);
  }

  @Route('rejectWithdrawal')
  rejectWithdrawal(
    @ParamsOf('rejectWithdrawal') params: ParamsOf<'rejectWithdrawal'>,
    @BodyOf('rejectWithdrawal') body: BodyOf<'rejectWithdrawal'>,
    @TheCommand() request: CommandRequest,
  ): Promise<DecisionAnswer> {
    return this.reject('withdrawal', params, body, request);
  }

  @Route('confirmTransfer')
  confirmTransfer(
    @ParamsOf('confirmTransfer') params: ParamsOf<'confirmTransfer'>,
    @BodyOf('confirmTransfer') body: BodyOf<'confirmTransfer'>,
    @TheCommand() request: CommandRequest,
  ): Promise<DecisionAnswer> {
    return this.confirm('transfer', params, body, request);
  }

  @Route('rejectTransfer')
  rejectTransfer(
    @ParamsOf('rejectTransfer') params: ParamsOf<'rejectTransfer'>,
    @BodyOf('rejectTransfer') body: BodyOf<'rejectTransfer'>,
    @TheCommand() request: CommandRequest,
  ): Promise<DecisionAnswer> {
    return this.reject('transfer', params, body, request);
  }

  private async confirm(
    kind: Kind,
    { userId, requestId }: Named,
    body: Body,
    request: CommandRequest,
  ): Promise<DecisionAnswer> {
    const context = request.contextFor(accountStream(userId), body);
    const command = new ConfirmRequest(context, { kind, userId, requestId });
    const { position } = await request.answered(this.bus.execute(command));
    return { requestId, status: 'confirmed', position, message: 'Transaction approved successfully!' };
  }

  private async reject(
    kind: Kind,
    { userId, requestId }: Named,
    body: Body,
    request: CommandRequest,
  ): Promise<DecisionAnswer> {
    const context = request.contextFor(accountStream(userId), body);
    const command = new RejectRequest(context, { kind, userId, requestId });
    const { position } = await request.answered(this.bus.execute(command));
    return { requestId, status: 'rejected', position, message: 'Transaction rejected successfully!' };
  }
}
