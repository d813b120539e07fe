import type { ApplicationParts } from '../parts.js';
import { ReadCaseHandler } from './case.js';
import {
  GetCausationHandler,
  GetEventHandler,
  GetTrialBalanceHandler,
  ListTrialPostingsHandler,
  ReadStreamHandler,
  SearchEventsHandler,
} from './queries.js';

/** The handlers of the log itself, and of whether the books balance. */
export function auditHandlers(
  parts: Pick<ApplicationParts, 'eventStore' | 'identity' | 'readStore' | 'timers'>,
) {
  return [
    new GetCausationHandler(parts),
    new GetEventHandler(parts),
    new GetTrialBalanceHandler(parts),
    new ReadCaseHandler(parts),
    new ListTrialPostingsHandler(parts),
    new ReadStreamHandler(parts),
    new SearchEventsHandler(parts),
  ];
}
