import { z } from 'zod';
import { currency, decimal, instant, listFormat, pageQuery, position, requestId, userId } from './common.js';
import { timeZone } from './display.js';
import { parts } from './wallet.js';

const DAY = 'Please enter a day such as 2026-01-31.';
/** Days whose instants are texts of one length: nobody had an account before, and nobody reads one after. */
const [FIRST_DAY, LAST_DAY] = ['1971-01-01', '9999-12-29'];

const FILE =
  'A file holds the whole period: the opening balance, each entry, and the closing balance with where in the log it is true';

const day = z.iso.date(DAY).refine((text) => text >= FIRST_DAY && text <= LAST_DAY, DAY);

export const statementQuery = pageQuery
  .extend({
    from: day.meta({ description: 'The first day of the period' }),
    to: day.meta({ description: 'Its last day, which is part of it' }),
    zone: timeZone
      .default('UTC')
      .meta({ description: 'The IANA time zone that the days are of', examples: ['Africa/Lagos'] }),
    currency: currency.default('USD').meta({ description: 'Which balance' }),
    format: listFormat.meta({ description: FILE }),
  })
  .refine(({ from, to }) => from <= to, {
    path: ['to'],
    message: 'A period can’t end before it begins.',
  });

/** One balance over a period: what it began and ended with, and a page of what moved it, oldest first. */
export const statement = z.object({
  userId,
  currency,
  from: z.iso.date(),
  to: z.iso.date(),
  zone: z.string().meta({ description: 'The time zone that the days are of' }),
  begins: instant.meta({ description: 'When the first day begins' }),
  ends: instant.meta({ description: 'When the day after the last one begins' }),
  opening: parts.meta({ description: 'What there was before the period' }),
  closing: parts.meta({ description: 'What there was at its end, or is now while it runs' }),
  change: decimal.meta({ description: 'What the balance changed by in the period; signed' }),
  revision: z
    .int()
    .nullable()
    .meta({ description: 'The last event of the account that is counted; null for none' }),
  position: position
    .optional()
    .meta({ description: 'Where in the log that event is: the statement is true at this place' }),
  entries: z.array(
    z.object({
      eventId: z.string(),
      type: z.string().meta({ description: 'The type of the event' }),
      description: z.string().meta({ description: 'What it was, in a few words' }),
      revision: z.int().meta({ description: 'Its number among the account’s events, from 0' }),
      position: position.optional(),
      at: instant,
      change: decimal.meta({ description: 'Of available + held; signed' }),
      heldChange: decimal.meta({ description: 'Of held alone; signed' }),
      after: parts.meta({ description: 'What it left' }),
      requestId: requestId.optional(),
      reason: z.string().optional().meta({ description: 'In the words of whoever decided' }),
    }),
  ),
  first: z.int().meta({ description: 'The number of the first entry in the period, from 1' }),
  next: z.string().nullable().meta({
    description: 'Ask with this `cursor` for the next page, which may hold fewer entries, even none',
  }),
  previous: z.string().nullable().meta({ description: 'The same for the page before' }),
});
export type Statement = z.infer<typeof statement>;
