import { z } from 'zod';
import {
  decimal,
  instant,
  pageOf,
  pageQuery,
  paymentCurrency,
  position,
  requestId,
  userId,
} from './common.js';
import { decisionAnswer } from './wallet.js';

export const approvalCount = z
  .object({
    given: z.int().meta({ description: 'How many admins have approved it, and still count' }),
    needed: z.int().meta({ description: 'How many have to' }),
  })
  .meta({ description: 'Of what waits for other admins' });
export type ApprovalCount = z.infer<typeof approvalCount>;

/** The answer to a decision that may take several admins. */
export const approvalAnswer = decisionAnswer.extend({
  approvals: approvalCount.optional().meta({ description: 'Left out once it is decided' }),
});
export type ApprovalAnswer = z.infer<typeof approvalAnswer>;

/** One that somebody approved, or asked for, and that waits for others. */
export const waitingApproval = z.object({
  id: requestId,
  kind: z.enum(['funding', 'withdrawal', 'transfer', 'adjustment']),
  userId: userId.meta({ description: 'Whose wallet it is about' }),
  customer: z.string().meta({ description: 'Full name' }),
  amounts: z
    .array(
      z.object({
        currency: paymentCurrency,
        amount: decimal.meta({ description: 'US dollars; negative debits' }),
      }),
    )
    .meta({ description: 'What is booked once it is approved' }),
  approvals: approvalCount,
  by: z
    .array(
      z.object({
        userId,
        name: z.string(),
        at: instant,
        until: instant.meta({ description: 'It counts until then' }),
        reason: z.string().optional(),
        counts: z
          .boolean()
          .meta({ description: 'False once it ran out or its admin may not decide any more' }),
      }),
    )
    .meta({ description: 'Who approved it, the first one first' }),
  isOwn: z.boolean().meta({ description: 'Whoever asks has approved it: it waits for somebody else' }),
  since: instant.meta({ description: 'When the first one approved it' }),
  until: instant.meta({ description: 'When the last approval runs out' }),
  position,
});
export type WaitingApproval = z.infer<typeof waitingApproval>;
export const approvalPage = pageOf(waitingApproval);
export type ApprovalPage = z.infer<typeof approvalPage>;
export const approvalQuery = pageQuery.extend({
  userId: userId.optional().meta({ description: 'Only about this person’s wallet' }),
});

/** How many approvals an amount would take of whoever asks. */
export const neededQuery = z.object({
  currency: paymentCurrency,
  amount: z
    .string()
    .max(64, 'Please enter a valid amount.')
    .regex(/^-?\d{1,17}(?:\.\d{1,2})?$/, 'Please enter a valid amount.')
    .meta({ description: 'US dollars', examples: ['1000.00'] }),
});
export const neededAnswer = z.object({
  approvals: z.int().meta({ description: '1 where one admin decides' }),
  moved: decimal.meta({
    description: 'US dollars that this admin has moved in the currency within 24 hours',
  }),
});
