import type { Clock } from '#kernel';
import type { FileMetadata, FileStore } from './port.js';
import { purposeRules } from './purposes.js';

/** What was named at the last moment is in the read models by then; milliseconds. */
const GRACE_MS = 60 * 60_000;

/** Bounds of one run. */
const PAGE = 500;
const PAGES_MAX = 100;
const FAILURES_MAX = 10;

/** True while something may name a file that nothing names yet. */
export function mayBeNamed({ createdAt, purpose }: Aging, now: number): boolean {
  return now - Date.parse(createdAt) < purposeRules[purpose].unnamedMs;
}

type Aging = Pick<FileMetadata, 'createdAt' | 'purpose'>;

export type SweepOptions = {
  readonly store: FileStore;
  /** The ids of those of the files that something names. It must know of everything that was named up to now. */
  readonly referenced: (files: readonly FileMetadata[]) => Promise<ReadonlySet<string>>;
  readonly clock: Clock;
  /** Where the run before stopped. */
  readonly after?: string | undefined;
};

/** What a run deleted, what it could not delete, and where the following run goes on; undefined when it begins anew. */
export type SweptUnreferenced = {
  readonly deleted: number;
  readonly failed: number;
  readonly next: string | undefined;
};

/**
 * Deletes files that nothing names: evidence that no request came for, images that were replaced. One run looks at a
 * bounded number of files, and ends when too many can't be deleted. Such a one is tried again when a run comes by.
 */
export async function sweepUnreferenced(options: SweepOptions): Promise<SweptUnreferenced> {
  const { store, referenced, clock } = options;
  const now = clock() - GRACE_MS;
  let { after } = options;
  let [deleted, failed] = [0, 0];
  for (let page = 0; page < PAGES_MAX; page++) {
    const files = await store.list({ limit: PAGE, ...(after === undefined ? {} : { after }) });
    const old = files.filter((file) => !mayBeNamed(file, now));
    const named = old.length === 0 ? new Set<string>() : await referenced(old);
    for (const { fileId } of old) {
      if (named.has(fileId)) continue;
      try {
        await store.delete(fileId);
        deleted += 1;
      } catch {
        failed += 1;
      }
      if (failed >= FAILURES_MAX) return { deleted, failed, next: fileId };
    }
    after = files.length < PAGE ? undefined : files.at(-1)?.fileId;
    if (after === undefined) break;
  }
  return { deleted, failed, next: after };
}
