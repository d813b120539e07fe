import type { ApplicationParts } from '../parts.js';
import {
  ListNotifications,
  ListNotificationsHandler,
  ListTransactions,
  ListTransactionsHandler,
} from './list.js';
import { handledBy } from '../message.js';

/** The handlers of statements, and of what customers are told. */
export function transactionHandlers(parts: Pick<ApplicationParts, 'readStore'>) {
  return [
    handledBy(ListNotifications, new ListNotificationsHandler(parts)),
    handledBy(ListTransactions, new ListTransactionsHandler(parts)),
  ];
}
