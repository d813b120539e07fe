import type { FileMetadata, FileOwner, FilePage } from './port.js';
import type { Quota } from './purposes.js';

/**
 * Where a file stands. One that is put goes from `pending` to `stored`, one that is deleted on to `deleting`. What may
 * not become stored any more is `abandoned`: somebody may still be writing its content. The last two end by `remove`.
 */
export type FileState = 'pending' | 'stored' | 'deleting' | 'abandoned';

/** What is known of a file, and since when it stands where it does: milliseconds of the clock of whoever moved it. */
export type CatalogueEntry = {
  readonly file: FileMetadata;
  readonly state: FileState;
  readonly since: number;
};

/** A place in the order in which entries have stood still. */
export type Stood = { readonly file: Pick<FileMetadata, 'fileId'>; readonly since: number };

/** Bounds of what a catalogue is asked. */
export const catalogueLimits = {
  /** The most entries that `stale` gives. */
  stale: 500,
} as const;

/**
 * Whose the files of a store are, and which of them are there, for a store whose contents are another program's. It is
 * not derived from anything: it is kept as safe as credentials. Several programs may have it open. Every change is
 * durable before it is answered. Every adapter passes `describeFileCatalogue` in `files/contract`.
 *
 * Errors, all `LodeError`: `unavailable`, `storage_full`, `storage_failed`.
 */
export interface FileCatalogue {
  /**
   * Adds a file as `pending`. Refuses with `quota_exceeded`; of two that come at once the second sees the first. Refuses
   * with `conflict` an id that is there. A copy of what was kept elsewhere is refused by no quota, and counted all the same.
   */
  reserve(file: FileMetadata, since: number, how?: { readonly isCopy: boolean }): Promise<void>;

  /** Makes a `pending` file `stored`. False when it is not pending any more: then its content is nobody's. */
  markStored(fileId: string, since: number): Promise<boolean>;

  /**
   * Takes a file away: a `stored` one is `deleting` from now on, a `pending` one `abandoned`; one of the other two stays
   * as it is. Answers what it was, undefined when it was not there.
   */
  markDeleting(fileId: string, since: number): Promise<FileState | undefined>;

  /** Makes a `pending` file `abandoned`, and nothing else; false when it was not pending. */
  abandon(fileId: string, since: number): Promise<boolean>;

  /** Forgets a file that is `deleting` or `abandoned`. Does nothing to any other. */
  remove(fileId: string): Promise<void>;

  get(fileId: string): Promise<CatalogueEntry | undefined>;

  /** Counts what is `pending` or `stored`. */
  usage(owner: FileOwner): Promise<Quota>;

  /** As `FileStore.list`: all but what is `abandoned`, or what is `stored` alone. */
  list(page: FilePage): Promise<readonly FileMetadata[]>;

  /**
   * Up to `catalogueLimits.stale` entries that are not `stored` and have stood since before `before`, the oldest first, of
   * those of one moment the lower id; with `after` only those that come after that one.
   */
  stale(before: number, after?: Stood): Promise<readonly CatalogueEntry[]>;

  /** As `FileStore.platform`. */
  platform(): Promise<string | undefined>;

  /** As `FileStore.claim`. */
  claim(platformId: string): Promise<void>;

  close(): Promise<void>;
}
