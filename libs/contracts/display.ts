import { z } from 'zod';
import { displayLanguages, isTimeZone, themes } from './display-choices.js';
import { atMost } from './typed.js';

const ZONE_MAX = 64;
const KNOWN_ZONE = 'Please choose a time zone of the list.';

export const timeZone = z
  .string()
  .max(ZONE_MAX, atMost(ZONE_MAX))
  .refine(isTimeZone, KNOWN_ZONE)
  .meta({ description: 'Name in the IANA time zone list', examples: ['Africa/Lagos'] });

/** How numbers, dates and pages are shown to a person. */
export const display = z.object({
  language: z.enum(displayLanguages).meta({
    description: 'How numbers and dates are written; standard: 1,234.50 and 2026-01-31 14:05',
  }),
  timeZone: z.string().meta({ description: 'Name in the IANA time zone list' }),
  theme: z.enum(themes).meta({ description: 'auto: as the system is' }),
});
