import { Controller } from '@nestjs/common';
import {
  Bus,
  ChangeSettings,
  GetContact,
  GetContent,
  GetCounters,
  GetDepositAddresses,
  GetDollarRate,
  GetFigures,
  GetPrices,
  GetSettings,
  GetSettingsHistory,
  SetAdminAccess,
} from '#application';
import {
  parseDecimal,
  paymentCurrencies,
  PRICE_SCALE,
  RATE_SCALE,
  settingsStream,
  type ContentSections,
  type SettingsCommand,
} from '#ledger';
import { CommandParam, type CommandRequest } from '../http/command-context.js';
import { BodyOf, QueryOf, Route, type AnswerOf } from '../http/route.js';

/** What admins set for the whole platform, and what of it others see. */
@Controller()
export class SettingsController {
  constructor(private readonly bus: Bus) {}

  @Route('contact')
  contact(): Promise<AnswerOf<'contact'>> {
    return this.bus.query(new GetContact());
  }

  @Route('content')
  content(): Promise<AnswerOf<'content'>> {
    return this.bus.query(new GetContent());
  }

  @Route('counters')
  counters(): Promise<AnswerOf<'counters'>> {
    return this.bus.query(new GetCounters());
  }

  @Route('figures')
  figures(): Promise<AnswerOf<'figures'>> {
    return this.bus.query(new GetFigures());
  }

  @Route('depositAddresses')
  depositAddresses(): Promise<AnswerOf<'depositAddresses'>> {
    return this.bus.query(new GetDepositAddresses());
  }

  @Route('prices')
  prices(): Promise<AnswerOf<'prices'>> {
    return this.bus.query(new GetPrices());
  }

  @Route('settings')
  settings(): Promise<AnswerOf<'settings'>> {
    return this.bus.query(new GetSettings());
  }

  @Route('settingsHistory')
  history(
    @QueryOf('settingsHistory') query: QueryOf<'settingsHistory'>,
  ): Promise<AnswerOf<'settingsHistory'>> {
    return this.bus.query(new GetSettingsHistory(query));
  }

  @Route('dollarRate')
  dollarRate(): Promise<AnswerOf<'dollarRate'>> {
    return this.bus.query(new GetDollarRate());
  }

  @Route('changeDepositDetails')
  changeDepositDetails(
    @BodyOf('changeDepositDetails') body: BodyOf<'changeDepositDetails'>,
    @CommandParam() request: CommandRequest,
  ): Promise<AnswerOf<'changeDepositDetails'>> {
    const { reason: _, ...given } = body;
    const details = Object.fromEntries(
      Object.entries(given).filter((entry): entry is [string, string | null] => entry[1] !== undefined),
    );
    const change = { type: 'ChangeDepositDetails', details } as const;
    return this.change(request, change, body, 'Data submitted successfully!');
  }

  @Route('setDollarRate')
  setDollarRate(
    @BodyOf('setDollarRate') body: BodyOf<'setDollarRate'>,
    @CommandParam() request: CommandRequest,
  ): Promise<AnswerOf<'setDollarRate'>> {
    const rate = body.rate === '' ? undefined : parseDecimal(body.rate, RATE_SCALE);
    const message =
      rate === undefined ? 'The dollar rate stays as it is.' : 'Dollar rate updated successfully.';
    return this.change(request, { type: 'SetDollarRate', rate }, body, message);
  }

  @Route('setPrices')
  setPrices(
    @BodyOf('setPrices') body: BodyOf<'setPrices'>,
    @CommandParam() request: CommandRequest,
  ): Promise<AnswerOf<'setPrices'>> {
    const prices = Object.fromEntries(
      paymentCurrencies.flatMap((currency) => {
        const price = body.prices[currency];
        return price === undefined ? [] : [[currency, parseDecimal(price, PRICE_SCALE)] as const];
      }),
    );
    return this.change(request, { type: 'SetPrices', prices }, body, 'Prices updated successfully.');
  }

  @Route('setBonusPolicy')
  setBonusPolicy(
    @BodyOf('setBonusPolicy') body: BodyOf<'setBonusPolicy'>,
    @CommandParam() request: CommandRequest,
  ): Promise<AnswerOf<'setBonusPolicy'>> {
    const change = { type: 'SetBonusPolicy', policy: body.policy } as const;
    return this.change(request, change, body, 'Bonus policy updated successfully.');
  }

  @Route('setAdminAccess')
  async setAdminAccess(
    @BodyOf('setAdminAccess') body: BodyOf<'setAdminAccess'>,
    @CommandParam() request: CommandRequest,
  ): Promise<AnswerOf<'setAdminAccess'>> {
    const context = request.contextFor(settingsStream, body);
    const command = new SetAdminAccess(context, body.needsSecondFactor);
    const { position } = await request.answered(this.bus.execute(command));
    const message = body.needsSecondFactor
      ? 'Admins need a second factor from now on.'
      : 'Admins need no second factor any more.';
    return { position, message };
  }

  @Route('changeContent')
  changeContent(
    @BodyOf('changeContent') body: BodyOf<'changeContent'>,
    @CommandParam() request: CommandRequest,
  ): Promise<AnswerOf<'changeContent'>> {
    const content = Object.fromEntries(
      Object.entries(body.content).filter((entry) => entry[1] !== undefined),
    ) as ContentSections;
    return this.change(request, { type: 'ChangeContent', content }, body, 'Content updated successfully.');
  }

  private async change(
    request: CommandRequest,
    change: SettingsCommand,
    body: object & { readonly reason?: string | undefined },
    message: string,
  ): Promise<AnswerOf<'setPrices'>> {
    const context = request.contextFor(settingsStream, body);
    const { position } = await request.answered(this.bus.execute(new ChangeSettings(context, change)));
    return { position, message };
  }
}
