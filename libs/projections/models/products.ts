import { invariant, unreachable, type RecordedEvent } from '#kernel';
import { productStream, type ProductEvent, type ProductFields } from '#ledger';
import type { Document } from '#read-store';
import { defineReadModel, type Change } from '../read-model.js';
import { searchKey } from './accounts.js';

/** One product that is not deleted. `id` is the product's id. */
export type ProductDocument = Document &
  ProductFields & {
    readonly isOutOfStock: boolean;
    readonly createdAt: string;
    /** `isActive` as a text, by which lists are made. */
    readonly shown: 'yes' | 'no';
    /** The name by which it is found, whatever case it is typed in. */
    readonly nameKey: string;
  };

const STREAM_PREFIX = productStream('');

function created(
  { at, data, position }: Extract<RecordedEvent<ProductEvent>, { type: 'ProductCreated' }>,
  id: string,
): ProductDocument {
  return withFields(
    {
      amount: data.amount,
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
function withFields(product: ProductDocument, fields: Partial<ProductFields>): ProductDocument {
  const changed = { ...product, ...fields };
  return { ...changed, nameKey: searchKey(changed.productName), shown: changed.isActive ? 'yes' : 'no' };
}

function evolve(product: ProductDocument, event: RecordedEvent<ProductEvent>): ProductDocument | undefined {
  const { position } = event;
  switch (event.type) {
    case 'ProductCreated':
      throw new Error(`product ${product.id} is created twice`);
    case 'ProductChanged':
      return withFields({ ...product, position }, event.data);
    case 'ProductStockChanged':
      return { ...product, isOutOfStock: event.data.isOutOfStock, position };
    case 'ProductDeleted':
      return undefined;
    default:
      return unreachable(event);
  }
}

const order = ['createdAt'];

/** One document a product, until it is deleted. */
export const products = defineReadModel<ProductEvent, ProductDocument>({
  name: 'products',
  version: 1,
  indexes: [
    { name: 'created', equals: [], order },
    { name: 'shown', equals: ['shown'], order },
    { name: 'name', equals: ['shown', 'nameKey'], order },
  ],
  handles: ['ProductCreated', 'ProductChanged', 'ProductStockChanged', 'ProductDeleted'],
  on: (event): readonly Change<ProductDocument>[] => {
    invariant(event.stream.startsWith(STREAM_PREFIX), 'the events of a product are in its stream');
    const id = event.stream.slice(STREAM_PREFIX.length);
    return [
      {
        id,
        change: (product) => {
          if (product === undefined && event.type === 'ProductCreated') return created(event, id);
          invariant(product !== undefined, 'ProductCreated begins the stream of a product');
          return evolve(product, event);
        },
      },
    ];
  },
  ownerOf: () => null,
});
