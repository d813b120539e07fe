import type { ApplicationParts } from '../parts.js';
import {
  GetCausationHandler,
  GetEventHandler,
  GetTrialBalanceHandler,
  ReadStreamHandler,
  SearchEventsHandler,
} from './queries.js';

/** The handlers of the log itself, and of whether the books balance. */
export function auditHandlers(parts: Pick<ApplicationParts, 'eventStore' | 'readStore' | 'timers'>) {
  return [
    new GetCausationHandler(parts),
    new GetEventHandler(parts),
    new GetTrialBalanceHandler(parts),
    new ReadStreamHandler(parts),
    new SearchEventsHandler(parts),
  ];
}
