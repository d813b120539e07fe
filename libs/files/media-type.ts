import { fileTypeFromBuffer } from 'file-type';

/** The types of file that are taken. SVG is not among them: it can carry scripts. */
export const mediaTypes = [
  'application/pdf',
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'video/mp4',
] as const;

export type MediaType = (typeof mediaTypes)[number];

/** How much of a file's beginning must be given to tell its type (less only when the file is shorter). */
export const SAMPLE_BYTES = 64 * 1024;

/**
 * The exact beginnings of each type. The library looks past byte order marks and tags and takes "GIF" alone for an
 * image; what is stored must begin as its format says, so that no reader takes it for something else.
 */
const beginnings: { readonly [Type in MediaType]: RegExp } = {
  'application/pdf': /^%PDF-[12]\.\d/,
  'image/png': /^\x89PNG\r\n\x1a\n/,
  'image/jpeg': /^\xff\xd8\xff/,
  'image/webp': /^RIFF[\s\S]{4}WEBPVP8/,
  'image/gif': /^GIF8[79]a/,
  // Brands of what browsers play; pictures, sounds and films of other players begin alike.
  'video/mp4': /^\0\0[\s\S]{2}ftyp(?:isom|iso[2-9]|mp4[12]|avc1)/,
};
const BEGINNING_BYTES = 16;

/** The type of a file that begins with `sample`, or undefined when it is none that is taken. */
export async function mediaTypeOf(sample: Uint8Array): Promise<MediaType | undefined> {
  const start = Buffer.from(sample.subarray(0, BEGINNING_BYTES)).toString('latin1');
  const claimed = mediaTypes.find((type) => beginnings[type].test(start));
  if (claimed === undefined) return undefined;
  const found = await fileTypeFromBuffer(sample.subarray(0, SAMPLE_BYTES));
  return found?.mime === claimed ? claimed : undefined;
}
