import { Controller, Inject } from '@nestjs/common';
import { mayBeNamed, type FileMetadata } from '#files';
import type { Session } from '#identity';
import { isLodeError, LodeError, randomAlphanumeric } from '#kernel';
import {
  accountStream,
  FUNDING_AMOUNT,
  parseMoney,
  paymentCurrencies,
  type AccountCommand,
  type Evidence,
} from '#ledger';
import { Commands } from '../commands/carry-out.js';
import { LEDGER, type Ledger } from '../commands/ledger.js';
import { ENGINES, type Engines } from '../engines.js';
import { TheCommand, type CommandRequest } from '../http/command.js';
import { BodyOf, Caller, ParamsOf, QueryOf, Route, type AnswerOf } from '../http/route.js';
import { pricesInForce } from '../settings/in-force.js';
import { listFundRequests } from './list.js';

/** Letters and digits of a request's id (specification, section 3). */
const REQUEST_ID_LENGTH = 34;

/** Fund requests: asked for by customers, decided by admins; and what an admin books by hand. */
@Controller()
export class FundingController {
  constructor(
    private readonly commands: Commands,
    @Inject(ENGINES) private readonly engines: Engines,
    @Inject(LEDGER) private readonly ledger: Ledger,
  ) {}

  @Route('requestFunding')
  async request(
    @BodyOf('requestFunding') body: BodyOf<'requestFunding'>,
    @Caller() { userId }: Session,
    @TheCommand() request: CommandRequest,
  ): Promise<AnswerOf<'requestFunding'>> {
    const amount = parseMoney(body.amount, 'USD', FUNDING_AMOUNT);
    const evidence = await this.evidenceOf(body.evidenceId, userId);
    const requestId = randomAlphanumeric(this.engines.random, REQUEST_ID_LENGTH);
    const command = { type: 'RequestFunding', requestId, amount, currency: body.currency, evidence } as const;
    const done = await this.carryOut(request, userId, command, body);
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
  ): Promise<AnswerOf<'ownFundRequests'>> {
    return listFundRequests(this.engines.readStore, { ...query, userId });
  }

  @Route('fundRequests')
  all(@QueryOf('fundRequests') query: QueryOf<'fundRequests'>): Promise<AnswerOf<'fundRequests'>> {
    return listFundRequests(this.engines.readStore, query);
  }

  @Route('confirmFunding')
  async confirm(
    @ParamsOf('confirmFunding') { userId, requestId }: ParamsOf<'confirmFunding'>,
    @BodyOf('confirmFunding') body: BodyOf<'confirmFunding'>,
    @TheCommand() request: CommandRequest,
  ): Promise<AnswerOf<'confirmFunding'>> {
    const prices = await pricesInForce(this.ledger);
    const command = { type: 'ConfirmFunding', requestId, prices } as const;
    const { position } = await this.carryOut(request, userId, command, body);
    return { requestId, status: 'confirmed', position, message: 'Transaction approved successfully!' };
  }

  @Route('rejectFunding')
  async reject(
    @ParamsOf('rejectFunding') { userId, requestId }: ParamsOf<'rejectFunding'>,
    @BodyOf('rejectFunding') body: BodyOf<'rejectFunding'>,
    @TheCommand() request: CommandRequest,
  ): Promise<AnswerOf<'rejectFunding'>> {
    const { position } = await this.carryOut(request, userId, { type: 'RejectFunding', requestId }, body);
    return { requestId, status: 'rejected', position, message: 'Transaction rejected successfully!' };
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
    const { position } = await this.carryOut(request, userId, command, body);
    return { position, message: 'Wallet updated successfully.' };
  }

  private carryOut(
    request: CommandRequest,
    userId: string,
    command: AccountCommand,
    body: object & { readonly reason?: string | undefined },
  ) {
    return this.commands.carryOut(request, 'accounts', accountStream(userId), command, body);
  }

  /**
   * The evidence that the customer handed in lately; another person's file is no evidence, and one that waited too long may
   * be swept at any moment.
   */
  private async evidenceOf(fileId: string, userId: string): Promise<Evidence> {
    const refusal = () => new LodeError('evidence_missing', 'Please enter a valid upload payment evidence.');
    const file: FileMetadata = await this.engines.files.stat(fileId).catch((error: unknown) => {
      throw isLodeError(error) && error.code === 'file_not_found' ? refusal() : error;
    });
    const isEvidence = file.purpose === 'evidence' && mayBeNamed(file, this.engines.clock());
    if (file.ownerId !== userId || !isEvidence) throw refusal();
    const { mediaType, bytes, sha256 } = file;
    return { fileId, mediaType, bytes, sha256 };
  }
}
