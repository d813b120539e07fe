import { z } from 'zod';
import { currency, decimal, instant, listFormat, position } from './common.js';
import { DAYS_MAX } from './limits.js';

const DAY_MS = 24 * 60 * 60 * 1_000;
const day = z.iso
  .date('Please enter a day such as 2026-01-31.')
  .meta({ description: 'A day in UTC', examples: ['2026-01-31'] });

/** Days from one to another, with both of them. */
export const dailySumsQuery = z
  .object({ from: day, to: day, currency: currency.optional(), format: listFormat })
  .refine(
    ({ from, to }) => {
      const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
      return days >= 1 && days <= DAYS_MAX;
    },
    { path: ['to'], message: `Please ask for 1 to ${DAYS_MAX} days.` },
  );
export type DailySumsQuery = z.infer<typeof dailySumsQuery>;

/** What moved by day, and what was held. */
export const dailySums = z.object({
  from: day,
  to: day,
  position: position.meta({ description: 'The last event that is counted, at least; 0 for none' }),
  items: z
    .array(
      z.object({
        day,
        currency,
        in: decimal.meta({ description: 'Came in from outside: requests that were confirmed' }),
        out: decimal.meta({ description: 'Left for outside' }),
        bonus: decimal.meta({ description: 'Promotional bonus that the operator paid: an expense' }),
        byHand: decimal.meta({ description: 'Credited by admins, less what they debited' }),
        held: decimal.meta({ description: 'Set aside for open requests at the end of the day' }),
      }),
    )
    .meta({ description: 'A row a day and currency, the oldest day first; days without events are in it' }),
});
export type DailySums = z.infer<typeof dailySums>;

/** What waits for a decision, by how long it has. */
export const requestsByAge = z.object({
  at: instant.meta({ description: 'As of when' }),
  complete: z.boolean().meta({ description: 'false: there are more of the youngest than were counted' }),
  ages: z
    .array(
      z.object({
        fromHours: z.int().meta({ description: 'Waits for at least so many hours' }),
        toHours: z.int().nullable().meta({ description: 'And for less than so many; null: however many' }),
        funding: z.int().meta({ description: 'Fund requests' }),
        withdrawals: z.int(),
        transfers: z.int(),
        amount: decimal.meta({ description: 'US dollars of all of them' }),
      }),
    )
    .meta({ description: 'The youngest first' }),
});
export type RequestsByAge = z.infer<typeof requestsByAge>;

/** What a program has done since it began. */
export const load = z.object({
  commands: z.int().meta({
    description: 'Commands that the program has answered, whatever came of them, since it began',
  }),
});
export type Load = z.infer<typeof load>;
