import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { MANIFEST } from '#engines';
import { LodeError } from '#kernel';

/** Listed beside the uploaded files: the log and the identity store. */
const DATABASES = 2;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const manifest = z.object({
  /** The layout of the backup; another one is another program's. */
  format: z.literal(1),
  /** The Lode that made it. */
  version: z.string(),
  madeAt: z.iso.datetime(),
  log: z.object({
    events: z.int().min(0),
    streams: z.int().min(0),
    /** Position and hash of the last event. */
    head: z.object({ position: z.string(), chain: z.string() }),
    /** SHA-256 over the hashes of all events, in order. */
    digest: sha256,
  }),
  /** The ids of the keys that it is wrapped with, without which it can't be restored. */
  keys: z.array(z.string()).default([]),
  /** How many files `SHA256SUMS` lists, what they weigh, and its own SHA-256. */
  files: z.object({ count: z.int().min(0), bytes: z.int().min(0), sums: sha256 }),
});

/** What a backup is: written last, so that a backup with one is whole. */
export type Manifest = z.infer<typeof manifest>;

/** The manifest of a backup. Refuses a folder without a good one with `storage_failed`. */
export function readManifest(backup: string): Manifest {
  const file = join(backup, MANIFEST);
  if (statSync(file, { throwIfNoEntry: false }) === undefined) {
    throw new LodeError(
      'storage_failed',
      `${backup} is no backup, or was not finished: it has no ${MANIFEST}.`,
    );
  }
  const parsed = manifest.safeParse(jsonIn(file));
  if (parsed.success) return parsed.data;
  throw new LodeError('storage_failed', `${file} is damaged, or of another Lode.`);
}

/** How many uploaded files a backup has: of each, the content and what is known of it are listed. */
export function uploadedIn({ files }: Manifest): number {
  return (files.count - DATABASES) / 2;
}

function jsonIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
