import { tmpdir } from 'node:os';
import type { FileCatalogue } from '#files';
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
import { createS3Store, type S3FileStore } from './store.js';

export type { S3FileStore } from './store.js';

export type S3FilesOptions = {
  /** `https://ACCESS_KEY:SECRET@host:port/bucket?region=us-east-1`. The bucket is there already, and holds nothing else. */
  readonly url: string;
  /** Whose the files are. Whoever opened it closes it, after the store. */
  readonly catalogue: FileCatalogue;
  /** A folder for uploads that are not whole yet; the machine's own for such files when left out. */
  readonly spool?: string;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly timers?: Timers;
  readonly limits?: Partial<S3Limits>;
};

/**
 * Files in a bucket of an object store that speaks S3. Asks the store once whether it has the bucket: throws
 * `unavailable` when it does not answer, and `storage_failed` when it refuses the keys or there is no such bucket.
 */
export async function openS3FileStore(options: S3FilesOptions): Promise<S3FileStore> {
  const { catalogue, spool = tmpdir() } = options;
  const { clock = systemClock, random = systemRandom, timers = systemTimers } = options;
  const limits = { ...s3Limits, ...options.limits };
  invariant(limits.staleMs > limits.uploadMs, 'no upload lasts until it counts as left behind');
  const objects = createObjects({ address: parseS3Url(options.url), limits, timers, random });
  try {
    await objects.check();
  } catch (error) {
    objects.close();
    throw error;
  }
  return createS3Store({ catalogue, objects, clock, random, spool, staleMs: limits.staleMs });
}
