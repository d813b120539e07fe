import { invariant, unreachable } from '#kernel';
import type { ProductEvent, ProductFields } from './events.js';

/** A product that is there. */
export type StoredProduct = {
  readonly kind: 'stored';
  readonly productId: string;
  readonly fields: ProductFields;
  readonly isOutOfStock: boolean;
};

export type Product =
  { readonly kind: 'none' } | StoredProduct | { readonly kind: 'deleted'; readonly productId: string };

/** A product nobody made. */
export const noProduct: Product = { kind: 'none' };

/** Folds one event into the product. */
export function evolve(state: Product, event: ProductEvent): Product {
  if (event.type === 'ProductCreated') {
    invariant(state.kind === 'none', 'a product is created once');
    const { productId, isOutOfStock, ...fields } = event.data;
    return { kind: 'stored', productId, fields, isOutOfStock };
  }
  invariant(state.kind === 'stored', 'a product changes after it was created and until it is deleted');
  switch (event.type) {
    case 'ProductChanged':
      return { ...state, fields: { ...state.fields, ...event.data } };
    case 'ProductStockChanged':
      return { ...state, isOutOfStock: event.data.isOutOfStock };
    case 'ProductDeleted':
      return { kind: 'deleted', productId: state.productId };
    default:
      return unreachable(event);
  }
}
