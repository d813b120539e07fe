import type { Decider } from '#kernel';
import { decide, type ProductCommand } from './decide.js';
import { productCodecs } from './codecs.js';
import type { ProductEvent } from './events.js';
import { evolve, noProduct, type Product } from './state.js';

/** What the operator offers: a text with pictures and a price in US dollars. No money moves in it. */
export const productDecider: Decider<ProductCommand, ProductEvent, Product> = {
  initial: noProduct,
  decide,
  evolve,
  codecs: productCodecs,
};

/** The stream of a product. */
export function productStream(productId: string): string {
  return `product-${productId}`;
}

export type { ProductCommand } from './decide.js';
export type { ProductEvent, ProductFields } from './events.js';
export type { Product, StoredProduct } from './state.js';
