import {
  contentInForce,
  NO_DOLLAR_RATE,
  type Contact,
  type Content,
  type DepositAddresses,
  type DollarRate,
  type PricesView,
} from '#contracts';
import { depositFieldOf, perPaymentCurrency, type ContentSections } from '#ledger';
import type { ReadStore } from '#read-store';
import { canBeOf, type Networks } from '../wallet/networks.js';
import type { SettingsInForce } from './in-force.js';
import { readPriceChanges } from './price-changes.js';
import { pricesAsText, rateAsText } from './texts.js';
import { Query } from '../message.js';

/** Where the platform is reached. */
export class GetContact extends Query<Contact> {}

export class GetContactHandler {
  constructor(private readonly settings: SettingsInForce) {}

  async execute(): Promise<Contact> {
    const { deposit } = await this.settings.current();
    const { phoneNumber = null, email = null, contactAddress = null } = deposit;
    return { phoneNumber, email, contactAddress };
  }
}

/** The texts of the public site: what the operator wrote, and the defaults of the rest. */
export class GetContent extends Query<Content> {}

export class GetContentHandler {
  /** Made once for each state of the settings: every page of the site asks for them. */
  private texts: { readonly stored: ContentSections; readonly content: Content } | undefined;

  constructor(private readonly settings: SettingsInForce) {}

  async execute(): Promise<Content> {
    const { content: stored } = await this.settings.current();
    if (this.texts?.stored !== stored) this.texts = { stored, content: contentInForce(stored) };
    return this.texts.content;
  }
}

/** Where deposits go. */
export class GetDepositAddresses extends Query<DepositAddresses> {}

export class GetDepositAddressesHandler {
  constructor(
    private readonly settings: SettingsInForce,
    private readonly networks: Networks,
  ) {}

  async execute(): Promise<DepositAddresses> {
    const { deposit } = await this.settings.current();
    const addresses = perPaymentCurrency((currency) => deposit[depositFieldOf[currency]] ?? null);
    const networks = perPaymentCurrency((currency) => {
      const [address, network] = [addresses[currency], this.networks[currency]];
      // An address may be of another network than withdrawals go over: then nobody is told to send over that one.
      return address === null || canBeOf(network, address) ? network : 'none';
    });
    return { addresses, networks };
  }
}

/** The prices in force, and when each was set. */
export class GetPrices extends Query<PricesView> {}

export class GetPricesHandler {
  constructor(
    private readonly settings: SettingsInForce,
    private readonly readStore: Pick<ReadStore, 'getMany'>,
  ) {}

  async execute(): Promise<PricesView> {
    const prices = pricesAsText((await this.settings.current()).prices);
    // What the prices are is known without the read models.
    const changeOf = await readPriceChanges(this.readStore, Object.keys(prices)).catch(() => undefined);
    const setAt = perPaymentCurrency((currency) => {
      const change = changeOf?.(currency, prices[currency]);
      // A document that is behind tells of another price.
      return change?.price === prices[currency] ? (change.setAt ?? null) : null;
    });
    return { prices, setAt };
  }
}

/** The dollar rate, and what to show where there is none. */
export class GetDollarRate extends Query<DollarRate> {}

export class GetDollarRateHandler {
  constructor(private readonly settings: SettingsInForce) {}

  async execute(): Promise<DollarRate> {
    const rate = rateAsText(await this.settings.current());
    return { rate, message: rate === null ? NO_DOLLAR_RATE : null };
  }
}
