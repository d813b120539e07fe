import sharp, { type Metadata } from 'sharp';
import { createSemaphore, LodeError } from '#kernel';
import type { MediaType } from './media-type.js';
import { purposeRules, type FilePurpose } from './purposes.js';
import { fileTypeRefused, tooManyUploads } from './rules.js';

/** Bounds of an image that is taken. */
export const imageLimits = {
  /** The most pixels, told from its header before anything of it is decoded. */
  pixels: 50_000_000,
  /** The longest that one image may take to decode and encode, in seconds. */
  seconds: 20,
  /** Images that are worked on at once. Each may take a thread of Node's pool, which has four, and its memory. */
  concurrency: 2,
  /** Images that wait for that. */
  waiting: 64,
} as const;

const QUALITY = 85;
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
// No image comes twice, and each has one thread: what runs at once is bounded by `imageLimits` alone.
sharp.cache(false);
sharp.concurrency(1);

const semaphore = createSemaphore({ ...imageLimits, tooMany: tooManyUploads });

/**
 * An image as it is stored: decoded, turned upright and encoded anew as WebP, so that nothing of the upload but its
 * pixels is left (no place where it was taken, nothing behind its end, no second reading of its bytes). Of one that moves
 * the first frame is kept. `type` is what its first bytes say.
 *
 * Refuses with `file_type` (it can't be decoded, or is cut off), `file_too_large` (too many pixels), `overloaded`.
 */
export function reencode(image: Uint8Array, type: MediaType, purpose: FilePurpose): Promise<Buffer> {
  return semaphore(async () => {
    const header = await read(image, purpose);
    if (FORMATS[header.format] !== type) throw fileTypeRefused(purpose);
    if (header.width * header.height > imageLimits.pixels) throw tooManyPixels();
    const side = purposeRules[purpose].sidePixels;
    return sharp(image, { limitInputPixels: imageLimits.pixels, failOn: 'error', pages: 1 })
      .autoOrient()
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .timeout({ seconds: imageLimits.seconds })
      .webp({ quality: QUALITY, smartSubsample: true })
      .toBuffer()
      .catch((cause: unknown) => {
        throw fileTypeRefused(purpose, { cause });
      });
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
  const millions = imageLimits.pixels / 1_000_000;
  return new LodeError('file_too_large', `Please choose an image of at most ${millions} megapixels.`);
}
