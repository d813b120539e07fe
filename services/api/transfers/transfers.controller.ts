import { Controller, type StreamableFile } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import {
  Bus,
  callerContext,
  GetAccountHolder,
  GetTransfer,
  ListReceivedTransfers,
  ListTransfers,
  RequestTransfer,
  type Session,
} from '#application';
import { accountStream, parseMoney } from '#ledger';
import { clientOf } from '../http/client.js';
import { CommandParam, type CommandRequest } from '../http/command-context.js';
import { Lists, ListParam, type ListRequest } from '../http/lists.js';
import { BodyOf, Caller, ParamsOf, QueryOf, Req, Route, type AnswerOf } from '../http/route.js';
import { receivedColumns, transferColumns } from './columns.js';

/** Transfers: asked for by customers, to each other and to banks. */
@Controller()
export class TransfersController {
  constructor(
    private readonly bus: Bus,
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
    @BodyOf('requestTransfer') { pin, proof, ...body }: BodyOf<'requestTransfer'>,
    @Caller() caller: Session,
    @CommandParam() request: CommandRequest,
    @Req() http: FastifyRequest,
  ): Promise<AnswerOf<'requestTransfer'>> {
    const amount = parseMoney(body.amount, 'USD');
    const context = request.personalContextFor(accountStream(caller.userId), body);
    const from = callerContext(caller, clientOf(http));
    const command = new RequestTransfer(context, from, { pin, ...proof }, amount, body);
    const { requestId, position } = await request.answered(this.bus.execute(command));
    return { requestId, status: 'Pending', position, message: 'Transfer submitted successfully!' };
  }

  @Route('ownTransfers')
  own(
    @ParamsOf('ownTransfers') { userId }: ParamsOf<'ownTransfers'>,
    @QueryOf('ownTransfers') query: QueryOf<'ownTransfers'>,
    @ListParam() list: ListRequest,
  ): Promise<AnswerOf<'ownTransfers'> | StreamableFile> {
    return this.lists.answer(list, query, transferColumns, (page) =>
      this.bus.query(new ListTransfers({ ...query, ...page, userId })),
    );
  }

  @Route('receivedTransfers')
  received(
    @ParamsOf('receivedTransfers') { userId }: ParamsOf<'receivedTransfers'>,
    @QueryOf('receivedTransfers') query: QueryOf<'receivedTransfers'>,
    @ListParam() list: ListRequest,
  ): Promise<AnswerOf<'receivedTransfers'> | StreamableFile> {
    return this.lists.answer(list, query, receivedColumns, (page) =>
      this.bus.query(new ListReceivedTransfers({ ...query, ...page, userId })),
    );
  }

  @Route('transfer')
  one(@ParamsOf('transfer') params: ParamsOf<'transfer'>): Promise<AnswerOf<'transfer'>> {
    return this.bus.query(new GetTransfer(params));
  }

  @Route('transfers')
  all(
    @QueryOf('transfers') query: QueryOf<'transfers'>,
    @ListParam() list: ListRequest,
  ): Promise<AnswerOf<'transfers'> | StreamableFile> {
    return this.lists.answer(list, query, transferColumns, (page) =>
      this.bus.query(new ListTransfers({ ...query, ...page })),
    );
  }
}
