import { mkdir } from 'node:fs/promises';
import type { FileCatalogue, FileStore } from '#files';
import {
  invariant,
  systemClock,
  systemRandom,
  systemTimers,
  type Clock,
  type Random,
  type Timers,
} from '#kernel';
import { parseS3Url } from './address.js';
import { s3Limits, type S3Limits } from './limits.js';
import { createObjects } from './objects.js';
import { diskError } from './spool.js';
import { createS3Store } from './store.js';

/** For their owner only. */
const FOLDER_MODE = 0o700;

export type S3FilesOptions = {
  /** `https://ACCESS_KEY:SECRET@host:port/bucket?region=us-east-1`. The bucket is there already, and holds nothing else. */
  readonly url: string;
  /** Whose the files are. Whoever opened it closes it, after the store. */
  readonly catalogue: FileCatalogue;
  /** The folder of uploads that are not whole yet, on a disk of this machine; made when it isn't there. */
  readonly spool: string;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly timers?: Timers;
  readonly limits?: Partial<S3Limits>;
};

/**
 * Files in a bucket of an object store that speaks S3. Asks the store once whether it has the bucket: throws
 * `unavailable` when it does not answer, and `storage_failed` when it refuses the keys or there is no such bucket.
 */
export async function openS3FileStore(options: S3FilesOptions): Promise<FileStore> {
  const { catalogue, spool } = options;
  const { clock = systemClock, random = systemRandom, timers = systemTimers } = options;
  const limits = { ...s3Limits, ...options.limits };
  invariant(limits.staleMs > limits.uploadMs, 'no upload lasts until it counts as left behind');
  await mkdir(spool, { recursive: true, mode: FOLDER_MODE }).catch((error: unknown) => {
    throw diskError(error);
  });
  const objects = createObjects({ address: parseS3Url(options.url), limits, timers, random });
  try {
    await objects.check();
  } catch (error) {
    objects.close();
    throw error;
  }
  return createS3Store({ catalogue, objects, clock, random, spool, limits });
}

/** Asks as `openS3FileStore` does whether the store has the bucket, and makes nothing. */
export async function checkS3(url: string): Promise<void> {
  const parts = { limits: s3Limits, timers: systemTimers, random: systemRandom };
  const objects = createObjects({ address: parseS3Url(url), ...parts });
  try {
    await objects.check();
  } finally {
    objects.close();
  }
}
