import type { Json } from '#kernel';
import { formatDecimal, PRICE_SCALE } from '#ledger';
import type { Document } from '#read-store';
import { readModel, type Handler } from '../read-model.js';
import type { EventsOf } from './streams.js';

/** Who changed one part of the settings last, or one price that visitors see. The id says which. */
export type SettingsDocument = Document & {
  readonly at: string;
  /** The id of the actor. */
  readonly by: string;
  readonly reason?: string;
  /** Of a price that visitors see: what it was changed to, and empty where it was taken away. */
  readonly price?: string;
};

/** The id of the document about a price that visitors see. */
export const priceId = (currency: string) => `price-${currency}`;

/** The handler of the events that change a part, or a price to this one. */
function part(id: string, price?: string): Handler<EventsOf<'settings'>, SettingsDocument> {
  return ({ at, meta, position }) => {
    const reason = meta.reason === undefined ? {} : { reason: meta.reason };
    const to = price === undefined ? {} : { price };
    return [{ id, change: () => ({ at, by: meta.actor.id, id, position, ...to, ...reason }) }];
  };
}

const partOfPrices = part('prices');

/** Who set each of the prices last, as well as any of them. */
const prices: Handler<Extract<EventsOf<'settings'>, { type: 'PricesSet' }>, SettingsDocument> = (event) => [
  ...partOfPrices(event),
  ...Object.entries(event.data.prices).flatMap(([currency, price]) =>
    part(priceId(currency), formatDecimal(price, PRICE_SCALE))(event),
  ),
];

const partOfContent = part('content');

/** The site's texts. The price of LTC is one of them: who changed it last is not who changed any other text. */
const content: Handler<Extract<EventsOf<'settings'>, { type: 'ContentChanged' }>, SettingsDocument> = (
  event,
) => {
  const { widget } = event.data.content;
  if (widget === undefined) return partOfContent(event);
  const price = ltcPriceIn(widget);
  const { at, meta, position } = event;
  const id = priceId('LTC');
  return [
    ...partOfContent(event),
    {
      id,
      change: (before) =>
        before?.price === price && before !== undefined
          ? before
          : { at, by: meta.actor.id, id, position, price },
    },
  ];
};

/** Empty where there is none. */
function ltcPriceIn(widget: Json): string {
  const price = isRecord(widget) ? widget['ltcPrice'] : undefined;
  return typeof price === 'string' ? price : '';
}

function isRecord(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** One document a part that was ever changed; what it was changed to is in the ledger's own state. */
export const settings = readModel<EventsOf<'settings'>, SettingsDocument>({
  name: 'settings',
  version: 3,
  indexes: [],
  on: {
    DepositDetailsChanged: part('deposit-details'),
    DollarRateSet: part('dollar-rate'),
    PricesSet: prices,
    BonusPolicySet: part('bonus-policy'),
    ContentChanged: content,
    AdminAccessSet: part('admin-access'),
    ApprovalLimitsSet: part('approval-limits'),
  },
  ownerOf: () => null,
});
