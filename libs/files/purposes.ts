import type { MediaType } from './media-type.js';

/** What a stored file is for. It says who may read it, what it may be and how much of it one person may keep. */
export const filePurposes = [
  'evidence',
  'product-image',
  'product-recommended',
  'profile-image',
  'site-media',
] as const;

export type FilePurpose = (typeof filePurposes)[number];

/** How much one person may keep. */
export type Quota = { readonly files: number; readonly bytes: number };

const MEBIBYTE = 1024 * 1024;
const HOUR_MS = 60 * 60_000;

type Rules = {
  /** The product's words for a file that can't be taken. */
  readonly refusal: string;
  readonly quota: Quota;
  /** True when it goes with the person who uploaded it; the others are the site’s, whoever brought them. */
  readonly isPersonal: boolean;
  /** How long a file may wait until something names it; afterwards nothing may name it for the first time. Milliseconds. */
  readonly unnamedMs: number;
  /** The type that is taken beside images, and stored as it comes. */
  readonly keepsAsItIs?: MediaType;
  /** The longest side of an image as it is stored, in pixels. */
  readonly sidePixels: number;
};

/** What holds for the files of each purpose. */
export const purposeRules: Readonly<Record<FilePurpose, Rules>> = {
  evidence: {
    refusal: 'Please enter a valid upload payment evidence.',
    quota: { files: 1_000, bytes: 1_024 * MEBIBYTE },
    isPersonal: true,
    // It is uploaded when the request is sent, and any stranger can have an account.
    unnamedMs: HOUR_MS,
    keepsAsItIs: 'application/pdf',
    // A photograph of a receipt stays readable at this size.
    sidePixels: 4_096,
  },
  'product-image': {
    refusal: 'Error uploading product',
    quota: { files: 10_000, bytes: 4_096 * MEBIBYTE },
    isPersonal: false,
    unnamedMs: 24 * HOUR_MS,
    sidePixels: 2_048,
  },
  'product-recommended': {
    refusal: 'Error uploading product',
    quota: { files: 10_000, bytes: 4_096 * MEBIBYTE },
    isPersonal: false,
    unnamedMs: 24 * HOUR_MS,
    sidePixels: 2_048,
  },
  'profile-image': {
    refusal: 'Failed to upload image.',
    // One is shown; the others wait to be swept.
    quota: { files: 20, bytes: 20 * MEBIBYTE },
    isPersonal: true,
    unnamedMs: 24 * HOUR_MS,
    sidePixels: 512,
  },
  'site-media': {
    refusal: 'Please choose a picture or an mp4 film.',
    quota: { files: 10_000, bytes: 4_096 * MEBIBYTE },
    isPersonal: false,
    unnamedMs: 24 * HOUR_MS,
    keepsAsItIs: 'video/mp4',
    // As wide as the screens of most.
    sidePixels: 2_560,
  },
};
