import type { Minor } from '../money.js';

/** What a product is; the admin's own words and pictures. */
export type ProductFields = {
  /** US dollars, in cents. */
  readonly amount: Minor;
  readonly ownerName: string;
  readonly productName: string;
  readonly description: string;
  readonly title: string;
  readonly subtitle: string;
  /** The id of the stored image. */
  readonly image: string;
  readonly ownerImage: string;
  readonly recommendedImages: readonly string[];
  /** Whether visitors see it. */
  readonly isActive: boolean;
};

/** The facts of one product's stream, `product-{id}`. The names are storage. */
export type ProductEvent =
  | {
      readonly type: 'ProductCreated';
      readonly data: ProductFields & { readonly productId: string; readonly isOutOfStock: boolean };
    }
  /** Only the fields that are other than before. */
  | { readonly type: 'ProductChanged'; readonly data: Partial<ProductFields> }
  | { readonly type: 'ProductStockChanged'; readonly data: { readonly isOutOfStock: boolean } }
  | { readonly type: 'ProductDeleted'; readonly data: Readonly<Record<string, never>> };
