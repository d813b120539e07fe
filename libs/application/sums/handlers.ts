import type { ApplicationParts } from '../parts.js';
import { GetRequestsByAgeHandler } from './by-age.js';
import { GetDailySumsHandler } from './daily.js';

/** The handlers of what charts are drawn of. */
export function sumsHandlers(parts: Pick<ApplicationParts, 'readStore' | 'clock' | 'timers'>) {
  return [new GetDailySumsHandler(parts), new GetRequestsByAgeHandler(parts)];
}
