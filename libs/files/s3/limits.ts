import { retryLimits } from '#files';
import type { RetryPolicy } from '#kernel';

/** Bounds of what is asked of an object store. */
export type S3Limits = {
  /** How long one is asked again until it counts as out of reach: at the opening, for an upload, for all else. Milliseconds. */
  readonly openMs: number;
  readonly uploadMs: number;
  readonly operationMs: number;
  /** How long one try may take, of an upload and of all else: then the next one goes by another connection. */
  readonly uploadTryMs: number;
  readonly tryMs: number;
  /** Pauses between two tries. */
  readonly retry: RetryPolicy;
  /** How long a download waits for its next bytes. */
  readonly stalledMs: number;
  /** Requests under way at once, and how many wait for that. A download counts until it begins. */
  readonly requests: number;
  readonly waiting: number;
  /** Downloads under way at once. */
  readonly downloads: number;
  /** Uploads of unknown size that are under way at once, each in a file of at most `fileLimits.bytes`; and of one person. */
  readonly spooled: number;
  readonly spooledOfOnePerson: number;
  /** How long a sweep tries to delete one content, in milliseconds, and how many it fails to delete until it stops. */
  readonly sweepMs: number;
  readonly sweepFailures: number;
  /** What stands still for longer was left by a program that ended: longer than any upload takes. */
  readonly staleMs: number;
};

export const s3Limits: S3Limits = {
  openMs: 10_000,
  uploadMs: retryLimits.uploadMs,
  operationMs: retryLimits.operationMs,
  uploadTryMs: 120_000,
  tryMs: 20_000,
  retry: retryLimits.retry,
  stalledMs: 30_000,
  requests: 64,
  waiting: 1_000,
  downloads: 256,
  spooled: 64,
  spooledOfOnePerson: 8,
  sweepMs: 10_000,
  sweepFailures: 100,
  staleMs: 60 * 60_000,
};
