import { filePath, type ProductPage, type ProductView } from '#contracts';
import { searchKey, type ProductDocument } from '#projections';
import type { ReadStoreReader } from '#read-store';
import type { Columns } from '../http/csv.js';
import { readPage, wholeInstants, type PageAsked } from '#application';

/** One page of products, newest first: those that visitors see, or all. */
export async function listProducts(
  store: ReadStoreReader,
  shown: 'shown' | 'all',
  asked: PageAsked,
): Promise<ProductPage> {
  const filter =
    shown === 'all' ? { index: 'created', equals: {} } : { index: 'shown', equals: { shown: 'yes' } };
  const page = await readPage(
    { ...asked, ...wholeInstants(asked), ...filter },
    (query) => store.list<ProductDocument>('products', query),
    ['createdAt', 'id'],
  );
  return { ...page, items: page.items.map(viewOf) };
}

/** A product as a line of a file. */
export const productColumns: Columns<ProductView> = [
  ['id', ({ id }) => id],
  ['createdAt', ({ createdAt }) => createdAt],
  ['productName', ({ productName }) => productName],
  ['amountUsd', ({ amount }) => amount],
  ['ownerName', ({ ownerName }) => ownerName],
  ['title', ({ title }) => title],
  ['subtitle', ({ subtitle }) => subtitle],
  ['description', ({ description }) => description],
  ['isActive', ({ isActive }) => isActive],
  ['isOutOfStock', ({ isOutOfStock }) => isOutOfStock],
  ['imageUrl', ({ imageUrl }) => imageUrl],
];

/** The newest product of a name that visitors see; undefined when there is none. */
export async function productNamed(store: ReadStoreReader, name: string): Promise<ProductView | undefined> {
  const [found] = await store.list<ProductDocument>('products', {
    index: 'name',
    equals: { shown: 'yes', nameKey: searchKey(name) },
    direction: 'descending',
    limit: 1,
  });
  return found === undefined ? undefined : viewOf(found);
}

/** A product as pages show it: its images by their addresses. */
export function viewOf(document: ProductDocument): ProductView {
  const { shown: _, nameKey: __, image, ownerImage, recommendedImages, ...rest } = document;
  return {
    ...rest,
    imageUrl: filePath.product(image),
    ownerImage: filePath.product(ownerImage),
    recommendedImages: recommendedImages.map(filePath.recommended),
    images: { image, ownerImage, recommendedImages: [...recommendedImages] },
  };
}
