import type { ProductBody, ProductView } from '#contracts';

/** An image that was uploaded. */
export type Image = { readonly fileId: string; readonly url: string };

export type TextField = 'amount' | 'ownerName' | 'productName' | 'description' | 'title' | 'subtitle';
export type ImageField = 'image' | 'ownerImage';

/** A product as a form has it. */
export type Fields = Record<TextField, string> &
  Record<ImageField, Image | null> & { recommendedImages: readonly Image[] };

/** The fields in the order of the form, by what people call them. */
export const textFields: readonly (readonly [name: TextField, label: string])[] = [
  ['amount', 'Amount'],
  ['ownerName', 'Owner name'],
  ['productName', 'Product name'],
  ['description', 'Description'],
  ['title', 'Title'],
  ['subtitle', 'Subtitle'],
];
export const imageFields: readonly (readonly [name: ImageField, label: string])[] = [
  ['image', 'Main image'],
  ['ownerImage', 'Owner image'],
];

export const noProduct: Fields = {
  amount: '',
  ownerName: '',
  productName: '',
  description: '',
  title: '',
  subtitle: '',
  image: null,
  ownerImage: null,
  recommendedImages: [],
};

/** What a form begins with that changes a product. */
export function fieldsOf(product: ProductView): Fields {
  const { amount, ownerName, productName, description, title, subtitle, images } = product;
  return {
    amount,
    ownerName,
    productName,
    description,
    title,
    subtitle,
    image: { fileId: images.image, url: product.imageUrl },
    ownerImage: { fileId: images.ownerImage, url: product.ownerImage },
    recommendedImages: images.recommendedImages.map((fileId, at) => ({
      fileId,
      url: product.recommendedImages[at] ?? '',
    })),
  };
}

/** What is sent of a form. */
export function bodyOf({ image, ownerImage, recommendedImages, ...texts }: Fields): ProductBody {
  return {
    ...texts,
    image: image?.fileId ?? '',
    ownerImage: ownerImage?.fileId ?? '',
    recommendedImages: recommendedImages.map(({ fileId }) => fileId),
  };
}
