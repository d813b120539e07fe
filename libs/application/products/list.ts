import { filePath, type ProductPage, type ProductView } from '#contracts';
import { LodeError } from '#kernel';
import { searchKey, type ProductDocument } from '#projections';
import { readPage, wholeInstants, type PageAsked } from '../paging.js';
import type { Ports } from '../ports.js';
import { Query } from '../message.js';

/** One page of products, newest first: those that visitors see, or all. */
export class ListProducts extends Query<ProductPage> {
  constructor(
    readonly shown: 'shown' | 'all',
    readonly asked: PageAsked,
  ) {
    super();
  }
}

export class ListProductsHandler {
  constructor(private readonly parts: Pick<Ports, 'readStore'>) {}

  async execute({ shown, asked }: ListProducts): Promise<ProductPage> {
    const { readStore } = this.parts;
    const filter =
      shown === 'all' ? { index: 'created', equals: {} } : { index: 'shown', equals: { shown: 'yes' } };
    const page = await readPage(
      { ...asked, ...wholeInstants(asked), ...filter },
      (query) => readStore.list<ProductDocument>('products', query),
      ['createdAt', 'id'],
    );
    return { ...page, items: page.items.map(viewOf) };
  }
}

/** A product that visitors see. Refuses with `product_not_found`. */
export class GetProduct extends Query<ProductView> {
  constructor(readonly productId: string) {
    super();
  }
}

export class GetProductHandler {
  constructor(private readonly parts: Pick<Ports, 'readStore'>) {}

  async execute({ productId }: GetProduct): Promise<ProductView> {
    const found = await this.parts.readStore.get<ProductDocument>('products', productId);
    if (found?.isActive !== true) throw notFound();
    return viewOf(found);
  }
}

/** The newest product of a name that visitors see. Refuses with `product_not_found`. */
export class GetProductByName extends Query<ProductView> {
  constructor(readonly name: string) {
    super();
  }
}

export class GetProductByNameHandler {
  constructor(private readonly parts: Pick<Ports, 'readStore'>) {}

  async execute({ name }: GetProductByName): Promise<ProductView> {
    const [found] = await this.parts.readStore.list<ProductDocument>('products', {
      index: 'name',
      equals: { shown: 'yes', nameKey: searchKey(name) },
      direction: 'descending',
      limit: 1,
    });
    if (found === undefined) throw notFound();
    return viewOf(found);
  }
}

function notFound(): LodeError {
  return new LodeError('product_not_found', 'This product does not exist.');
}

/** A product as pages show it: its images by their addresses. */
function viewOf(document: ProductDocument): ProductView {
  const { shown: _, nameKey: __, image, ownerImage, recommendedImages, ...rest } = document;
  return {
    ...rest,
    imageUrl: filePath.product(image),
    ownerImage: filePath.product(ownerImage),
    recommendedImages: recommendedImages.map(filePath.recommended),
    images: { image, ownerImage, recommendedImages: [...recommendedImages] },
  };
}
