import type { ApplicationParts } from '../parts.js';
import { ReadCase, ReadCaseHandler } from './case.js';
import {
  GetCausation,
  GetCausationHandler,
  GetEvent,
  GetEventHandler,
  GetTrialBalance,
  GetTrialBalanceHandler,
  ListTrialPostings,
  ListTrialPostingsHandler,
  ReadStream,
  ReadStreamHandler,
  SearchEvents,
  SearchEventsHandler,
} from './queries.js';
import { handledBy } from '../message.js';

/** The handlers of the log itself, and of whether the books balance. */
export function auditHandlers(
  parts: Pick<ApplicationParts, 'eventStore' | 'identity' | 'readStore' | 'timers'>,
) {
  return [
    handledBy(GetCausation, new GetCausationHandler(parts)),
    handledBy(GetEvent, new GetEventHandler(parts)),
    handledBy(GetTrialBalance, new GetTrialBalanceHandler(parts)),
    handledBy(ReadCase, new ReadCaseHandler(parts)),
    handledBy(ListTrialPostings, new ListTrialPostingsHandler(parts)),
    handledBy(ReadStream, new ReadStreamHandler(parts)),
    handledBy(SearchEvents, new SearchEventsHandler(parts)),
  ];
}
