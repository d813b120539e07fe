import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { FileMetadata, FileOwner, FilePage, Quota } from '#files';
import { isLodeError, LodeError } from '#kernel';
import {
  clearDamageMark,
  failureOf,
  isDamage,
  isEmpty,
  isMarkedDamaged,
  lookInto,
  makeForOwner,
  markIfDamaged,
  openDatabase,
  pragma,
  removeDatabase,
  setDurability,
  transaction,
} from '#sqlite';

/** Its name in the folder of files. */
export const CATALOG = 'catalog.sqlite';

/** What is in the folder, so that nobody has to list what may be millions of files. */
export type Catalog = {
  /** False until every file that was there before the catalog is in it. */
  readonly isWhole: () => boolean;
  readonly markWhole: () => void;
  /** Adds files; those that are in it already stay as they are. */
  readonly add: (files: readonly FileMetadata[]) => void;
  readonly remove: (fileId: string) => void;
  readonly usage: (owner: FileOwner) => Quota;
  readonly list: (page: FilePage) => readonly FileMetadata[];
  readonly close: () => void;
};

/** What a whole catalog says of itself. With 1 it did not wait for the disk, and may have lost the newest files. */
const WHOLE = 2;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS files (
    file_id TEXT NOT NULL PRIMARY KEY,
    owner_id TEXT NOT NULL,
    purpose TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    metadata TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS files_of_owner ON files (owner_id, purpose, bytes);
`;

/**
 * Opens (or makes) the catalog. It is derived: one that is damaged, or was found to be while it was used, is removed and
 * an empty one takes its place, which `onRemade` is told. Writes are durable on return: an entry lost in a power cut
 * would be missing from quotas, sweeps and erasures.
 */
export function openCatalog(file: string, onRemade: () => void): Catalog {
  try {
    if (!isMarkedDamaged(file)) return catalogIn(file);
  } catch (error) {
    if (!isUnusable(error)) throw refusal(file, error);
  }
  // Not kept: it would know of files that are deleted by and by.
  removeDatabase(file);
  clearDamageMark(file);
  onRemade();
  return catalogIn(file);
}

/**
 * Looks whether the catalog can be read, and changes nothing. A folder without one is fine. Throws `storage_failed` when
 * the next opening makes it anew, or when it can't be opened at all.
 */
export function checkCatalog({ folder }: { readonly folder: string }): void {
  const file = join(folder, CATALOG);
  if (!existsSync(file)) return;
  try {
    if (isMarkedDamaged(file)) throw new Error('it was found to be damaged');
    lookInto(file, {}, (db) => {
      // What the first start has not finished has no table yet.
      if (!isEmpty(db))
        db.prepare('SELECT file_id, owner_id, purpose, bytes, metadata FROM files LIMIT 1').get();
    });
  } catch (error) {
    throw refusal(file, error);
  }
}

function catalogIn(file: string): Catalog {
  makeForOwner(file);
  return openDatabase(file, {}, (db) => {
    setDurability(db, 'every commit');
    // What is deleted is overwritten: a catalog must not know more of an erased person's files than the folder does.
    db.exec(`PRAGMA secure_delete = ON; ${SCHEMA}`);
    return wrap(file, db);
  });
}

function wrap(file: string, db: DatabaseSync): Catalog {
  const adding = db.prepare('INSERT INTO files VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING');
  const removing = db.prepare('DELETE FROM files WHERE file_id = ?');
  const counting = db.prepare(
    'SELECT count(*) AS files, coalesce(sum(bytes), 0) AS bytes FROM files WHERE owner_id = ? AND purpose = ?',
  );
  const listing = db.prepare('SELECT metadata FROM files WHERE file_id > ? ORDER BY file_id LIMIT ?');
  // By the index on owners; quotas bound what is sorted.
  const listingOf = db.prepare(
    'SELECT metadata FROM files WHERE owner_id = ? AND file_id > ? ORDER BY file_id LIMIT ?',
  );
  /** Leaves word of damage for the next opening. */
  const marking = <Asked extends readonly unknown[], T>(work: (...asked: Asked) => T) => {
    return (...asked: Asked): T => {
      try {
        return work(...asked);
      } catch (error) {
        markIfDamaged(file, error);
        throw error;
      }
    };
  };
  return {
    isWhole: () => pragma(db, 'user_version') === WHOLE,
    markWhole: () => db.exec(`PRAGMA user_version = ${WHOLE}`),
    add: marking((files) => {
      transaction(db, () => {
        for (const file of files)
          adding.run(file.fileId, file.ownerId, file.purpose, file.bytes, JSON.stringify(file));
      });
    }),
    remove: marking((fileId) => void removing.run(fileId)),
    usage: marking(({ ownerId, purpose }) => {
      const row = counting.get(ownerId, purpose);
      return { files: Number(row?.['files']), bytes: Number(row?.['bytes']) };
    }),
    list: marking(({ after = '', limit, ownerId }) => {
      const rows = ownerId === undefined ? listing.all(after, limit) : listingOf.all(ownerId, after, limit);
      return rows.map((row) => JSON.parse(String(row['metadata'])) as FileMetadata);
    }),
    close: () => db.close(),
  };
}

/** True when the file is damaged, or has tables that are not the catalog's. */
function isUnusable(error: unknown): boolean {
  return isDamage(error) || failureOf(error) === 'statement';
}

/** The failure to open it, which names the file; one of the file system, or for want of room, as it is. */
function refusal(file: string, error: unknown): unknown {
  if (isLodeError(error) || !Error.isError(error) || 'syscall' in error || failureOf(error) === 'full')
    return error;
  const message = `The catalog of uploaded files ${file} can't be used: ${error.message}.`;
  return new LodeError('storage_failed', message, {}, { cause: error });
}
