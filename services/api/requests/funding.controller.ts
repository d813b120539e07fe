import { Controller, Inject, type StreamableFile } from '@nestjs/common';
import type { Session } from '#identity';
import { LodeError, randomAlphanumeric } from '#kernel';
import { FUNDING_AMOUNT, parseMoney, paymentCurrencies, type Evidence } from '#ledger';
import { Commands, madeOrRefused } from '../commands/carry-out.js';
import { LEDGER, type Ledger } from '../commands/ledger.js';
import { ENGINES, type Engines } from '../engines.js';
import { ownFileFor } from '../files/named.js';
import { TheCommand, type CommandRequest } from '../http/command.js';
import { Lists, Wanted, type WantedList } from '../http/lists.js';
import { BodyOf, Caller, ParamsOf, QueryOf, Route, type AnswerOf } from '../http/route.js';
import { pricesInForce } from '../settings/in-force.js';
import { confirmed, rejected, REQUEST_ID_LENGTH } from './decision.js';
import { fundRequestColumns, fundRequestOf, listFundRequests } from './list.js';

/** Fund requests: asked for by customers, decided by admins; and what an admin books by hand. */
@Controller()
export class FundingController {
  constructor(
    private readonly commands: Commands,
    @Inject(ENGINES) private readonly engines: Engines,
    private readonly lists: Lists,
    @Inject(LEDGER) private readonly ledger: Ledger,
  ) {}

  @Route('requestFunding')
  async request(
    @BodyOf('requestFunding') body: BodyOf<'requestFunding'>,
    @Caller() { userId }: Session,
    @TheCommand() request: CommandRequest,
  ): Promise<AnswerOf<'requestFunding'>> {
    const amount = parseMoney(body.amount, 'USD', FUNDING_AMOUNT);
    const command = await madeOrRefused(async () => ({
      type: 'RequestFunding' as const,
      requestId: randomAlphanumeric(this.engines.random, REQUEST_ID_LENGTH),
      amount,
      currency: body.currency,
      evidence: await this.evidenceOf(body.evidenceId, userId),
    }));
    const done = await this.commands.onAccount(request, userId, command, body);
    const [event] = done.events;
    if (event?.type !== 'FundingRequested') throw new Error('a new request gives its event');
    return {
      requestId: event.data.requestId,
      status: 'Pending',
      position: done.position,
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

  @Route('confirmFunding')
  async confirm(
    @ParamsOf('confirmFunding') { userId, requestId }: ParamsOf<'confirmFunding'>,
    @BodyOf('confirmFunding') body: BodyOf<'confirmFunding'>,
    @TheCommand() request: CommandRequest,
  ): Promise<AnswerOf<'confirmFunding'>> {
    const prices = await pricesInForce(this.ledger);
    const command = { type: 'ConfirmFunding', requestId, prices } as const;
    const { position } = await this.commands.onAccount(request, userId, command, body);
    return confirmed(requestId, position);
  }

  @Route('rejectFunding')
  async reject(
    @ParamsOf('rejectFunding') { userId, requestId }: ParamsOf<'rejectFunding'>,
    @BodyOf('rejectFunding') body: BodyOf<'rejectFunding'>,
    @TheCommand() request: CommandRequest,
  ): Promise<AnswerOf<'rejectFunding'>> {
    const { position } = await this.commands.onAccount(
      request,
      userId,
      { type: 'RejectFunding', requestId },
      body,
    );
    return rejected(requestId, position);
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
    const prices = await pricesInForce(this.ledger);
    const command = { type: 'AdjustWallet', entries, prices } as const;
    const { position } = await this.commands.onAccount(request, userId, command, body);
    return { position, message: 'Wallet updated successfully.' };
  }

  private async evidenceOf(fileId: string, userId: string): Promise<Evidence> {
    const evidence = await ownFileFor(this.engines, fileId, userId, 'evidence');
    if (evidence === undefined)
      throw new LodeError('evidence_missing', 'Please enter a valid upload payment evidence.');
    return evidence;
  }
}
