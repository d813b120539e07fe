import { Controller, Inject } from '@nestjs/common';
import { contentInForce, NO_DOLLAR_RATE, type Content } from '#contracts';
import {
  depositFieldOf,
  parseDecimal,
  paymentCurrencies,
  perPaymentCurrency,
  PRICE_SCALE,
  RATE_SCALE,
  settingsStream,
  type ContentSections,
  type SettingsCommand,
} from '#ledger';
import { Commands } from '../commands/carry-out.js';
import { LEDGER, type Ledger } from '../commands/ledger.js';
import { ENGINES, type Engines } from '../engines.js';
import { TheCommand, type CommandRequest } from '../http/command.js';
import { BodyOf, QueryOf, Route, type AnswerOf } from '../http/route.js';
import { readCounters } from './counters.js';
import { settingsHistory } from './history.js';
import { rateAsText, settingsInForce } from './in-force.js';
import { settingsView } from './view.js';

/** What admins set for the whole platform, and what of it others see. */
@Controller()
export class SettingsController {
  /** The site's texts, made once for each state of the settings: every page of the site asks for them. */
  private texts: { readonly stored: ContentSections; readonly content: Content } | undefined;

  constructor(
    private readonly commands: Commands,
    @Inject(ENGINES) private readonly engines: Engines,
    @Inject(LEDGER) private readonly ledger: Ledger,
  ) {}

  @Route('contact')
  async contact(): Promise<AnswerOf<'contact'>> {
    const { deposit } = await settingsInForce(this.ledger);
    const { phoneNumber = null, email = null, contactAddress = null } = deposit;
    return { phoneNumber, email, contactAddress };
  }

  @Route('content')
  async content(): Promise<AnswerOf<'content'>> {
    const { content: stored } = await settingsInForce(this.ledger);
    if (this.texts?.stored !== stored) this.texts = { stored, content: contentInForce(stored) };
    return this.texts.content;
  }

  @Route('counters')
  async counters(): Promise<AnswerOf<'counters'>> {
    const { company } = await this.content();
    return readCounters(this.engines, company.since);
  }

  @Route('depositAddresses')
  async depositAddresses(): Promise<AnswerOf<'depositAddresses'>> {
    const { deposit } = await settingsInForce(this.ledger);
    return { addresses: perPaymentCurrency((currency) => deposit[depositFieldOf[currency]] ?? null) };
  }

  @Route('settings')
  settings(): Promise<AnswerOf<'settings'>> {
    return settingsView(this.ledger, this.engines.readStore);
  }

  @Route('settingsHistory')
  history(
    @QueryOf('settingsHistory') query: QueryOf<'settingsHistory'>,
  ): Promise<AnswerOf<'settingsHistory'>> {
    return settingsHistory(this.ledger, this.engines, query);
  }

  @Route('dollarRate')
  async dollarRate(): Promise<AnswerOf<'dollarRate'>> {
    const rate = rateAsText(await settingsInForce(this.ledger));
    return { rate, message: rate === null ? NO_DOLLAR_RATE : null };
  }

  @Route('changeDepositDetails')
  changeDepositDetails(
    @BodyOf('changeDepositDetails') body: BodyOf<'changeDepositDetails'>,
    @TheCommand() request: CommandRequest,
  ): Promise<AnswerOf<'changeDepositDetails'>> {
    const { reason: _, ...given } = body;
    const details = Object.fromEntries(
      Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
    const command = { type: 'ChangeDepositDetails', details } as const;
    return this.carryOut(request, command, body, 'Data submitted successfully!');
  }

  @Route('setDollarRate')
  setDollarRate(
    @BodyOf('setDollarRate') body: BodyOf<'setDollarRate'>,
    @TheCommand() request: CommandRequest,
  ): Promise<AnswerOf<'setDollarRate'>> {
    const rate = body.rate === '' ? undefined : parseDecimal(body.rate, RATE_SCALE);
    const message =
      rate === undefined ? 'The dollar rate stays as it is.' : 'Dollar rate updated successfully.';
    return this.carryOut(request, { type: 'SetDollarRate', rate }, body, message);
  }

  @Route('setPrices')
  setPrices(
    @BodyOf('setPrices') body: BodyOf<'setPrices'>,
    @TheCommand() request: CommandRequest,
  ): Promise<AnswerOf<'setPrices'>> {
    const prices = Object.fromEntries(
      paymentCurrencies.flatMap((currency) => {
        const price = body.prices[currency];
        return price === undefined ? [] : [[currency, parseDecimal(price, PRICE_SCALE)] as const];
      }),
    );
    return this.carryOut(request, { type: 'SetPrices', prices }, body, 'Prices updated successfully.');
  }

  @Route('setBonusPolicy')
  setBonusPolicy(
    @BodyOf('setBonusPolicy') body: BodyOf<'setBonusPolicy'>,
    @TheCommand() request: CommandRequest,
  ): Promise<AnswerOf<'setBonusPolicy'>> {
    const command = { type: 'SetBonusPolicy', policy: body.policy } as const;
    return this.carryOut(request, command, body, 'Bonus policy updated successfully.');
  }

  @Route('changeContent')
  changeContent(
    @BodyOf('changeContent') body: BodyOf<'changeContent'>,
    @TheCommand() request: CommandRequest,
  ): Promise<AnswerOf<'changeContent'>> {
    const content = Object.fromEntries(
      Object.entries(body.content).filter((entry) => entry[1] !== undefined),
    ) as ContentSections;
    return this.carryOut(request, { type: 'ChangeContent', content }, body, 'Content updated successfully.');
  }

  private async carryOut(
    request: CommandRequest,
    command: SettingsCommand,
    body: object & { readonly reason?: string | undefined },
    message: string,
  ): Promise<AnswerOf<'setPrices'>> {
    const { position } = await this.commands.carryOut(request, 'settings', settingsStream, command, body);
    return { position, message };
  }
}
