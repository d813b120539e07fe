import { z } from 'zod';
import { accepted, position, problem, reason, requestId, userId } from './common.js';
import { BULK_DECISIONS_MAX, BULK_ITEMS_MAX } from './limits.js';
import { openRequest } from './transactions.js';
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
  z
    .object({
      status: z.literal('waiting'),
      key: commandKey,
      userId,
      replayed: z.boolean(),
      position,
      revision: z.int(),
      requestId: requestId.meta({ description: 'The id by which other admins approve it' }),
      given: z.int().meta({ description: 'How many admins have approved it' }),
      needed: z.int().meta({ description: 'How many have to' }),
    })
    .meta({ description: 'It is above a limit: it waits for other admins, and has moved nothing' }),
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
  waiting: z.int().optional().meta({
    description: 'Items that wait for other admins. Left out when there is none',
  }),
  refused: z.int().meta({ description: 'Items that are not applied, and why is in `results`' }),
  unknown: z.int().optional().meta({
    description:
      'Items of which nobody knows yet: send them again under the same keys. Left out when there is none',
  }),
  results: z.array(bulkResult).meta({ description: 'One for each item, in the order of the items' }),
});
export type BulkAdjustmentsAnswer = z.infer<typeof bulkAdjustmentsAnswer>;

/** One request to be decided. */
export const bulkDecision = z.object({
  key: commandKey,
  userId,
  requestId,
  kind: openRequest.shape.kind,
});

export const bulkDecisionsBody = z.object({
  items: z
    .array(bulkDecision)
    .min(1)
    .max(BULK_DECISIONS_MAX)
    .meta({ description: 'Those about one account are decided in their order' }),
  verdict: z.enum(['confirm', 'reject']),
  reason: reason.optional(),
});
export type BulkDecisionsBody = z.infer<typeof bulkDecisionsBody>;

/** What came of one item. */
export const bulkDecisionResult = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('decided'),
    key: commandKey,
    userId,
    requestId,
    replayed: z
      .boolean()
      .meta({ description: 'It had been decided under this key, and nothing changed now' }),
    position: position.meta({ description: 'Where the log has the decision' }),
    approvals: z
      .object({ given: z.int(), needed: z.int() })
      .optional()
      .meta({ description: 'It is approved and waits for other admins; left out once it is decided' }),
  }),
  z.object({ status: z.literal('refused'), key: commandKey, userId, requestId, problem }),
  z.object({ status: z.literal('unknown'), key: commandKey, userId, requestId, problem }).meta({
    description:
      'It may have been decided. Sent again under the same key it is decided once and its answer is certain',
  }),
]);
export type BulkDecisionResult = z.infer<typeof bulkDecisionResult>;

export const bulkDecisionsAnswer = accepted.extend({
  position: position.meta({
    description: 'Where the log has all decisions of these items; 0 when there is none',
  }),
  waiting: z.int().optional().meta({
    description: 'Items that wait for other admins. Left out when there is none',
  }),
  decided: z.int().meta({ description: 'Items that are decided, now or before under their keys' }),
  replayed: z.int().meta({ description: 'Those of them that had been decided before' }),
  refused: z.int().meta({ description: 'Items that are not decided by this, and why is in `results`' }),
  unknown: z.int().optional().meta({
    description:
      'Items of which nobody knows yet: send them again under the same keys. Left out when there is none',
  }),
  results: z.array(bulkDecisionResult).meta({ description: 'One for each item, in the order of the items' }),
});
export type BulkDecisionsAnswer = z.infer<typeof bulkDecisionsAnswer>;
