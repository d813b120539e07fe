import { Controller, type StreamableFile } from '@nestjs/common';
import {
  AdjustWallet,
  Bus,
  FindEvidenceUses,
  GetFundRequest,
  ListFundRequests,
  RequestFunding,
  type Session,
} from '#application';
import { accountStream, FUNDING_AMOUNT, parseMoney, paymentCurrencies } from '#ledger';
import { CommandParam, type CommandRequest } from '../http/command-context.js';
import { Lists, ListParam, type ListRequest } from '../http/lists.js';
import { noteShown } from '../http/notes.js';
import {
  BodyOf,
  Caller,
  ParamsOf,
  QueryOf,
  Req,
  Route,
  type AnswerOf,
  type LodeRequest,
} from '../http/route.js';
import { recorded } from '../http/second.js';
import { fundRequestColumns } from './columns.js';

/** Fund requests: asked for by customers; and what an admin books by hand. */
@Controller()
export class FundingController {
  constructor(
    private readonly bus: Bus,
    private readonly lists: Lists,
  ) {}

  @Route('requestFunding')
  async request(
    @BodyOf('requestFunding') body: BodyOf<'requestFunding'>,
    @Caller() { userId }: Session,
    @CommandParam() request: CommandRequest,
  ): Promise<AnswerOf<'requestFunding'>> {
    const amount = parseMoney(body.amount, 'USD', FUNDING_AMOUNT);
    const { currency, evidenceId, depositAddress } = body;
    const context = request.contextFor(accountStream(userId), body);
    const command = new RequestFunding(context, { userId, amount, currency, evidenceId, depositAddress });
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
    @ListParam() list: ListRequest,
  ): Promise<AnswerOf<'ownFundRequests'> | StreamableFile> {
    return this.lists.answer(list, query, fundRequestColumns, (page) =>
      this.bus.query(new ListFundRequests({ ...query, ...page, userId })),
    );
  }

  @Route('fundRequest')
  one(@ParamsOf('fundRequest') params: ParamsOf<'fundRequest'>): Promise<AnswerOf<'fundRequest'>> {
    return this.bus.query(new GetFundRequest(params));
  }

  @Route('evidenceUses')
  async evidenceUses(
    @ParamsOf('evidenceUses') params: ParamsOf<'evidenceUses'>,
    @Req() request: LodeRequest,
  ): Promise<AnswerOf<'evidenceUses'>> {
    const uses = await this.bus.query(new FindEvidenceUses(params));
    const others = uses.items.map(({ userId }) => userId).filter((id) => id !== params.userId);
    await noteShown(this.bus, request, others);
    return uses;
  }

  @Route('fundRequests')
  all(
    @QueryOf('fundRequests') query: QueryOf<'fundRequests'>,
    @ListParam() list: ListRequest,
  ): Promise<AnswerOf<'fundRequests'> | StreamableFile> {
    return this.lists.answer(list, query, fundRequestColumns, (page) =>
      this.bus.query(new ListFundRequests({ ...query, ...page })),
    );
  }

  @Route('adjustWallet')
  async adjust(
    @ParamsOf('adjustWallet') { userId }: ParamsOf<'adjustWallet'>,
    @BodyOf('adjustWallet') body: BodyOf<'adjustWallet'>,
    @CommandParam() request: CommandRequest,
  ): Promise<AnswerOf<'adjustWallet'>> {
    const entries = paymentCurrencies.map((currency) => ({
      currency,
      amount: parseMoney(body.amounts[currency] ?? '0', 'USD'),
    }));
    const context = request.contextFor(accountStream(userId), body);
    const command = new AdjustWallet(context, { userId, entries });
    const { approvals, position, requestId } = await request.answered(this.bus.execute(command));
    return approvals === null
      ? { position, message: 'Wallet updated successfully.' }
      : { position, message: recorded(approvals), waiting: { requestId, ...approvals } };
  }
}
