import { z } from 'zod';
import type { ErrorCode } from '#kernel';
import { accepted, fileId } from './common.js';

/** What a stored file is, in the event that names it and in the answer to its upload. */
export const evidence = z.object({
  fileId,
  mediaType: z.enum(['application/pdf', 'image/png', 'image/jpeg', 'image/webp', 'image/gif']),
  bytes: z.int().positive().meta({ description: 'Size of what is stored' }),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .meta({ description: 'Hash of what is stored, in hexadecimal' }),
});

/** The type of the films that an admin may put on the site. */
export const FILM_TYPE = 'video/mp4';

export const fileAnswer = evidence.extend({
  mediaType: z.enum([...evidence.shape.mediaType.options, FILM_TYPE]),
  url: z.string().meta({ description: 'Where the file is' }),
  message: accepted.shape.message,
});
export type FileAnswer = z.infer<typeof fileAnswer>;

/** The type that all images are encoded in. */
export const IMAGE_TYPE = 'image/webp';
/** The name of a stored image: its id, and the type that all images are encoded in. */
export const imageName = z
  .string()
  .regex(/^[A-Za-z0-9]{35}\.webp$/)
  .meta({ description: 'The `fileId`, and `.webp`' });
/** The name of a picture or film of the site. Another name is one of nothing, like that of a file that is not there. */
export const mediaName = z
  .string()
  .max(100)
  .meta({ description: 'The `fileId`, and `.webp` for a picture or `.mp4` for a film' });

/** Where the files of each purpose are. `fileId` is what the upload answered with. */
export const filePath = {
  evidence: (id: string) => `/files/paymentEvidence/${id}`,
  product: (id: string) => `/files/products/${id}.webp`,
  recommended: (id: string) => `/files/recommended/${id}.webp`,
  /** Beside the pictures and films that the build brings. */
  siteMedia: (id: string, mediaType: string) => `/image/${id}.${mediaType === FILM_TYPE ? 'mp4' : 'webp'}`,
  /** A person has one at a time. */
  profileImage: (userId: string) => `/files/user/${userId}/profileImage`,
} as const;

/** What a route of files says in a problem's `storageCode`: the names that clients of a file storage know. */
export const storageCodes = [
  'unauthenticated',
  'unauthorized',
  'quota-exceeded',
  'object-not-found',
  'retry-limit-exceeded',
  'canceled',
] as const;
export type StorageCode = (typeof storageCodes)[number];

/** The codes that such a client has a name for; with the others it is told nothing more than `code`. */
export const storageCodeOf: Readonly<Partial<Record<ErrorCode, StorageCode>>> = {
  token_missing: 'unauthenticated',
  token_invalid: 'unauthenticated',
  token_expired: 'unauthenticated',
  not_permitted: 'unauthorized',
  account_suspended: 'unauthorized',
  quota_exceeded: 'quota-exceeded',
  storage_full: 'quota-exceeded',
  file_not_found: 'object-not-found',
  rate_limited: 'retry-limit-exceeded',
  overloaded: 'retry-limit-exceeded',
  unavailable: 'retry-limit-exceeded',
  upload_canceled: 'canceled',
};
