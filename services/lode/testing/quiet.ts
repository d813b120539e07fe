import { pino } from 'pino';
import type { ApiSettings } from '../../api/index.js';

/** Settings of an API that a test makes by itself: as they come, without pages, and without a word. */
export const quietSettings: ApiSettings = {
  requestsPerMinute: 1_000,
  secure: false,
  proxies: [],
  webFolder: undefined,
  identityToolkit: false,
  identityToolkitOrigins: [],
  logger: pino({ level: 'silent' }),
};
