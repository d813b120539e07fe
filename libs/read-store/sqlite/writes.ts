import type { DatabaseSync } from 'node:sqlite';
import { canonicalJson, comparePositions, InvariantViolation, LodeError, type Position } from '#kernel';
import { statementCache, transaction, type Statements } from '#sqlite';
import { checksumFor } from '../damage.js';
import { buildName, indexedFields, indexedText, requiredFields } from '../declarations.js';
import type { Batch, Build, Checkpoint, Document, ReadStore } from '../port.js';
import { catalogRowOf, createBuildWrites } from './builds.js';
import { bulkCheckpointPages, liveCheckpointPages } from './file.js';
import { documentsOf, type CatalogRow } from './queries.js';

type Writes = Pick<ReadStore, 'begin' | 'read' | 'write' | 'activate' | 'retire' | 'discard'>;

/** What the writing of one build's documents needs, made once. */
type Table = {
  readonly name: string;
  /** Of the catalog. */
  readonly row: CatalogRow;
  readonly checksumOf: (json: string) => number;
  readonly fields: readonly string[];
  readonly required: ReadonlySet<string>;
  /**
   * Inserts, or replaces text and checksum alone; does nothing when an indexed field is another than before. Only inserts while
   * the build has no index of ids.
   */
  readonly upsert: string;
  /** The indexed fields of one document as they are, in the order of `fields`. */
  readonly keys: string;
};

function tableOf(row: CatalogRow): Table {
  const { name, indexes, keyed } = row;
  const fields = indexedFields(indexes);
  const keys = fields.map((field) => `"k_${field}"`);
  const columns = ['id', 'document', 'checksum', ...keys];
  const isSame = keys.map((key) => `"${name}".${key} IS excluded.${key}`);
  const insert = `INSERT INTO "${name}" (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
  const upsert = keyed
    ? `${insert} ON CONFLICT (id) DO UPDATE SET document = excluded.document, checksum = excluded.checksum WHERE ${['true', ...isSame].join(' AND ')}`
    : insert;
  return {
    name,
    row,
    checksumOf: checksumFor(name),
    fields,
    required: new Set(requiredFields(indexes)),
    upsert,
    keys: `SELECT ${keys.join(', ')} FROM "${name}" WHERE id = ?`,
  };
}

function indexedTexts(table: Table, document: Document): readonly (string | null)[] {
  return table.fields.map((field) => {
    const text = indexedText(document, field);
    if (text === undefined && table.required.has(field))
      throw new InvariantViolation(
        `${table.name} is listed by ${field}, which ${document.id} has no text in`,
      );
    return text ?? null;
  });
}

/** The writer's half of the port over one connection. */
export function createWrites(database: DatabaseSync): Writes {
  const statements = statementCache(database);
  const documents = createDocumentWrites(database, statements);
  const builds = createBuildWrites(database, statements);
  // From here on whoever opened the file for writing before is refused: each write compares.
  const epoch = database.prepare('UPDATE writer SET epoch = epoch + 1 RETURNING epoch').get()?.['epoch'];
  const newest = database.prepare('SELECT epoch FROM writer');
  const checkWriter = () => {
    if (newest.get()?.['epoch'] !== epoch)
      throw new LodeError('conflict', 'Another program writes the read models now.');
  };
  const inTransaction = <Answer>(work: () => Answer): Answer => transaction(database, work, checkWriter);
  const checkpointEvery = (pages: number) => {
    database.exec(`PRAGMA wal_autocheckpoint = ${pages}`);
  };

  return {
    begin: async (collection, plan) => {
      const build = inTransaction(() => builds.begin(collection, plan));
      if (plan.bulk) checkpointEvery(bulkCheckpointPages);
      return build;
    },

    read: async (build, ids) => documentsOf(statements.prepare, documents.known(build).row, ids),

    write: async (batches) => {
      inTransaction(() => {
        for (const batch of batches) documents.write(batch);
      });
    },

    activate: async (build) => {
      inTransaction(() => builds.activate(build));
      documents.forget(build);
      checkpointEvery(liveCheckpointPages);
    },

    retire: async (build) => inTransaction(() => builds.retire(build)),

    discard: async (build) => {
      const isGone = inTransaction(() => builds.discard(build));
      if (isGone) documents.forget(build);
      return isGone;
    },
  };
}

/** What writes the documents of builds, each batch in a transaction of the caller's. */
function createDocumentWrites(database: DatabaseSync, { prepare }: Statements) {
  const tables = new Map<string, Table>();

  const known = (build: Build): Table => {
    const name = buildName(build);
    const table = tables.get(name) ?? tableOf(catalogRowOf(database, build));
    tables.set(name, table);
    return table;
  };

  /** False when the batch comes from a writer that was overtaken. */
  const advance = (name: string, { position, ordinal }: Checkpoint): boolean => {
    const stored = prepare('SELECT checkpoint FROM builds WHERE name = ?').get(name)?.['checkpoint'];
    if (comparePositions(position, String(stored) as Position) < 0) return false;
    prepare('UPDATE builds SET checkpoint = ?, ordinal = ? WHERE name = ?').run(position, ordinal, name);
    return true;
  };

  /** Names only the fields that are another than before: each that is named costs an entry in all of its indexes. */
  const replace = (table: Table, id: string, text: string, keys: readonly (string | null)[]) => {
    const before = prepare(table.keys).get(id);
    const named = table.fields.flatMap((field, n) => (before?.[`k_${field}`] === keys[n] ? [] : [n]));
    const columns = ['document', 'checksum', ...named.map((n) => `"k_${table.fields[n]}"`)];
    prepare(
      `UPDATE "${table.name}" SET ${columns.map((column) => `${column} = ?`).join(', ')} WHERE id = ?`,
    ).run(text, table.checksumOf(text), ...named.map((n) => keys[n] ?? null), id);
  };

  const write = ({ build, checkpoint, put, remove }: Batch) => {
    const table = known(build);
    if (checkpoint !== undefined && !advance(table.name, checkpoint)) return;
    const upsert = prepare(table.upsert);
    for (const document of put) {
      const text = canonicalJson(document);
      const keys = indexedTexts(table, document);
      const { changes } = upsert.run(document.id, text, table.checksumOf(text), ...keys);
      if (changes === 0) replace(table, document.id, text, keys);
    }
    if (remove.length === 0) return;
    const removal = prepare(`DELETE FROM "${table.name}" WHERE id = ?`);
    for (const id of remove) removal.run(id);
  };

  return {
    known,
    write,
    /** Lets go of what is known of a build: its table is another now, or gone. */
    forget: (build: Build) => void tables.delete(buildName(build)),
  };
}
