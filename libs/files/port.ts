import type { Readable } from 'node:stream';
import type { MediaType } from './media-type.js';
import type { FilePurpose, Quota } from './purposes.js';

/** What is known of a stored file. Its original name is not kept: it is the uploader's text and of no use. */
export type FileMetadata = {
  /** 35 random letters and digits. */
  readonly fileId: string;
  /** The person who uploaded it. */
  readonly ownerId: string;
  /** Files that were stored before there were purposes are evidence. */
  readonly purpose: FilePurpose;
  /** Told from its first bytes, never from its name or from what the client said. */
  readonly mediaType: MediaType;
  readonly bytes: number;
  /** SHA-256 of the content, hex. */
  readonly sha256: string;
  /** ISO 8601 instant in UTC with milliseconds. */
  readonly createdAt: string;
};

/** What the content of a stored file must be. */
export type FileFacts = Pick<FileMetadata, 'bytes' | 'sha256'>;

/** A whole file in memory, or its chunks as they come (any Node `Readable` is one). */
export type FileContent = Uint8Array | AsyncIterable<Uint8Array>;

/** Whose a new file is and what it is for. */
export type FileOwner = Pick<FileMetadata, 'ownerId' | 'purpose'>;

/** Which files are listed. */
export type FilePage = {
  readonly after?: string;
  readonly limit: number;
  readonly ownerId?: string;
  /** Leaves out what the store knows to be half stored or half deleted. */
  readonly storedOnly?: boolean;
};

/** Some bytes of a file, both ends inclusive, counted from 0. */
export type ByteRange = { readonly first: number; readonly last: number };

/** Bounds of what a store takes and gives. */
export const fileLimits = {
  /** The largest file, in bytes. */
  bytes: 10 * 1024 * 1024,
  /** The most files that one call lists. */
  page: 1_000,
} as const;

/** What a sweep came to: what it finished, and what it could not finish and leaves to a later one. */
export type Swept = { readonly finished: number; readonly failed: number };

/**
 * Uploaded files: evidence and images. Written once, never changed. Every adapter passes `describeFileStore` in
 * `files/contract`.
 *
 * Errors, all `LodeError`, beside those named below: `storage_full` (nothing was stored), `storage_failed`, and of a
 * store that is another program `unavailable`.
 */
export interface FileStore {
  /**
   * Stores a file and answers after it is durable; until then, and after any failure, nobody sees anything of it. When
   * it refuses it stops reading `content`, and what `content` throws is thrown on. Refuses with `file_empty`,
   * `file_type` (none of `mediaTypes`), `file_too_large` (more than `fileLimits.bytes`), `quota_exceeded`
   * (the owner would keep more of this purpose than `purposeRules` allow).
   */
  put(content: FileContent, owner: FileOwner): Promise<FileMetadata>;

  /**
   * Stores a file of another store as what it was there, and answers after it is durable; does nothing when it is here
   * already, and takes away first what a copy that was cut off has left of it. Refuses with `conflict` when another file
   * has its id, and with `storage_failed` when the content is not what `file` says. Nobody else may write the store meanwhile.
   */
  copy(content: FileContent, file: FileMetadata): Promise<void>;

  /**
   * A file's content as it was stored, or some bytes of it, which must be there and can't be compared with the file's hash.
   * The caller reads the stream to its end or destroys it. Refuses with `file_not_found`.
   */
  open(
    fileId: string,
    range?: ByteRange,
  ): Promise<{ readonly metadata: FileMetadata; readonly stream: Readable }>;

  /** Refuses with `file_not_found`, also for a text that is no file's id. */
  stat(fileId: string): Promise<FileMetadata>;

  /** How many files a person keeps for a purpose, and how large they are together. */
  usage(owner: FileOwner): Promise<Quota>;

  /**
   * Up to `limit` (at most `fileLimits.page`) files in the order of their ids, from the one after `after`; with `ownerId`
   * only those of that person. No file that can be read is left out. One that is just being stored, or was just lost in a
   * crash, may be among them: `delete` takes the one and forgets the other.
   */
  list(page: FilePage): Promise<readonly FileMetadata[]>;

  /** Deletes a file for ever; false when there was none. A file that is just being stored is deleted once it is. */
  delete(fileId: string): Promise<boolean>;

  /**
   * Finishes what programs that ended left half done, a bounded part of it: to be called from time to time. What can't be
   * finished keeps it from nothing else. Several programs may call it at once.
   */
  sweep(): Promise<Swept>;

  /** Whose platform they are; undefined for files that are nobody's yet. */
  platform(): Promise<string | undefined>;

  /**
   * Takes files that are nobody's yet for a platform, for ever. Refuses, with `storage_failed` and both ids, those of
   * another platform.
   */
  claim(platformId: string): Promise<void>;

  /** Lets go of the engine. */
  close(): Promise<void>;
}
