import { FILE_BYTES_MAX } from '#contracts';

export const INVALID_AMOUNT = 'Please enter a valid amount and upload payment evidence.';
export const MISSING_EVIDENCE = 'Please enter a valid upload payment evidence.';
const TOO_LARGE = 'The file is larger than 10 MB.';
const WRONG_TYPE = 'Please choose an image or a PDF.';

export const ACCEPTED_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'application/pdf'];

/** What is wrong with a file, before it is sent; the service looks into it again. */
export function fileProblem(file: File | null): string | undefined {
  if (file === null || file.size === 0) return MISSING_EVIDENCE;
  if (!ACCEPTED_TYPES.includes(file.type)) return WRONG_TYPE;
  return file.size > FILE_BYTES_MAX ? TOO_LARGE : undefined;
}
