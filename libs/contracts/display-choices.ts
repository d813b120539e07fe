/** The language that numbers and dates are written in; `standard` is 2026-01-31 14:05 and 1,234.50. */
export const displayLanguages = [
  'standard',
  'en-GB',
  'en-US',
  'en-IN',
  'de-DE',
  'fr-FR',
  'es-ES',
  'pt-BR',
] as const;
export const themes = ['auto', 'light', 'dark'] as const;

/** How numbers, dates and pages are shown to a person. */
export type DisplayPreferences = {
  readonly language: (typeof displayLanguages)[number];
  /** Name in the IANA time zone list. */
  readonly timeZone: string;
  readonly theme: (typeof themes)[number];
};

/** How things are shown to somebody who chose nothing. */
export const defaultDisplay: DisplayPreferences = { language: 'standard', timeZone: 'UTC', theme: 'auto' };

/** True for a time zone of the IANA list by its name; an offset such as `+01:00` is none. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
