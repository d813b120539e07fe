import { Controller, type StreamableFile } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import {
  Bus,
  callerContext,
  GetWithdrawable,
  GetWithdrawal,
  ListWithdrawals,
  RequestWithdrawal,
  type Session,
} from '#application';
import { accountStream, parseMoney } from '#ledger';
import { clientOf } from '../http/client.js';
import { CommandParam, type CommandRequest } from '../http/command-context.js';
import { Lists, ListParam, type ListRequest } from '../http/lists.js';
import { BodyOf, Caller, ParamsOf, QueryOf, Req, Route, type AnswerOf } from '../http/route.js';
import { withdrawalColumns } from './columns.js';

/** Withdrawals, asked for by customers. */
@Controller()
export class WithdrawalsController {
  constructor(
    private readonly bus: Bus,
    private readonly lists: Lists,
  ) {}

  @Route('withdrawable')
  withdrawable(
    @ParamsOf('withdrawable') { userId }: ParamsOf<'withdrawable'>,
  ): Promise<AnswerOf<'withdrawable'>> {
    return this.bus.query(new GetWithdrawable(userId));
  }

  @Route('requestWithdrawal')
  async request(
    @BodyOf('requestWithdrawal') { proof, ...body }: BodyOf<'requestWithdrawal'>,
    @Caller() caller: Session,
    @CommandParam() request: CommandRequest,
    @Req() http: FastifyRequest,
  ): Promise<AnswerOf<'requestWithdrawal'>> {
    const { currency, walletAddress } = body;
    const amount = parseMoney(body.amount, 'USD');
    const context = request.personalContextFor(accountStream(caller.userId), body);
    const from = callerContext(caller, clientOf(http));
    const command = new RequestWithdrawal(context, from, proof, { amount, currency, walletAddress });
    const asked = await request.answered(this.bus.execute(command));
    return {
      requestId: asked.requestId,
      status: 'Pending',
      convertedAmount: asked.convertedAmount,
      position: asked.position,
      message: 'Your request has been submitted successfully!',
    };
  }

  @Route('ownWithdrawals')
  own(
    @ParamsOf('ownWithdrawals') { userId }: ParamsOf<'ownWithdrawals'>,
    @QueryOf('ownWithdrawals') query: QueryOf<'ownWithdrawals'>,
    @ListParam() list: ListRequest,
  ): Promise<AnswerOf<'ownWithdrawals'> | StreamableFile> {
    return this.lists.answer(list, query, withdrawalColumns, (page) =>
      this.bus.query(new ListWithdrawals({ ...query, ...page, userId })),
    );
  }

  @Route('withdrawal')
  one(@ParamsOf('withdrawal') params: ParamsOf<'withdrawal'>): Promise<AnswerOf<'withdrawal'>> {
    return this.bus.query(new GetWithdrawal(params));
  }

  @Route('withdrawals')
  all(
    @QueryOf('withdrawals') query: QueryOf<'withdrawals'>,
    @ListParam() list: ListRequest,
  ): Promise<AnswerOf<'withdrawals'> | StreamableFile> {
    return this.lists.answer(list, query, withdrawalColumns, (page) =>
      this.bus.query(new ListWithdrawals({ ...query, ...page })),
    );
  }
}
