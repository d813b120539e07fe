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

/** A line that somebody types: at most `max` characters, blanks around them not counted. */
export const typedLine = (max: number, missing?: string) =>
  z
    .string(missing)
    .trim()
    .max(max, atMost(max))
    .refine((text) => !UNSEEN.test(text), LEAVE_OUT)
    .meta({ pattern: SEEN });

/** As `typedLine`, over several lines. */
export const typedText = (max: number, missing?: string) =>
  z
    .string(missing)
    .trim()
    .max(max, atMost(max))
    .refine((text) => !UNSEEN.test(text.replaceAll(BREAKS, '')), LEAVE_OUT)
    .meta({ pattern: SEEN_OR_BREAKS });

/** As `typedLine`; one that is left out or empty is refused in the words of `missing`. */
export const filledLine = (max: number, missing: string) => typedLine(max, missing).min(1, missing);

/** As `typedText`; one that is left out or empty is refused in the words of `missing`. */
export const filledText = (max: number, missing: string) => typedText(max, missing).min(1, missing);
