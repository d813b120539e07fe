import { z } from 'zod';

/** Says that a text is too long, where the schema's own words would say that it is missing. */
export const atMost = (max: number) => `Please enter at most ${max} characters.`;

/**
 * What makes a text show as another one: control characters, halves of a character, and marks that turn the direction
 * of what follows them.
 */
const UNSEEN = /[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]/u;
/** The same for the OpenAPI document, in what every regular expression engine knows; halves of characters aside. */
const SEEN = String.raw`^\s*[^\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]*\s*$`;
const SEEN_OR_BREAKS = String.raw`^\s*[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]*\s*$`;
const LEAVE_OUT = 'Please leave out characters that can’t be seen.';
const BREAKS = /[\n\r\t]/g;

/** A line that somebody types: at most `max` characters, as it is sent; blanks around it are cut off then. */
export const typedLine = (max: number, missing?: string) =>
  z
    .string(missing)
    .max(max, atMost(max))
    .trim()
    .refine((text) => !UNSEEN.test(text), LEAVE_OUT)
    .meta({ pattern: SEEN });

/** As `typedLine`, over several lines. */
export const typedText = (max: number, missing?: string) =>
  z
    .string(missing)
    .max(max, atMost(max))
    .trim()
    .refine((text) => !UNSEEN.test(text.replaceAll(BREAKS, '')), LEAVE_OUT)
    .meta({ pattern: SEEN_OR_BREAKS });

/** As `typedLine`; one that is left out or empty is refused in the words of `missing`. */
export const filledLine = (max: number, missing: string) => typedLine(max, missing).min(1, missing);

/** As `typedText`; one that is left out or empty is refused in the words of `missing`. */
export const filledText = (max: number, missing: string) => typedText(max, missing).min(1, missing);

export const WRONG_EMAIL = 'Please enter a valid e-mail address.';
/** What RFC 5321 (4.5.3.1) and RFC 1035 let be: at most 64 characters before the @, at most 63 between two dots behind it. */
const EMAIL_ADDRESS =
  /^(?=[^@]{1,64}@)(?!\.)(?!.*\.\.)[A-Za-z0-9_'+\-.]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/;
/** No address that mail can be sent to is longer. */
export const EMAIL_MAX = 254;

/** An address that mail can be sent to, as it is; a wrong one is refused in the words of `wrong`. */
export const emailAddress = (wrong: string = WRONG_EMAIL) =>
  z.email({ pattern: EMAIL_ADDRESS, error: wrong }).max(EMAIL_MAX, wrong);

/** An e-mail address that somebody types; one that is left out or empty is refused in the words of `missing`. */
export const typedEmail = (missing: string) => filledLine(EMAIL_MAX, missing).pipe(emailAddress());
