import sharp, { type Metadata } from 'sharp';
import { LodeError } from '#kernel';
import type { MediaType } from '../media-type.js';
import { purposeRules, type FilePurpose } from '../purposes.js';
import { fileTypeRefused } from '../rules.js';

/** The most pixels of an image that is taken, told from its header before anything of it is decoded. */
export const PIXELS_MAX = 50_000_000;

const QUALITY = 85;
/** Of 0 to 6: a third of the time and half of the memory of the usual 4, and files that are hardly larger. */
const EFFORT = 2;
const FORMATS: Readonly<Record<string, MediaType>> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
};

// Only the decoders of what is taken can ever see an upload.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadNsgifBuffer',
  ],
});
// No image comes twice, and each has one thread.
sharp.cache(false);
sharp.concurrency(1);

/**
 * An image as it is stored: decoded, turned upright and encoded anew as WebP, so that nothing of the upload but its
 * pixels is left (no place where it was taken, nothing behind its end, no second reading of its bytes). Of one that moves
 * the first frame is kept. `type` is what its first bytes say.
 *
 * Refuses with `file_type` (it can't be decoded, or is cut off), `file_too_large` (too many pixels).
 */
export async function reencode(image: Uint8Array, type: MediaType, purpose: FilePurpose): Promise<Buffer> {
  const header = await read(image, purpose);
  if (FORMATS[header.format] !== type) throw fileTypeRefused(purpose);
  if (header.width * header.height > PIXELS_MAX) throw tooManyPixels();
  const side = purposeRules[purpose].sidePixels;
  return sharp(image, { limitInputPixels: PIXELS_MAX, failOn: 'error', pages: 1 })
    .autoOrient()
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: QUALITY, effort: EFFORT })
    .toBuffer()
    .catch((cause: unknown) => {
      throw fileTypeRefused(purpose, { cause });
    });
}

/** What the header says; nothing is decoded. */
async function read(image: Uint8Array, purpose: FilePurpose): Promise<Metadata> {
  // Without the limit: that there are too many pixels is a refusal of its own.
  return sharp(image, { limitInputPixels: false, pages: 1 })
    .metadata()
    .catch((cause: unknown) => {
      throw fileTypeRefused(purpose, { cause });
    });
}

function tooManyPixels(): LodeError {
  const millions = PIXELS_MAX / 1_000_000;
  return new LodeError('file_too_large', `Please choose an image of at most ${millions} megapixels.`);
}
