import { z } from 'zod';
import { errorCodes } from '#kernel';
import {
  currencies,
  paymentCurrencies,
  perCurrency,
  perPaymentCurrency,
  type Currency,
  type PaymentCurrency,
} from '#ledger';
import { PAGE_SIZE, PAGE_SIZE_MAX, REASON_LENGTH_MAX } from './limits.js';
import { filledText } from './typed.js';

export const currency = z.enum(currencies);
export const paymentCurrency = z.enum(paymentCurrencies);

/** An object with a member for each currency. */
export function eachCurrency<Shape extends z.ZodType>(shapeOf: (currency: Currency) => Shape) {
  return z.object(perCurrency(shapeOf));
}

/** An object with a member for each currency that requests can be paid in. */
export function eachPaymentCurrency<Shape extends z.ZodType>(shapeOf: (currency: PaymentCurrency) => Shape) {
  return z.object(perPaymentCurrency(shapeOf));
}

export const role = z.enum(['user', 'admin']);
export const errorCode = z.enum(errorCodes);

const VALID_AMOUNT = 'Please enter a valid amount.';
const dollars = (sign: '' | '-?') => String.raw`^\s*${sign}\d{1,30}(?:\.\d{1,2})?\s*$`;
/** What an amount of US dollars looks like that somebody types, for the OpenAPI document. */
export const DOLLARS = dollars('');
/** A decimal amount as text: amounts never travel as numbers. The ledger says whether its size and decimals will do. */
export const amount = z
  .string()
  .max(64, VALID_AMOUNT)
  .trim()
  .min(1, VALID_AMOUNT)
  .meta({ format: 'decimal', pattern: dollars('-?'), examples: ['100.00'] });
/** An amount as the ledger writes it: all the currency's decimals. */
export const decimal = z
  .string()
  .regex(/^-?\d+(?:\.\d+)?$/)
  .meta({ format: 'decimal' });
export const position = z
  .string()
  .regex(/^(?:0|[1-9]\d{0,19})$/)
  .meta({ description: 'A place in the log. Opaque; compare by length, then as text.' });
/** A UTC instant, ISO 8601. */
export const instant = z.iso.datetime('Please enter a time such as 2026-01-31T12:00:00Z.');
export const userId = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,64}$/, 'Please enter the id of a person.')
  .meta({ description: 'Id of a person' });
export const requestId = z
  .string()
  .regex(/^[A-Za-z0-9]{34}$/, 'Please enter the id of a request.')
  .meta({ description: '34 random letters and digits' });
export const fileId = z
  .string()
  .regex(/^[A-Za-z0-9]{35}$/, 'Please choose a file that was uploaded.')
  .meta({ description: 'Id of a stored file: 35 random letters and digits' });
const REASON = 'Please give a reason.';
export const reason = filledText(REASON_LENGTH_MAX, REASON).meta({
  description: 'Kept with the decision, in the event',
});
/** Of commands that the path tells all of: why, when there is something to say. It may be left out whole. */
export const reasonBody = z.object({ reason: reason.optional() }).default({});
export const cursor = z
  .string()
  .max(512)
  .regex(/^[A-Za-z0-9_-]+$/)
  .meta({ description: 'Opaque; from the page before' });

/** RFC 9457 problem details; `code` is from a closed list, `detail` is for the person. */
export const problem = z.object({
  type: z.string().meta({ description: 'Address of the code’s kind of problem' }),
  title: z.string().meta({ description: 'What the status is called' }),
  status: z.int().meta({ description: 'The HTTP status' }),
  code: errorCode,
  detail: z.string().meta({ description: 'A sentence for the person; it may change' }),
  errors: z
    .array(z.object({ path: z.string(), message: z.string() }))
    .optional()
    .meta({ description: 'The members of the input that are wrong, and why' }),
  failed: z
    .string()
    .optional()
    .meta({ description: 'What did not get done, as a screen says it; `detail` says why' }),
  storageCode: z
    .string()
    .optional()
    .meta({ description: 'Of a route of files: what clients of a file storage call it' }),
});
export type Problem = z.infer<typeof problem>;

/** The answer to every command: where the log stood once it was so. Send it back as `Lode-Position` to see it. */
export const accepted = z.object({
  position: position.meta({ description: 'Where in the log it is so; send it as `Lode-Position` to see it' }),
  message: z.string().meta({ description: 'A sentence for the person' }),
});
export type Accepted = z.infer<typeof accepted>;

/** One page of rows in keyset order. `first` is the number of its first row in the whole list, from 1. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item),
    first: z.int(),
    next: cursor.nullable(),
    previous: cursor.nullable(),
  });
}

const WHOLE = 'A file holds the whole list, whatever `limit` says';
/** What a list can be had as: pages, or a file of all of it. `Accept: text/csv` asks for the same as `csv`. */
export const listFormat = z.enum(['json', 'csv']).optional().meta({ description: WHOLE });
/** As `listFormat`, with one JSON text a line. */
export const eventFormat = z.enum(['json', 'csv', 'ndjson']).optional().meta({ description: WHOLE });

/** What any list may be asked. */
export const pageQuery = z.object({
  cursor: cursor.optional(),
  limit: z.coerce.number().int().min(1).max(PAGE_SIZE_MAX).default(PAGE_SIZE),
});

/** Which end of a list comes first. */
export const listOrder = z
  .enum(['newest', 'oldest'])
  .default('newest')
  .meta({ description: 'Which end of the list comes first' });
/** A stretch of time. */
export const stretch = z.object({
  from: instant.optional().meta({ description: 'Not before this instant' }),
  to: instant.optional().meta({ description: 'Before this instant' }),
});
/** What every list may be asked that is ordered by time and can be had as a file. */
export const listQuery = pageQuery.extend({ ...stretch.shape, order: listOrder, format: listFormat });
