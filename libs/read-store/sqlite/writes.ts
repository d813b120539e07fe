import type { DatabaseSync } from 'node:sqlite';
import {
  canonicalJson,
  comparePositions,
  invariant,
  InvariantViolation,
  LodeError,
  type Position,
} from '#kernel';
import { buildName, checkCollection, indexedFields, indexedText, requiredFields } from '../declarations.js';
import {
  checkpointStart,
  idIndex,
  type Batch,
  type Build,
  type BuildPlan,
  type Checkpoint,
  type Collection,
  type Document,
  type Index,
  type ReadStore,
} from '../port.js';
import { bulkCheckpointPages, isConstraint, liveCheckpointPages } from './file.js';
import { documentsOf, indexName, readCatalog, statementCache, type CatalogRow } from './queries.js';

/** Rows of a retired build that one call of `discard` removes. */
const ROWS_PER_DISCARD = 2_000;

type Writes = Pick<ReadStore, 'builds' | 'begin' | 'read' | 'write' | 'activate' | 'retire' | 'discard'>;

/** What the writing of one build's documents needs, made once. */
type Table = {
  readonly name: string;
  readonly fields: readonly string[];
  readonly required: ReadonlySet<string>;
  /**
   * Inserts, or replaces the text alone; does nothing when an indexed field is another than before. Only inserts while
   * the build has no index of ids.
   */
  readonly upsert: string;
  /** The indexed fields of one document as they are, in the order of `fields`. */
  readonly keys: string;
};

function tableOf({ name, indexes, keyed }: CatalogRow): Table {
  const fields = indexedFields(indexes);
  const keys = fields.map((field) => `"k_${field}"`);
  const columns = ['id', 'document', ...keys];
  const isSame = keys.map((key) => `"${name}".${key} IS excluded.${key}`);
  const insert = `INSERT INTO "${name}" (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
  const upsert = keyed
    ? `${insert} ON CONFLICT (id) DO UPDATE SET document = excluded.document WHERE ${['true', ...isSame].join(' AND ')}`
    : insert;
  return {
    name,
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
  const { prepare, clear } = statementCache(database);
  const tables = new Map<string, Table>();
  // From here on whoever opened the file for writing before is refused: each write compares.
  const epoch = database.prepare('UPDATE writer SET epoch = epoch + 1 RETURNING epoch').get()?.['epoch'];
  const newest = database.prepare('SELECT epoch FROM writer');

  const inTransaction = <Answer>(work: () => Answer): Answer => {
    database.exec('BEGIN IMMEDIATE');
    try {
      if (newest.get()?.['epoch'] !== epoch)
        throw new LodeError('conflict', 'Another program writes the read models now.');
      const answer = work();
      database.exec('COMMIT');
      return answer;
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  };

  const checkpointEvery = (pages: number) => {
    database.exec(`PRAGMA wal_autocheckpoint = ${pages}`);
  };

  const rowOf = (build: Build): CatalogRow => {
    const row = readCatalog(database).find(({ name }) => name === buildName(build));
    invariant(row !== undefined, `there is no build ${buildName(build)}`);
    return row;
  };

  const known = (build: Build): Table => {
    const name = buildName(build);
    const table = tables.get(name) ?? tableOf(rowOf(build));
    tables.set(name, table);
    return table;
  };

  const catalogChanged = () => {
    clear();
    database.exec('UPDATE catalog SET generation = generation + 1');
  };

  const createKey = (name: string) => {
    const index = indexName(name, { name: idIndex, equals: [], order: [] });
    database.exec(`CREATE UNIQUE INDEX "${index}" ON "${name}" (id)`);
  };

  /**
   * Makes the index of ids of a table that was filled without it. A batch that was written again, because nobody knew
   * whether it had been written, is there twice: of each document the one that was put last stays.
   */
  const createLateKey = (name: string) => {
    try {
      createKey(name);
    } catch (error) {
      if (!isConstraint(error)) throw error;
      database.exec(
        `DELETE FROM "${name}" WHERE rowid NOT IN (SELECT max(rowid) FROM "${name}" GROUP BY id)`,
      );
      createKey(name);
    }
  };

  const createIndexes = (name: string, indexes: readonly Index[]) => {
    for (const index of indexes) {
      const { equals, order, filters = [] } = index;
      const columns = (fields: readonly string[]) => fields.map((field) => `"k_${field}"`);
      const all = [...columns([...equals, ...order]), 'id', ...columns(filters)];
      const has = columns(equals).map((column) => `${column} IS NOT NULL`);
      const listed = index.sparse === true ? ` WHERE ${has.join(' AND ')}` : '';
      database.exec(`CREATE INDEX "${indexName(name, index)}" ON "${name}" (${all.join(', ')})${listed}`);
    }
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
    const columns = ['document', ...named.map((n) => `"k_${table.fields[n]}"`)];
    prepare(
      `UPDATE "${table.name}" SET ${columns.map((column) => `${column} = ?`).join(', ')} WHERE id = ?`,
    ).run(text, ...named.map((n) => keys[n] ?? null), id);
  };

  const writeOne = ({ build, checkpoint, put, remove }: Batch) => {
    const table = known(build);
    if (checkpoint !== undefined && !advance(table.name, checkpoint)) return;
    const upsert = prepare(table.upsert);
    for (const document of put) {
      const text = canonicalJson(document);
      const keys = indexedTexts(table, document);
      const { changes } = upsert.run(document.id, text, ...keys);
      if (changes === 0) replace(table, document.id, text, keys);
    }
    if (remove.length === 0) return;
    const removal = prepare(`DELETE FROM "${table.name}" WHERE id = ?`);
    for (const id of remove) removal.run(id);
  };

  const begin = (collection: Collection, { bulk, writesOnce = false }: BuildPlan): Build => {
    checkCollection(collection);
    const { name: of, version, indexes } = collection;
    const last = prepare('UPDATE catalog SET last_number = last_number + 1 RETURNING last_number').get();
    const build = { collection: of, version, number: Number(last?.['last_number']) };
    const name = buildName(build);
    const required = new Set(requiredFields(indexes));
    const columns = indexedFields(indexes).map(
      (field) => `, "k_${field}" TEXT${required.has(field) ? ' NOT NULL' : ''}`,
    );
    database.exec(
      `CREATE TABLE "${name}" (id TEXT NOT NULL, document TEXT NOT NULL${columns.join('')}) STRICT`,
    );
    const keyed = !bulk || !writesOnce;
    if (keyed) createKey(name);
    if (!bulk) createIndexes(name, indexes);
    prepare('INSERT INTO builds VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)').run(
      ...[name, of, version, build.number, canonicalJson(indexes), Number(!bulk), Number(keyed)],
      ...['building', checkpointStart.position, checkpointStart.ordinal],
    );
    catalogChanged();
    return build;
  };

  return {
    builds: async () =>
      readCatalog(database).map(({ build, indexes, state, checkpoint }) => ({
        build,
        indexes,
        state,
        checkpoint,
      })),

    begin: async (collection, plan) => {
      const build = inTransaction(() => begin(collection, plan));
      if (plan.bulk) checkpointEvery(bulkCheckpointPages);
      return build;
    },

    read: async (build, ids) => documentsOf(prepare, known(build).name, ids),

    write: async (batches) => {
      inTransaction(() => {
        for (const batch of batches) writeOne(batch);
      });
    },

    activate: async (build) => {
      inTransaction(() => {
        const { name, indexes, indexed, keyed } = rowOf(build);
        if (!keyed) createLateKey(name);
        if (!indexed) createIndexes(name, indexes);
        prepare(`UPDATE builds SET state = 'retired' WHERE collection = ? AND state = 'active'`).run(
          build.collection,
        );
        prepare(`UPDATE builds SET state = 'active', indexed = 1, keyed = 1 WHERE name = ?`).run(name);
        tables.delete(name);
        catalogChanged();
      });
      checkpointEvery(liveCheckpointPages);
    },

    retire: async (build) => {
      inTransaction(() => {
        prepare(`UPDATE builds SET state = 'retired' WHERE name = ?`).run(buildName(build));
        catalogChanged();
      });
    },

    discard: async (build) =>
      inTransaction(() => {
        const row = readCatalog(database).find(({ name }) => name === buildName(build));
        if (row === undefined) return true;
        invariant(row.state !== 'active', `${row.name} is active: queries read it`);
        prepare(`UPDATE builds SET state = 'retired' WHERE name = ?`).run(row.name);
        const some = `SELECT rowid FROM "${row.name}" LIMIT ${ROWS_PER_DISCARD}`;
        const { changes } = prepare(`DELETE FROM "${row.name}" WHERE rowid IN (${some})`).run();
        if (changes === ROWS_PER_DISCARD) return false;
        tables.delete(row.name);
        clear();
        database.exec(`DROP TABLE "${row.name}"`);
        prepare('DELETE FROM builds WHERE name = ?').run(row.name);
        catalogChanged();
        return true;
      }),
  };
}
