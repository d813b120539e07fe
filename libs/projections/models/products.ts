import { invariant } from '#kernel';
import { formatMoney, productStream, type ProductEvent, type ProductFields } from '#ledger';
import type { Document } from '#read-store';
import { readModel, type Handler, type OpenedEvent } from '../read-model.js';
import { searchKey } from './accounts.js';
import type { EventsOf } from './streams.js';

/** One product that is not deleted. `id` is the product's id. */
export type ProductDocument = Document &
  Omit<ProductFields, 'amount'> & {
    /** US dollars. */
    readonly amount: string;
    readonly isOutOfStock: boolean;
    readonly createdAt: string;
    /** `isActive` as a text, by which lists are made. */
    readonly shown: 'yes' | 'no';
    /** The name by which it is found, whatever case it is typed in. */
    readonly nameKey: string;
  };

const STREAM_PREFIX = productStream('');

function created(
  { at, data, position }: OpenedEvent<Extract<ProductEvent, { type: 'ProductCreated' }>>,
  id: string,
): ProductDocument {
  return withFields(
    {
      amount: formatMoney(data.amount, 'USD'),
      createdAt: at,
      description: data.description,
      id,
      image: data.image,
      isActive: data.isActive,
      isOutOfStock: data.isOutOfStock,
      nameKey: '',
      ownerImage: data.ownerImage,
      ownerName: data.ownerName,
      position,
      productName: data.productName,
      recommendedImages: data.recommendedImages,
      shown: 'no',
      subtitle: data.subtitle,
      title: data.title,
    },
    {},
  );
}

/** The document with fields changed, and what lists are made by following them. */
function withFields(
  product: ProductDocument,
  { amount, ...fields }: Partial<ProductFields>,
): ProductDocument {
  const price = amount === undefined ? {} : { amount: formatMoney(amount, 'USD') };
  const changed = { ...product, ...price, ...fields };
  return { ...changed, nameKey: searchKey(changed.productName), shown: changed.isActive ? 'yes' : 'no' };
}

/** The product in whose stream an event is. */
function productIdOf({ stream }: { readonly stream: string }): string {
  invariant(stream.startsWith(STREAM_PREFIX), 'the events of a product are in its stream');
  return stream.slice(STREAM_PREFIX.length);
}

/** The handler of an event of a product that is there. */
function changes<Event extends EventsOf<'product'>>(
  change: (product: ProductDocument, event: OpenedEvent<Event>) => ProductDocument | undefined,
): Handler<Event, ProductDocument> {
  return (event) => [
    {
      id: productIdOf(event),
      change: (product) => {
        invariant(product !== undefined, 'ProductCreated begins the stream of a product');
        return change(product, event);
      },
    },
  ];
}

const order = ['createdAt'];

/** One document a product, until it is deleted. */
export const products = readModel<EventsOf<'product'>, ProductDocument>({
  name: 'products',
  version: 1,
  indexes: [
    { name: 'created', equals: [], order },
    { name: 'shown', equals: ['shown'], order },
    { name: 'name', equals: ['shown', 'nameKey'], order },
  ],
  on: {
    ProductCreated: (event) => {
      const id = productIdOf(event);
      return [
        {
          id,
          change: (product) => {
            invariant(product === undefined, 'a product is created once');
            return created(event, id);
          },
        },
      ];
    },
    ProductChanged: changes((product, { data, position }) => withFields({ ...product, position }, data)),
    ProductStockChanged: changes((product, { data, position }) => ({
      ...product,
      isOutOfStock: data.isOutOfStock,
      position,
    })),
    ProductDeleted: changes(() => undefined),
  },
  ownerOf: () => null,
  streamOf: productStream,
});
