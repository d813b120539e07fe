import { eventCodecs, plainCodec, reading, type EventCodec, type EventCodecs } from '#kernel';
import { formatMoney, parseMoney } from '../money.js';
import type { ProductEvent } from './events.js';

type Data<Type extends ProductEvent['type']> = Extract<ProductEvent, { readonly type: Type }>['data'];

/** As in the domain, but for the price, which is a decimal text. */
type Stored<Some extends { readonly amount?: unknown }> = Omit<Some, 'amount'> & { readonly amount: string };

const productCreated: EventCodec<Data<'ProductCreated'>> = {
  version: 1,
  read: {
    1: reading(({ amount, ...others }: Stored<Data<'ProductCreated'>>) => ({
      ...others,
      amount: parseMoney(amount, 'USD'),
    })),
  },
  write: ({ amount, ...others }) => ({ amount: formatMoney(amount, 'USD'), ...others }),
};

const productChanged: EventCodec<Data<'ProductChanged'>> = {
  version: 1,
  read: {
    1: reading(({ amount, ...others }: Partial<Stored<Data<'ProductChanged'>>>) =>
      amount === undefined ? others : { ...others, amount: parseMoney(amount, 'USD') },
    ),
  },
  write: ({ amount, ...others }) =>
    amount === undefined ? others : { amount: formatMoney(amount, 'USD'), ...others },
};

/** How the events of a product are stored. */
export const productCodecs: EventCodecs<ProductEvent> = eventCodecs<ProductEvent>({
  ProductCreated: productCreated,
  ProductChanged: productChanged,
  ProductStockChanged: plainCodec(),
  ProductDeleted: plainCodec(),
});
