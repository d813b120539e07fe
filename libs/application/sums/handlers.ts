import type { ApplicationParts } from '../parts.js';
import { GetRequestsByAge, GetRequestsByAgeHandler } from './by-age.js';
import { GetDailySums, GetDailySumsHandler } from './daily.js';
import { handledBy } from '../message.js';

/** The handlers of what charts are drawn of. */
export function sumsHandlers(parts: Pick<ApplicationParts, 'readStore' | 'clock' | 'timers'>) {
  return [
    handledBy(GetDailySums, new GetDailySumsHandler(parts)),
    handledBy(GetRequestsByAge, new GetRequestsByAgeHandler(parts)),
  ];
}
