import { Controller, Inject, type StreamableFile } from '@nestjs/common';
import { Bus, GetWithdrawable, RequestWithdrawal } from '#application';
import type { Session } from '#identity';
import { accountStream, parseMoney } from '#ledger';
import { ENGINES, type Engines } from '../engines.js';
import { TheCommand, type CommandRequest } from '../http/command-context.js';
import { Lists, Wanted, type WantedList } from '../http/lists.js';
import { BodyOf, Caller, ParamsOf, QueryOf, Route, type AnswerOf } from '../http/route.js';
import { listWithdrawals, withdrawalColumns, withdrawalOf } from './list.js';

/** Withdrawals, asked for by customers. */
@Controller()
export class WithdrawalsController {
  constructor(
    private readonly bus: Bus,
    @Inject(ENGINES) private readonly engines: Engines,
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
    @BodyOf('requestWithdrawal') body: BodyOf<'requestWithdrawal'>,
    @Caller() { userId }: Session,
    @TheCommand() request: CommandRequest,
  ): Promise<AnswerOf<'requestWithdrawal'>> {
    const { currency, walletAddress } = body;
    const amount = parseMoney(body.amount, 'USD');
    const context = request.personalContextFor(accountStream(userId), body);
    const command = new RequestWithdrawal(context, { userId, amount, currency, walletAddress });
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
    @Wanted() wanted: WantedList,
  ): Promise<AnswerOf<'ownWithdrawals'> | StreamableFile> {
    return this.lists.answer(wanted, query, withdrawalColumns, (page) =>
      listWithdrawals(this.engines, { ...query, ...page, userId }),
    );
  }

  @Route('withdrawal')
  one(@ParamsOf('withdrawal') params: ParamsOf<'withdrawal'>): Promise<AnswerOf<'withdrawal'>> {
    return withdrawalOf(this.engines, params);
  }

  @Route('withdrawals')
  all(
    @QueryOf('withdrawals') query: QueryOf<'withdrawals'>,
    @Wanted() wanted: WantedList,
  ): Promise<AnswerOf<'withdrawals'> | StreamableFile> {
    return this.lists.answer(wanted, query, withdrawalColumns, (page) =>
      listWithdrawals(this.engines, { ...query, ...page }),
    );
  }
}
