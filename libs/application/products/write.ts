import type { CommandContext } from '#commands';
import { productStream, type ProductFields } from '#ledger';
import type { ProductDocument } from '#projections';
import type { ReadStoreReader } from '#read-store';
import type { Aggregates } from '../aggregates.js';
import { sentBy, type Receipt } from '../command.js';
import type { Files } from '../files/named.js';
import { commandOrRefusal } from '../command-or-refusal.js';
import { checkImages } from './images.js';

type Parts = Files & {
  readonly aggregates: Pick<Aggregates, 'products'>;
  readonly readStore: Pick<ReadStoreReader, 'get'>;
};

/** Offers a new product. Refuses with `validation_failed` images that were not uploaded for it. */
export class CreateProduct extends sentBy('admin')<Receipt> {
  constructor(
    override readonly context: CommandContext,
    readonly productId: string,
    readonly fields: Omit<ProductFields, 'isActive'>,
  ) {
    super();
  }
}

export class CreateProductHandler {
  constructor(private readonly parts: Parts) {}

  async execute({ context, productId, fields }: CreateProduct): Promise<Receipt> {
    const command = await commandOrRefusal(async () => {
      await checkImages(this.parts, fields, undefined);
      return { type: 'CreateProduct' as const, productId, fields };
    });
    return this.parts.aggregates.products.execute(productStream(productId), command, context);
  }
}

/** Changes what is given of a product. Refuses as `CreateProduct`, and with `product_not_found`. */
export class ChangeProduct extends sentBy('admin')<Receipt> {
  constructor(
    override readonly context: CommandContext,
    readonly productId: string,
    readonly fields: Partial<ProductFields>,
  ) {
    super();
  }
}

export class ChangeProductHandler {
  constructor(private readonly parts: Parts) {}

  async execute({ context, productId, fields }: ChangeProduct): Promise<Receipt> {
    const { aggregates, readStore } = this.parts;
    const command = await commandOrRefusal(async () => {
      await checkImages(this.parts, fields, await readStore.get<ProductDocument>('products', productId));
      return { type: 'ChangeProduct' as const, fields };
    });
    return aggregates.products.execute(productStream(productId), command, context);
  }
}

/** Says whether a product is in stock. Refuses with `product_not_found`. */
export class SetProductStock extends sentBy('admin')<Receipt> {
  constructor(
    override readonly context: CommandContext,
    readonly productId: string,
    readonly isOutOfStock: boolean,
  ) {
    super();
  }
}

export class SetProductStockHandler {
  constructor(private readonly parts: Pick<Parts, 'aggregates'>) {}

  execute({ context, productId, isOutOfStock }: SetProductStock): Promise<Receipt> {
    const command = { type: 'SetProductStock', isOutOfStock } as const;
    return this.parts.aggregates.products.execute(productStream(productId), command, context);
  }
}

/** Takes a product away. Refuses with `product_not_found`. */
export class DeleteProduct extends sentBy('admin')<Receipt> {
  constructor(
    override readonly context: CommandContext,
    readonly productId: string,
  ) {
    super();
  }
}

export class DeleteProductHandler {
  constructor(private readonly parts: Pick<Parts, 'aggregates'>) {}

  execute({ context, productId }: DeleteProduct): Promise<Receipt> {
    const stream = productStream(productId);
    return this.parts.aggregates.products.execute(stream, { type: 'DeleteProduct' }, context);
  }
}
