import { Controller, Inject, Req, type StreamableFile } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { InvalidInput, madeOrRefused, REQUEST_ID_LENGTH, settingsInForce } from '#application';
import { NO_USER_FOUND, type TransferBody } from '#contracts';
import type { Session } from '#identity';
import { LodeError, randomAlphanumeric } from '#kernel';
import { parseMoney } from '#ledger';
import { ENTRANCE, type Entrance } from '../access/entrance.js';
import { Commands } from '../commands/carry-out.js';
import { LEDGER, type Ledger } from '../commands/ledger.js';
import { ENGINES, type Engines } from '../engines.js';
import { clientOf } from '../http/client.js';
import { TheCommand, type CommandRequest } from '../http/command-context.js';
import { Lists, Wanted, type WantedList } from '../http/lists.js';
import { BodyOf, Caller, ParamsOf, QueryOf, Route, type AnswerOf } from '../http/route.js';
import { digestOf } from '../requests/digest.js';
import { createAccountNumbers, type AccountNumbers, type Holder } from './account-numbers.js';
import { listReceived, listTransfers, receivedColumns, transferColumns, transferOf } from './list.js';

/** Transfers: asked for by customers, to each other and to banks, and decided by admins. */
@Controller()
export class TransfersController {
  private readonly accountNumbers: AccountNumbers;

  constructor(
    private readonly commands: Commands,
    @Inject(ENGINES) private readonly engines: Engines,
    @Inject(LEDGER) private readonly ledger: Ledger,
    @Inject(ENTRANCE) private readonly entrance: Entrance,
    private readonly lists: Lists,
  ) {
    this.accountNumbers = createAccountNumbers(
      () => engines.readStore,
      () => engines.clock(),
    );
  }

  @Route('accountHolder')
  async holder(
    @ParamsOf('accountHolder') { accountNumber }: ParamsOf<'accountHolder'>,
    @Caller() { userId }: Session,
  ): Promise<AnswerOf<'accountHolder'>> {
    const holder = await this.accountNumbers.holderOf(accountNumber, userId);
    if (holder === undefined) throw new LodeError('account_number_unknown', NO_USER_FOUND);
    return { accountNumber, accountName: holder.accountName };
  }

  @Route('requestTransfer')
  async request(
    @BodyOf('requestTransfer') { pin, ...body }: BodyOf<'requestTransfer'>,
    @Caller() caller: Session,
    @TheCommand() request: CommandRequest,
    @Req() http: FastifyRequest,
  ): Promise<AnswerOf<'requestTransfer'>> {
    const { personKeys } = this.engines.identity;
    const { userId } = caller;
    const amount = parseMoney(body.amount, 'USD');
    await this.entrance.confirmPin(caller, pin, clientOf(http));
    const command = await madeOrRefused(async () => {
      const holder = await this.accountNumbers.holderOf(body.accountNumber, userId);
      const { prices, bonusPolicy } = await settingsInForce(this.ledger);
      return {
        type: 'RequestTransfer',
        requestId: randomAlphanumeric(this.engines.random, REQUEST_ID_LENGTH),
        transferType: body.transferType,
        receiver:
          holder === undefined ? null : { userId: holder.userId, accountNumber: holder.accountNumber },
        amount,
        currency: body.currency ?? bonusPolicy.currency,
        prices,
        details: await personKeys.encryptFor(userId, detailsOf(body, holder)),
      } as const;
    });
    const hashed = await digestOf(personKeys, userId, body);
    const done = await this.commands.onAccount(request, userId, command, hashed);
    const [event] = done.events;
    if (event?.type !== 'TransferRequested') throw new Error('a new transfer gives its event');
    return {
      requestId: event.data.requestId,
      status: 'Pending',
      position: done.position,
      message: 'Transfer submitted successfully!',
    };
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

/** What is kept, encrypted. A customer's name is not: it is the receiver's own, and goes when that person is erased. */
function detailsOf(body: Omit<TransferBody, 'pin'>, holder: Holder | undefined) {
  const { bankName, bankAddress, accountNumber, routingNumber, swiftBicIban, holderAddress, narration } =
    body;
  const accountName = holder === undefined ? body.accountName : '';
  if (holder === undefined && accountName === '')
    throw new InvalidInput([{ path: 'accountName', message: 'Incomplete information' }]);
  return {
    bankName,
    bankAddress,
    accountNumber,
    routingNumber,
    swiftBicIban,
    accountName,
    holderAddress,
    narration,
  };
}
