import { Controller, Inject, type StreamableFile } from '@nestjs/common';
import { AdjustWallet, Bus, RequestFunding } from '#application';
import type { Session } from '#identity';
import { accountStream, FUNDING_AMOUNT, parseMoney, paymentCurrencies } from '#ledger';
import { ENGINES, type Engines } from '../engines.js';
import { TheCommand, type CommandRequest } from '../http/command-context.js';
import { Lists, Wanted, type WantedList } from '../http/lists.js';
import { BodyOf, Caller, ParamsOf, QueryOf, Route, type AnswerOf } from '../http/route.js';
import { fundRequestColumns, fundRequestOf, listFundRequests } from './list.js';

/** Fund requests: asked for by customers; and what an admin books by hand. */
@Controller()
export class FundingController {
  constructor(
    private readonly bus: Bus,
    @Inject(ENGINES) private readonly engines: Engines,
    private readonly lists: Lists,
  ) {}

  @Route('requestFunding')
  async request(
    @BodyOf('requestFunding') body: BodyOf<'requestFunding'>,
    @Caller() { userId }: Session,
    @TheCommand() request: CommandRequest,
  ): Promise<AnswerOf<'requestFunding'>> {
    const amount = parseMoney(body.amount, 'USD', FUNDING_AMOUNT);
    const { currency, evidenceId } = body;
    const context = request.contextFor(accountStream(userId), body);
    const command = new RequestFunding(context, { userId, amount, currency, evidenceId });
    const { requestId, position } = await request.answered(this.bus.execute(command));
    return {
      requestId,
      status: 'Pending',
      position,
      message: 'Your request has been submitted successfully!',
    };
  }

  @Route('ownFundRequests')
  own(
    @ParamsOf('ownFundRequests') { userId }: ParamsOf<'ownFundRequests'>,
    @QueryOf('ownFundRequests') query: QueryOf<'ownFundRequests'>,
    @Wanted() wanted: WantedList,
  ): Promise<AnswerOf<'ownFundRequests'> | StreamableFile> {
    return this.lists.answer(wanted, query, fundRequestColumns, (page) =>
      listFundRequests(this.engines.readStore, { ...query, ...page, userId }),
    );
  }

  @Route('fundRequest')
  one(@ParamsOf('fundRequest') params: ParamsOf<'fundRequest'>): Promise<AnswerOf<'fundRequest'>> {
    return fundRequestOf(this.engines.readStore, params);
  }

  @Route('fundRequests')
  all(
    @QueryOf('fundRequests') query: QueryOf<'fundRequests'>,
    @Wanted() wanted: WantedList,
  ): Promise<AnswerOf<'fundRequests'> | StreamableFile> {
    return this.lists.answer(wanted, query, fundRequestColumns, (page) =>
      listFundRequests(this.engines.readStore, { ...query, ...page }),
    );
  }

  @Route('adjustWallet')
  async adjust(
    @ParamsOf('adjustWallet') { userId }: ParamsOf<'adjustWallet'>,
    @BodyOf('adjustWallet') body: BodyOf<'adjustWallet'>,
    @TheCommand() request: CommandRequest,
  ): Promise<AnswerOf<'adjustWallet'>> {
    const entries = paymentCurrencies.map((currency) => ({
      currency,
      amount: parseMoney(body.amounts[currency] ?? '0', 'USD'),
    }));
    const context = request.contextFor(accountStream(userId), body);
    const command = new AdjustWallet(context, { userId, entries });
    const { position } = await request.answered(this.bus.execute(command));
    return { position, message: 'Wallet updated successfully.' };
  }
}
