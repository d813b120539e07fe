import { z } from 'zod';
import { accepted, position, problem, reason, userId } from './common.js';
import { BULK_ITEMS_MAX } from './limits.js';
import { adjustmentBody } from './wallet.js';

const REASON = 'Every adjustment needs a reason, its own or that of them all.';

/** What an `Idempotency-Key` looks like. */
export const commandKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/)
  .meta({ description: 'The idempotency key of this item: 1 to 255 visible characters' });

export const bulkAdjustment = z.object({
  key: commandKey,
  userId,
  amounts: adjustmentBody.shape.amounts,
  reason: reason.optional().meta({ description: 'Required where the request has none for all items' }),
});

export const bulkAdjustmentsBody = z
  .object({
    items: z
      .array(bulkAdjustment)
      .min(1)
      .max(BULK_ITEMS_MAX)
      .meta({ description: 'Carried out in their order, account by account' }),
    atomic: z.boolean().default(false).meta({
      description:
        'All items of one account are applied, or none of them. They go into one append, which holds about 800 amounts',
    }),
    reason: reason
      .optional()
      .meta({ description: 'That of every item without one of its own; required unless each has one' }),
  })
  .superRefine((body, { addIssue }) => {
    if (body.reason !== undefined) return;
    for (const [n, item] of body.items.entries()) {
      if (item.reason === undefined)
        addIssue({ code: 'custom', message: REASON, path: ['items', n, 'reason'] });
    }
  });
export type BulkAdjustmentsBody = z.infer<typeof bulkAdjustmentsBody>;

/** What came of one item. */
export const bulkResult = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('applied'),
    key: commandKey,
    userId,
    replayed: z.boolean().meta({ description: 'It had been applied before, and nothing changed now' }),
    position: position.meta({ description: 'Where the log has all of this item' }),
    revision: z.int().meta({ description: 'The last event of this item in its account’s stream' }),
  }),
  z.object({ status: z.literal('refused'), key: commandKey, userId, problem }),
  z.object({ status: z.literal('unknown'), key: commandKey, userId, problem }).meta({
    description:
      'It may have been applied. Sent again under the same key it is applied once and its answer is certain',
  }),
]);
export type BulkResult = z.infer<typeof bulkResult>;

export const bulkAdjustmentsAnswer = accepted.extend({
  position: position.meta({ description: 'Where the log has all items that are applied; 0 when none is' }),
  applied: z.int().meta({ description: 'Items that are applied, now or before' }),
  replayed: z.int().meta({ description: 'Those of them that had been applied before' }),
  refused: z.int().meta({ description: 'Items that are not applied, and why is in `results`' }),
  unknown: z.int().optional().meta({
    description:
      'Items of which nobody knows yet: send them again under the same keys. Left out when there is none',
  }),
  results: z.array(bulkResult).meta({ description: 'One for each item, in the order of the items' }),
});
export type BulkAdjustmentsAnswer = z.infer<typeof bulkAdjustmentsAnswer>;
