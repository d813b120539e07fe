import { z } from 'zod';
import { accepted, decimal, DOLLARS, fileId, instant, pageOf, position } from './common.js';
import { atMost, filledLine, filledText } from './typed.js';

export const productId = z
  .string()
  .regex(/^[A-Za-z0-9]{35}$/, 'Please enter the id of a product.')
  .meta({ description: '35 random letters and digits' });

/** The most characters of a name, which is part of an address, of a line and of a description. */
const NAME_MAX = 100;
const LINE_MAX = 200;
const DESCRIPTION_MAX = 5_000;
/** The most recommended images of one product. */
const RECOMMENDED_MAX = 12;

const required = (what: string) => `${what} is required`;
const line = (what: string, max = LINE_MAX) => filledLine(max, required(what));
const image = (what: string) =>
  z
    .string(required(what))
    .regex(/^[A-Za-z0-9]{35}$/, required(what))
    .meta({ description: 'Id of an uploaded image of a product' });

/** What a product's page is found by. */
export const productName = z.string().max(NAME_MAX, atMost(NAME_MAX)).trim().min(1, required('Product name'));

const given = z.object({
  amount: z
    .string(required('Amount'))
    .max(64, 'Please enter a valid amount.')
    .trim()
    .min(1, required('Amount'))
    .meta({ format: 'decimal', pattern: DOLLARS, description: 'US dollars', examples: ['249.99'] }),
  ownerName: line('Owner name'),
  productName: line('Product name', NAME_MAX),
  description: filledText(DESCRIPTION_MAX, required('Description')),
  title: line('Title'),
  subtitle: line('Subtitle'),
  image: image('Main image'),
  ownerImage: image('Owner image'),
  recommendedImages: z
    .array(fileId)
    .max(RECOMMENDED_MAX, `Please choose at most ${RECOMMENDED_MAX} images.`)
    .meta({ description: 'Ids of uploaded recommended images' }),
});

export const productBody = given.extend({ recommendedImages: given.shape.recommendedImages.default([]) });
export type ProductBody = z.infer<typeof productBody>;

export const productChangeBody = given
  .extend({ isActive: z.boolean().meta({ description: 'Whether visitors see it' }) })
  .partial()
  .meta({ description: 'What is left out stays as it is' });
export type ProductChangeBody = z.infer<typeof productChangeBody>;

export const productStockBody = z.object({ isOutOfStock: z.boolean() });

export const productAnswer = accepted.extend({ productId });

/** A product as pages show it. */
export const product = z.object({
  id: productId,
  amount: decimal.meta({ description: 'US dollars' }),
  ownerName: z.string(),
  productName: z.string(),
  description: z.string(),
  title: z.string(),
  subtitle: z.string(),
  imageUrl: z.string().meta({ description: 'Address of the image' }),
  ownerImage: z.string().meta({ description: 'Its address' }),
  recommendedImages: z.array(z.string()).meta({ description: 'Their addresses' }),
  images: z
    .object({ image: fileId, ownerImage: fileId, recommendedImages: z.array(fileId) })
    .meta({ description: 'Ids of the same images, for a change that keeps some' }),
  isActive: z.boolean().meta({ description: 'Whether visitors see it' }),
  isOutOfStock: z.boolean(),
  createdAt: instant,
  position,
});
export type ProductView = z.infer<typeof product>;
export const productPage = pageOf(product);
export type ProductPage = z.infer<typeof productPage>;
