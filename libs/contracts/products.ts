import { z } from 'zod';
import { accepted, amount, decimal, fileId, instant, pageOf, position } from './common.js';

/** 35 random letters and digits. */
export const productId = z.string().regex(/^[A-Za-z0-9]{35}$/);

/** Letters of a name; it is part of an address. */
const NAME_MAX = 100;
const LINE_MAX = 200;
const DESCRIPTION_MAX = 5_000;
const RECOMMENDED_MAX = 12;

const line = (what: string, max = LINE_MAX) =>
  z.string(`${what} is required`).trim().min(1, `${what} is required`).max(max);
const image = (what: string) =>
  z
    .string(`${what} is required`)
    .regex(fileId.def.checks === undefined ? /^/ : /^[A-Za-z0-9]{35}$/, `${what} is required`);

export const productName = z.string().trim().min(1).max(NAME_MAX);

const fields = z.object({
  amount: amount.meta({ description: 'US dollars' }),
  ownerName: line('Owner name'),
  productName: line('Product name', NAME_MAX),
  description: line('Description', DESCRIPTION_MAX),
  title: line('Title'),
  subtitle: line('Subtitle'),
  image: image('Main image').meta({ description: 'Id of an uploaded product image' }),
  ownerImage: image('Owner image').meta({ description: 'Id of an uploaded product image' }),
  recommendedImages: z
    .array(fileId)
    .max(RECOMMENDED_MAX)
    .meta({ description: 'Ids of uploaded recommended images' }),
});
