import { closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { FileMetadata, FileOwner, FilePage, Quota } from '#files';

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

const OWNER_ONLY = 0o600;

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
 * Opens (or makes) the catalog. It is derived and can be deleted: opening the folder then makes it anew. What is added is
 * durable when it returns: a file that a power cut took out of it would count in nobody's quota, never be swept, and not be
 * found when its owner is to be forgotten.
 */
export function openCatalog(file: string): Catalog {
  // Made before SQLite does it, so that nobody else can ever read it.
  if (!existsSync(file)) closeSync(openSync(file, 'a', OWNER_ONLY));
  const db = new DatabaseSync(file);
  // What is deleted is overwritten: a catalog must not know more of an erased person's files than the folder does.
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; ${SCHEMA}`);
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
  return {
    isWhole: () => db.prepare('PRAGMA user_version').get()?.['user_version'] === WHOLE,
    markWhole: () => db.exec(`PRAGMA user_version = ${WHOLE}`),
    add: (files) => {
      db.exec('BEGIN');
      try {
        for (const file of files)
          adding.run(file.fileId, file.ownerId, file.purpose, file.bytes, JSON.stringify(file));
        db.exec('COMMIT');
      } catch (error) {
        db.exec('ROLLBACK');
        throw error;
      }
    },
    remove: (fileId) => void removing.run(fileId),
    usage: ({ ownerId, purpose }) => {
      const row = counting.get(ownerId, purpose);
      return { files: Number(row?.['files']), bytes: Number(row?.['bytes']) };
    },
    list: ({ after = '', limit, ownerId }) => {
      const rows = ownerId === undefined ? listing.all(after, limit) : listingOf.all(ownerId, after, limit);
      return rows.map((row) => JSON.parse(String(row['metadata'])) as FileMetadata);
    },
    close: () => db.close(),
  };
}
