import { closeSync, existsSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { FileMetadata, FileOwner, FilePage, Quota } from '#files';
import { isLodeError, LodeError } from '#kernel';

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
 * Opens (or makes) the catalog. It is derived: one that is damaged, or was found to be while it was used, is removed and
 * an empty one takes its place, which `onRemade` is told. What is added is durable when it returns: a file that a power cut
 * took out of it would count in nobody's quota, never be swept, and not be found when its owner is to be forgotten.
 */
export function openCatalog(file: string, onRemade: () => void): Catalog {
  try {
    if (!existsSync(damageMark(file))) return catalogIn(file);
  } catch (error) {
    if (!isUnusable(error)) throw refusal(file, error);
  }
  // Not kept: it would know of files that are deleted by and by.
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
  rmSync(damageMark(file), { force: true });
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
  let db: DatabaseSync | undefined;
  try {
    if (existsSync(damageMark(file))) throw refusal(file, new Error('it was found to be damaged'));
    db = new DatabaseSync(file, { readOnly: true });
    // What the first start has not finished has no table yet.
    if (db.prepare('SELECT name FROM sqlite_schema').get() !== undefined)
      db.prepare('SELECT file_id, owner_id, purpose, bytes, metadata FROM files LIMIT 1').get();
  } catch (error) {
    throw refusal(file, error);
  } finally {
    db?.close();
  }
}

function catalogIn(file: string): Catalog {
  // Made before SQLite does it, so that nobody else can ever read it.
  if (!existsSync(file)) closeSync(openSync(file, 'a', OWNER_ONLY));
  const db = new DatabaseSync(file);
  try {
    // What is deleted is overwritten: a catalog must not know more of an erased person's files than the folder does.
    db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; ${SCHEMA}`);
    return wrap(file, db);
  } catch (error) {
    db.close();
    throw error;
  }
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
        if (DAMAGED.includes(resultCode(error))) writeFileSync(damageMark(file), '', { mode: OWNER_ONLY });
        throw error;
      }
    };
  };
  return {
    isWhole: () => db.prepare('PRAGMA user_version').get()?.['user_version'] === WHOLE,
    markWhole: () => db.exec(`PRAGMA user_version = ${WHOLE}`),
    add: marking((files) => {
      db.exec('BEGIN');
      try {
        for (const file of files)
          adding.run(file.fileId, file.ownerId, file.purpose, file.bytes, JSON.stringify(file));
        db.exec('COMMIT');
      } catch (error) {
        if (db.isTransaction) db.exec('ROLLBACK');
        throw error;
      }
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

const damageMark = (file: string) => `${file}.damaged`;

/** SQLite's primary result codes: what is asked for is not in it, there is no room, the file is damaged or no database. */
const [ERROR, FULL, CORRUPT, NOTADB] = [1, 13, 11, 26];
const DAMAGED: readonly (number | undefined)[] = [CORRUPT, NOTADB];

function resultCode(error: unknown): number | undefined {
  if (!Error.isError(error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}

/** True when the file is damaged, or has tables that are not the catalog's. */
function isUnusable(error: unknown): boolean {
  return [ERROR, ...DAMAGED].includes(resultCode(error));
}

/** The failure to open it, which names the file; one of the file system, or for want of room, as it is. */
function refusal(file: string, error: unknown): unknown {
  if (isLodeError(error) || !Error.isError(error) || 'syscall' in error || resultCode(error) === FULL)
    return error;
  const message = `The catalog of uploaded files ${file} can't be used: ${error.message}.`;
  return new LodeError('storage_failed', message, {}, { cause: error });
}
