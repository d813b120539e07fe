import { Controller, Inject } from '@nestjs/common';
import {
  AskForChange,
  Bus,
  ChangeSettings,
  DraftContent,
  GetContact,
  GetContent,
  GetContentVersion,
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
  paymentCurrencies,
  settingsStream,
  type ContentSections,
  type PaymentCurrency,
  type PlatformChange,
} from '#ledger';
import { CommandParam, type CommandRequest } from '../http/command-context.js';
import { secondOf } from '../http/second.js';
import { BodyOf, ParamsOf, QueryOf, Route, type AnswerOf } from '../http/route.js';
import { noSiteAssets, siteAssetsIn } from '../pages/assets.js';
import { draftOf, type SitePlace } from '../pages/site.js';
import { SETTINGS, type ApiSettings } from '../settings.js';

/** What admins set for the whole platform, and what of it others see. */
@Controller()
export class SettingsController {
  private readonly site: SitePlace;

  constructor(
    private readonly bus: Bus,
    @Inject(SETTINGS) { publicUrl, linkWay, webFolder }: ApiSettings,
  ) {
    const built = webFolder === undefined ? undefined : siteAssetsIn(webFolder);
    this.site = { publicUrl, linkWay, assets: built ?? noSiteAssets };
  }

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

  @Route('contentVersion')
  contentVersion(
    @ParamsOf('contentVersion') { revision }: ParamsOf<'contentVersion'>,
  ): Promise<AnswerOf<'contentVersion'>> {
    return this.bus.query(new GetContentVersion(revision));
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
    // What is blank stays as it is, and is not asked for.
    const values = Object.fromEntries(
      Object.entries(given).flatMap(([field, value]): [string, string | null][] => {
        const text = value?.trim();
        return value === null ? [[field, null]] : text === undefined || text === '' ? [] : [[field, text]];
      }),
    );
    return this.ask(request, { part: 'deposit-details', values }, body, 'Data submitted successfully!');
  }

  @Route('setDollarRate')
  setDollarRate(
    @BodyOf('setDollarRate') body: BodyOf<'setDollarRate'>,
    @CommandParam() request: CommandRequest,
  ): Promise<AnswerOf<'setDollarRate'>> {
    const { rate } = body;
    const message = rate === '' ? 'The dollar rate stays as it is.' : 'Dollar rate updated successfully.';
    return this.ask(request, { part: 'dollar-rate', values: { rate } }, body, message);
  }

  @Route('setPrices')
  setPrices(
    @BodyOf('setPrices') body: BodyOf<'setPrices'>,
    @CommandParam() request: CommandRequest,
  ): Promise<AnswerOf<'setPrices'>> {
    const { prices } = body;
    return this.ask(request, { part: 'prices', values: { prices } }, body, 'Prices updated successfully.');
  }

  @Route('setBonusPolicy')
  setBonusPolicy(
    @BodyOf('setBonusPolicy') body: BodyOf<'setBonusPolicy'>,
    @CommandParam() request: CommandRequest,
  ): Promise<AnswerOf<'setBonusPolicy'>> {
    const { policy } = body;
    const message = 'Bonus policy updated successfully.';
    return this.ask(request, { part: 'bonus-policy', values: { policy } }, body, message);
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

  @Route('setApprovalLimits')
  setApprovalLimits(
    @BodyOf('setApprovalLimits') body: BodyOf<'setApprovalLimits'>,
    @CommandParam() request: CommandRequest,
  ): Promise<AnswerOf<'setApprovalLimits'>> {
    const { tiers, expireHours } = body;
    const values = {
      ...(tiers === undefined ? {} : { tiers: withoutMissing(tiers) }),
      ...(expireHours === undefined ? {} : { expireHours }),
    };
    const message = 'Approval limits updated successfully.';
    return this.ask(request, { part: 'approval-limits', values }, body, message);
  }

  @Route('changeContent')
  async changeContent(
    @BodyOf('changeContent') body: BodyOf<'changeContent'>,
    @CommandParam() request: CommandRequest,
  ): Promise<AnswerOf<'changeContent'>> {
    const context = request.contextFor(settingsStream, body);
    const command = new ChangeSettings(context, { type: 'ChangeContent', content: sectionsOf(body) });
    const { position } = await request.answered(this.bus.execute(command));
    return { position, message: 'Content updated successfully.' };
  }

  @Route('previewContent')
  async previewContent(
    @BodyOf('previewContent') body: BodyOf<'previewContent'>,
  ): Promise<AnswerOf<'previewContent'>> {
    const { page } = body;
    const content = await this.bus.query(new DraftContent(sectionsOf(body)));
    return { page, html: (await draftOf(this.bus, this.site, { page, content })) ?? null };
  }

  /** Changes it, or has it wait for a second admin. */
  private async ask(
    request: CommandRequest,
    change: PlatformChange,
    body: object & { readonly reason?: string | undefined },
    message: string,
  ): Promise<AnswerOf<'setPrices'>> {
    const command = new AskForChange(request.contextFor(settingsStream, body), change);
    return secondOf(await request.answered(this.bus.execute(command)), message);
  }
}

/** The sections that were sent. */
function sectionsOf({ content }: Pick<BodyOf<'changeContent'>, 'content'>): ContentSections {
  return Object.fromEntries(
    Object.entries(content).filter((entry) => entry[1] !== undefined),
  ) as ContentSections;
}

/** Without the members that are there and undefined: events hold none. */
function withoutMissing<Value>(
  given: Readonly<Partial<Record<PaymentCurrency, Value | undefined>>>,
): Readonly<Partial<Record<PaymentCurrency, Value>>> {
  const found: Partial<Record<PaymentCurrency, Value>> = {};
  for (const currency of paymentCurrencies) {
    const value = given[currency];
    if (value !== undefined) found[currency] = value;
  }
  return found;
}
