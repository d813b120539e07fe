import { FILE_BYTES_MAX, parseMoney } from '#contracts';

export const INVALID_AMOUNT = 'Please enter a valid amount and upload payment evidence.';
export const MISSING_EVIDENCE = 'Please enter a valid upload payment evidence.';
const TOO_LARGE = 'The file is larger than 10 MB.';
const WRONG_TYPE = 'Please choose an image or a PDF.';

export const ACCEPTED_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'application/pdf'];

/** The amount as the service takes it: digits and a point, without the spaces and commas people group thousands with. */
export function plainAmount(text: string): string {
  return text.replace(/[\s,]/g, '');
}

/** True when the text is an amount of dollars above zero with at most two decimals. */
export function isAmount(text: string): boolean {
  try {
    return parseMoney(plainAmount(text), 'USD') > 0n;
  } catch {
    return false;
  }
}

/** What is wrong with a file, before it is sent; the service looks into it again. */
export function fileProblem(file: File | null): string | undefined {
  if (file === null || file.size === 0) return MISSING_EVIDENCE;
  if (!ACCEPTED_TYPES.includes(file.type)) return WRONG_TYPE;
  return file.size > FILE_BYTES_MAX ? TOO_LARGE : undefined;
}
