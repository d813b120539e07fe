import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import {
  catalogueLimits,
  checkQuota,
  fileLimits,
  filePurposes,
  mediaTypes,
  purposeRules,
  type CatalogueEntry,
  type FileCatalogue,
  type FileMetadata,
  type FileOwner,
  type FileState,
  type Quota,
} from '#files';
import { invariant, LodeError, refuseAnothers } from '#kernel';
import {
  failureOf,
  isEmpty,
  keptFileError,
  makeForOwner,
  openDatabase,
  pragma,
  setDurability,
  statementCache,
  transaction,
  type Statements,
} from '#sqlite';

/** How long a statement waits for another program that writes the file. Milliseconds. */
const BUSY_TIMEOUT_MS = 2_000;
/** Says whose database this is: "LODF". */
const APPLICATION_ID = 0x4c4f4446;
/** A file with a later one is not opened. */
const SCHEMA_VERSION = 1;

const SCHEMA = `
  CREATE TABLE file (
    file_id    TEXT PRIMARY KEY,
    owner_id   TEXT NOT NULL,
    purpose    TEXT NOT NULL,
    media_type TEXT NOT NULL,
    bytes      INTEGER NOT NULL,
    sha256     TEXT NOT NULL,
    created_at TEXT NOT NULL,
    state      TEXT NOT NULL CHECK (state IN ('pending', 'stored', 'deleting', 'abandoned')),
    since      INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX file_of_owner ON file (owner_id, purpose, state, bytes);
  CREATE INDEX file_unsettled ON file (since) WHERE state <> 'stored';
`;
/** Whose files these are. No row: nobody's yet. Catalogues from before there were platforms get it too. */
const PLATFORM =
  'CREATE TABLE IF NOT EXISTS platform (row INTEGER PRIMARY KEY CHECK (row = 1), platform_id TEXT NOT NULL) STRICT;';

type Row = Record<string, SQLOutputValue>;
type Change = {
  readonly fileId: string;
  readonly from: FileState;
  readonly to: FileState;
  readonly since: number;
};

/**
 * Opens the catalogue of files in one SQLite file, which is made when it isn't there. Throws `storage_failed` when the
 * file is damaged, is another program's or a newer Lode's; `unavailable` when another program holds it.
 */
export async function openSqliteFileCatalogue({ file }: { readonly file: string }): Promise<FileCatalogue> {
  return translated(file, () => {
    makeForOwner(file);
    return openDatabase(file, { timeoutMs: BUSY_TIMEOUT_MS }, (db) => {
      check(file, db);
      if (!setDurability(db, 'every commit'))
        throw unusable(file, 'is on a disk that has no shared memory for a write-ahead log');
      // What is deleted is overwritten: it says whose a file was.
      db.exec('PRAGMA secure_delete = ON');
      transaction(db, () => make(db));
      return catalogueIn(file, db);
    });
  });
}

/** Refuses what is not this program's to write; one that is empty is. */
function check(file: string, db: DatabaseSync): void {
  if (isEmpty(db)) return;
  if (pragma(db, 'application_id') !== APPLICATION_ID) throw unusable(file, 'belongs to another program');
  const version = pragma(db, 'user_version');
  if (version > SCHEMA_VERSION)
    throw unusable(file, `was written by a newer Lode (schema ${version}, this one knows ${SCHEMA_VERSION})`);
}

/** Makes the tables, unless another program has made them. */
function make(db: DatabaseSync): void {
  if (isEmpty(db))
    db.exec(`${SCHEMA} PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION};`);
  db.exec(PLATFORM);
}

function catalogueIn(file: string, db: DatabaseSync): FileCatalogue {
  const { prepare: sql } = statementCache(db);
  const read = async <T>(work: () => T): Promise<T> => translated(file, work);
  const write = writerOn(file, db);

  return {
    reserve: (added, since, { isCopy } = { isCopy: false }) =>
      write(() => {
        if (find(sql, added.fileId) !== undefined)
          throw new LodeError('conflict', `There is a file ${added.fileId} already.`);
        if (!isCopy) checkQuota(kept(sql, added), added.bytes, purposeRules[added.purpose].quota);
        add(sql, added, since);
      }),
    markStored: (fileId, since) => write(() => move(sql, { fileId, from: 'pending', to: 'stored', since })),
    abandon: (fileId, since) => write(() => move(sql, { fileId, from: 'pending', to: 'abandoned', since })),
    markDeleting: (fileId, since) =>
      write(() => {
        const before = find(sql, fileId)?.state;
        if (before === 'stored') move(sql, { fileId, from: before, to: 'deleting', since });
        if (before === 'pending') move(sql, { fileId, from: before, to: 'abandoned', since });
        return before;
      }),
    remove: (fileId) =>
      write(() => {
        sql("DELETE FROM file WHERE file_id = ? AND state IN ('deleting', 'abandoned')").run(fileId);
      }),
    get: (fileId) => read(() => find(sql, fileId)),
    usage: (owner) => read(() => kept(sql, owner)),
    list: ({ after = '', limit, ownerId, storedOnly = false }) =>
      read(() => {
        invariant(limit > 0 && limit <= fileLimits.page, `${limit} is no page's limit`);
        const [whose, owners] = ownerId === undefined ? ['', []] : ['owner_id = ? AND', [ownerId]];
        const states = storedOnly ? "state = 'stored'" : "state <> 'abandoned'";
        return sql(`SELECT * FROM file WHERE ${whose} file_id > ? AND ${states} ORDER BY file_id LIMIT ?`)
          .all(...owners, after, limit)
          .map((row) => entryOf(row).file);
      }),
    stale: (before, after) =>
      read(() =>
        sql(
          `SELECT * FROM file WHERE state <> 'stored' AND since < ? AND (since, file_id) > (?, ?)
           ORDER BY since, file_id LIMIT ?`,
        )
          .all(before, after?.since ?? -1, after?.file.fileId ?? '', catalogueLimits.stale)
          .map(entryOf),
      ),
    platform: () =>
      read(() => {
        const found = sql('SELECT platform_id FROM platform').get();
        return found && String(found['platform_id']);
      }),
    claim: async (platformId) => {
      const owner = await write(() => {
        sql('INSERT OR IGNORE INTO platform (row, platform_id) VALUES (1, ?)').run(platformId);
        return String(sql('SELECT platform_id FROM platform').get()?.['platform_id']);
      });
      refuseAnothers(`The catalogue of files ${file}`, owner, platformId);
    },
    close: async () => {
      if (db.isOpen) db.close();
    },
  };
}

/** Does changes wholly or not at all; durable when they are answered. */
function writerOn(file: string, db: DatabaseSync): <T>(work: () => T) => Promise<T> {
  let failed = false;
  return async (work) => {
    // After a failed fsync the kernel may have dropped the pages and say yes the next time.
    if (failed) throw unusable(file, 'takes no more changes since the disk failed: restart Lode');
    return translated(file, () => {
      try {
        return transaction(db, work);
      } catch (error) {
        failed ||= failureOf(error) === 'diskFailed';
        throw error;
      }
    });
  };
}

function add(sql: Statements['prepare'], file: FileMetadata, since: number): void {
  const { fileId, ownerId, purpose, mediaType, bytes, sha256, createdAt } = file;
  sql("INSERT INTO file VALUES (?, ?, ?, ?, ?, ?, ?, 'pending', ?)").run(
    fileId,
    ownerId,
    purpose,
    mediaType,
    bytes,
    sha256,
    createdAt,
    since,
  );
}

function move(sql: Statements['prepare'], { fileId, from, to, since }: Change): boolean {
  const moved = sql('UPDATE file SET state = ?, since = ? WHERE file_id = ? AND state = ?');
  return moved.run(to, since, fileId, from).changes === 1;
}

function find(sql: Statements['prepare'], fileId: string): CatalogueEntry | undefined {
  const row = sql('SELECT * FROM file WHERE file_id = ?').get(fileId);
  return row && entryOf(row);
}

function kept(sql: Statements['prepare'], { ownerId, purpose }: FileOwner): Quota {
  const row = sql(
    `SELECT count(*) AS files, coalesce(sum(bytes), 0) AS bytes FROM file
     WHERE owner_id = ? AND purpose = ? AND state IN ('pending', 'stored')`,
  ).get(ownerId, purpose);
  return { files: Number(row?.['files']), bytes: Number(row?.['bytes']) };
}

function entryOf(row: Row): CatalogueEntry {
  return {
    file: {
      fileId: String(row['file_id']),
      ownerId: String(row['owner_id']),
      purpose: oneOf(filePurposes, row['purpose']),
      mediaType: oneOf(mediaTypes, row['media_type']),
      bytes: Number(row['bytes']),
      sha256: String(row['sha256']),
      createdAt: String(row['created_at']),
    },
    state: oneOf(STATES, row['state']),
    since: Number(row['since']),
  };
}

const STATES: readonly FileState[] = ['pending', 'stored', 'deleting', 'abandoned'];

function oneOf<T extends string>(known: readonly T[], value: SQLOutputValue | undefined): T {
  const found = known.find((one) => one === value);
  invariant(found !== undefined, `${String(value)} is one of ${known.join(', ')}`);
  return found;
}

function translated<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw keptFileError(error, 'catalogue of files', file);
  }
}

function unusable(file: string, why: string): LodeError {
  return new LodeError('storage_failed', `The catalogue of files ${file} ${why}.`);
}
