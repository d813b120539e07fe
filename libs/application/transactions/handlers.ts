import type { ApplicationParts } from '../parts.js';
import { ListNotificationsHandler, ListTransactionsHandler } from './list.js';

/** The handlers of statements, and of what customers are told. */
export function transactionHandlers(parts: Pick<ApplicationParts, 'readStore'>) {
  return [new ListNotificationsHandler(parts), new ListTransactionsHandler(parts)];
}
