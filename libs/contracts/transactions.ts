import { z } from 'zod';
import {
  decimal,
  instant,
  listQuery,
  pageOf,
  paymentCurrency,
  position,
  requestId,
  userId,
} from './common.js';

export const transactionType = z.enum(['credit', 'debit']);
const ofRequest = requestId.nullable().meta({ description: 'The request or transfer it belongs to' });

/** A line of a customer's statement: what moved, and what it left. */
export const transaction = z.object({
  id: z.string(),
  userId,
  customer: z.string().meta({ description: 'Full name' }),
  type: transactionType,
  amount: decimal.meta({ description: 'US dollars' }),
  currency: paymentCurrency,
  converted: decimal.meta({ description: 'What was booked in `currency`' }),
  balance: decimal
    .nullable()
    .meta({ description: 'The wallet right after it, in US dollars; null where its event does not tell' }),
  currencyBalance: decimal.nullable().meta({ description: 'The same of `currency`' }),
  created: instant,
  source: z.string().meta({ description: 'The type of the event that moved it' }),
  description: z.string().meta({ description: 'What it was, in a few words' }),
  requestId: ofRequest,
  position,
});
export type TransactionView = z.infer<typeof transaction>;
export const transactionPage = pageOf(transaction);
export type TransactionPage = z.infer<typeof transactionPage>;
export const transactionQuery = listQuery.extend({
  type: transactionType.optional(),
  currency: paymentCurrency.optional(),
});

/** What others did to a customer's account, and what was changed of how they come in, told to that customer. */
export const notification = z.object({
  id: z.string(),
  kind: z.string().meta({ description: 'The type of the event that it tells of' }),
  sentence: z.string().meta({ description: 'What happened' }),
  reason: z.string().nullable().meta({ description: 'Why, in the words of whoever decided' }),
  amount: decimal.nullable().meta({ description: 'US dollars' }),
  currency: paymentCurrency.nullable(),
  requestId: ofRequest,
  created: instant,
  position,
});
export type NotificationView = z.infer<typeof notification>;
export const notificationPage = pageOf(notification);
export type NotificationPage = z.infer<typeof notificationPage>;
export const notificationQuery = listQuery;
export const notificationsReadBody = z.object({
  position: position.meta({ description: 'The position of the newest notification that was read' }),
});

/** A request of any kind that waits for a decision. */
export const openRequest = z.object({
  id: requestId,
  kind: z.enum(['Funding', 'withdrawal', 'transfer']),
  amount: decimal.meta({ description: 'US dollars' }),
  currency: paymentCurrency,
  createdAt: instant,
  position,
});
export type OpenRequest = z.infer<typeof openRequest>;
export const openRequests = z.object({
  items: z.array(openRequest),
  more: z.boolean().meta({ description: 'There are older ones, in the lists of each kind' }),
});
export type OpenRequests = z.infer<typeof openRequests>;
