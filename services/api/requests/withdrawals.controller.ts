import { Controller, Inject } from '@nestjs/common';
import type { Session } from '#identity';
import { LodeError, randomAlphanumeric } from '#kernel';
import { accountStream, formatMoney, MINIMUM_REMAINING, parseMoney } from '#ledger';
import { Commands } from '../commands/carry-out.js';
import { LEDGER, type Ledger } from '../commands/ledger.js';
import { ENGINES, type Engines } from '../engines.js';
import { TheCommand, type CommandRequest } from '../http/command.js';
import { BodyOf, Caller, ParamsOf, QueryOf, Route, type AnswerOf } from '../http/route.js';
import { rateAsText, settingsInForce } from '../settings/in-force.js';
import { withdrawableOf } from '../wallet/account-view.js';
import { confirmed, rejected, REQUEST_ID_LENGTH } from './decision.js';
import { listWithdrawals, withdrawalOf } from './list.js';
import { digestOf } from './sealed.js';

/** Withdrawals: asked for by customers, decided by admins. */
@Controller()
export class WithdrawalsController {
  constructor(
    private readonly commands: Commands,
    @Inject(ENGINES) private readonly engines: Engines,
    @Inject(LEDGER) private readonly ledger: Ledger,
  ) {}

  @Route('withdrawable')
  async withdrawable(
    @ParamsOf('withdrawable') { userId }: ParamsOf<'withdrawable'>,
  ): Promise<AnswerOf<'withdrawable'>> {
    const { state, position } = await this.ledger.accounts.load(accountStream(userId));
    if (state.kind === 'none') throw new LodeError('account_not_found', 'User not found');
    const settings = await settingsInForce(this.ledger);
    return {
      withdrawable: withdrawableOf(state.available, settings.prices),
      minimumRemaining: formatMoney(MINIMUM_REMAINING, 'USD'),
      dollarRate: rateAsText(settings),
      position,
    };
  }

  @Route('requestWithdrawal')
  async request(
    @BodyOf('requestWithdrawal') body: BodyOf<'requestWithdrawal'>,
    @Caller() { userId }: Session,
    @TheCommand() request: CommandRequest,
  ): Promise<AnswerOf<'requestWithdrawal'>> {
    const { currency, walletAddress } = body;
    const amount = parseMoney(body.amount, 'USD');
    const keys = this.engines.identity.personKeys;
    const address = walletAddress === undefined ? null : await keys.encryptFor(userId, { walletAddress });
    const { prices, rate = null } = await settingsInForce(this.ledger);
    const requestId = randomAlphanumeric(this.engines.random, REQUEST_ID_LENGTH);
    const command = {
      type: 'RequestWithdrawal',
      requestId,
      amount,
      currency,
      prices,
      rate,
      address,
    } as const;
    const hashed = await digestOf(keys, userId, body);
    const done = await this.commands.onAccount(request, userId, command, hashed);
    const [event] = done.events;
    if (event?.type !== 'WithdrawalRequested') throw new Error('a new request gives its event');
    return {
      requestId: event.data.requestId,
      status: 'Pending',
      convertedAmount: event.data.convertedAmount,
      position: done.position,
      message: 'Your request has been submitted successfully!',
    };
  }

  @Route('ownWithdrawals')
  own(
    @ParamsOf('ownWithdrawals') { userId }: ParamsOf<'ownWithdrawals'>,
    @QueryOf('ownWithdrawals') query: QueryOf<'ownWithdrawals'>,
  ): Promise<AnswerOf<'ownWithdrawals'>> {
    return listWithdrawals(this.engines, { ...query, userId });
  }

  @Route('withdrawal')
  one(@ParamsOf('withdrawal') params: ParamsOf<'withdrawal'>): Promise<AnswerOf<'withdrawal'>> {
    return withdrawalOf(this.engines, params);
  }

  @Route('withdrawals')
  all(@QueryOf('withdrawals') query: QueryOf<'withdrawals'>): Promise<AnswerOf<'withdrawals'>> {
    return listWithdrawals(this.engines, query);
  }

  @Route('confirmWithdrawal')
  async confirm(
    @ParamsOf('confirmWithdrawal') { userId, requestId }: ParamsOf<'confirmWithdrawal'>,
    @BodyOf('confirmWithdrawal') body: BodyOf<'confirmWithdrawal'>,
    @TheCommand() request: CommandRequest,
  ): Promise<AnswerOf<'confirmWithdrawal'>> {
    const command = { type: 'ConfirmWithdrawal', requestId } as const;
    const { position } = await this.commands.onAccount(request, userId, command, body);
    return confirmed(requestId, position);
  }

  @Route('rejectWithdrawal')
  async reject(
    @ParamsOf('rejectWithdrawal') { userId, requestId }: ParamsOf<'rejectWithdrawal'>,
    @BodyOf('rejectWithdrawal') body: BodyOf<'rejectWithdrawal'>,
    @TheCommand() request: CommandRequest,
  ): Promise<AnswerOf<'rejectWithdrawal'>> {
    const command = { type: 'RejectWithdrawal', requestId } as const;
    const { position } = await this.commands.onAccount(request, userId, command, body);
    return rejected(requestId, position);
  }
}
