import type { Decider } from '#kernel';
import { decide, type ProductCommand } from './decide.js';
import { productEventVersions, type ProductEvent } from './events.js';
import { evolve, noProduct, type Product } from './state.js';

/** What the operator offers: a text with pictures and a price in US dollars. No money moves in it. */
export const productDecider: Decider<ProductCommand, ProductEvent, Product> = {
  initial: noProduct,
  decide,
  evolve,
  versions: productEventVersions,
};

/** The stream of a product. */
export function productStream(productId: string): string {
  return `product-${productId}`;
}

export type { ProductCommand, ProductInput } from './decide.js';
export type { ProductEvent, ProductFields } from './events.js';
export type { Product, StoredProduct } from './state.js';
