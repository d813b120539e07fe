import { Controller, Inject, Req, type StreamableFile } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Bus, callerContext, ConfirmTransferPin, GetAccountHolder, RequestTransfer } from '#application';
import type { Session } from '#identity';
import { accountStream, parseMoney } from '#ledger';
import { ENGINES, type Engines } from '../engines.js';
import { clientOf } from '../http/client.js';
import { TheCommand, type CommandRequest } from '../http/command-context.js';
import { Lists, Wanted, type WantedList } from '../http/lists.js';
import { BodyOf, Caller, ParamsOf, QueryOf, Route, type AnswerOf } from '../http/route.js';
import { listReceived, listTransfers, receivedColumns, transferColumns, transferOf } from './list.js';

/** Transfers: asked for by customers, to each other and to banks. */
@Controller()
export class TransfersController {
  constructor(
    private readonly bus: Bus,
    @Inject(ENGINES) private readonly engines: Engines,
    private readonly lists: Lists,
  ) {}

  @Route('accountHolder')
  holder(
    @ParamsOf('accountHolder') { accountNumber }: ParamsOf<'accountHolder'>,
    @Caller() { userId }: Session,
  ): Promise<AnswerOf<'accountHolder'>> {
    return this.bus.query(new GetAccountHolder(accountNumber, userId));
  }

  @Route('requestTransfer')
  async request(
    @BodyOf('requestTransfer') { pin, ...body }: BodyOf<'requestTransfer'>,
    @Caller() caller: Session,
    @TheCommand() request: CommandRequest,
    @Req() http: FastifyRequest,
  ): Promise<AnswerOf<'requestTransfer'>> {
    const { userId } = caller;
    const amount = parseMoney(body.amount, 'USD');
    await this.bus.execute(new ConfirmTransferPin(callerContext(caller, clientOf(http)), pin));
    const context = request.personalContextFor(accountStream(userId), body);
    const command = new RequestTransfer(context, userId, amount, body);
    const { requestId, position } = await request.answered(this.bus.execute(command));
    return { requestId, status: 'Pending', position, message: 'Transfer submitted successfully!' };
  }

  @Route('ownTransfers')
  own(
    @ParamsOf('ownTransfers') { userId }: ParamsOf<'ownTransfers'>,
    @QueryOf('ownTransfers') query: QueryOf<'ownTransfers'>,
    @Wanted() wanted: WantedList,
  ): Promise<AnswerOf<'ownTransfers'> | StreamableFile> {
    return this.lists.answer(wanted, query, transferColumns, (page) =>
      listTransfers(this.engines, { ...query, ...page, userId }),
    );
  }

  @Route('receivedTransfers')
  received(
    @ParamsOf('receivedTransfers') { userId }: ParamsOf<'receivedTransfers'>,
    @QueryOf('receivedTransfers') query: QueryOf<'receivedTransfers'>,
    @Wanted() wanted: WantedList,
  ): Promise<AnswerOf<'receivedTransfers'> | StreamableFile> {
    return this.lists.answer(wanted, query, receivedColumns, (page) =>
      listReceived(this.engines, { ...query, ...page, userId }),
    );
  }

  @Route('transfer')
  one(@ParamsOf('transfer') params: ParamsOf<'transfer'>): Promise<AnswerOf<'transfer'>> {
    return transferOf(this.engines, params);
  }

  @Route('transfers')
  all(
    @QueryOf('transfers') query: QueryOf<'transfers'>,
    @Wanted() wanted: WantedList,
  ): Promise<AnswerOf<'transfers'> | StreamableFile> {
    return this.lists.answer(wanted, query, transferColumns, (page) =>
      listTransfers(this.engines, { ...query, ...page }),
    );
  }
}
