import type { DatabaseSync } from 'node:sqlite';
import { canonicalJson, invariant } from '#kernel';
import type { Statements } from '#sqlite';
import { buildName, checkCollection, indexedFields, requiredFields } from '../declarations.js';
import {
  checkpointStart,
  idIndex,
  type Build,
  type BuildPlan,
  type Collection,
  type Index,
} from '../port.js';
import { isConstraint } from './file.js';
import { indexName, readCatalog, type CatalogRow } from './queries.js';

/** Rows of a retired build that one call of `discard` removes. */
const ROWS_PER_DISCARD = 2_000;

/** What the catalog says of a build that must be there. */
export function catalogRowOf(database: DatabaseSync, build: Build): CatalogRow {
  const row = readCatalog(database).find(({ name }) => name === buildName(build));
  invariant(row !== undefined, `there is no build ${buildName(build)}`);
  return row;
}

/** What begins, activates, retires and discards builds, each in a transaction of the caller's. */
export function createBuildWrites(database: DatabaseSync, { prepare, clear }: Statements) {
  const catalogChanged = () => {
    clear();
    database.exec('UPDATE catalog SET generation = generation + 1');
  };

  return {
    begin: (collection: Collection, { bulk, writesOnce = false }: BuildPlan): Build => {
      checkCollection(collection);
      const { name: of, version, indexes } = collection;
      const last = prepare('UPDATE catalog SET last_number = last_number + 1 RETURNING last_number').get();
      const build = { collection: of, version, number: Number(last?.['last_number']) };
      const name = buildName(build);
      const keyed = !bulk || !writesOnce;
      createTable(database, name, indexes);
      if (keyed) createKey(database, name);
      if (!bulk) createIndexes(database, name, indexes);
      prepare('INSERT INTO builds VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)').run(
        ...[name, of, version, build.number, canonicalJson(indexes), Number(!bulk), Number(keyed)],
        ...['building', checkpointStart.position, checkpointStart.ordinal],
      );
      catalogChanged();
      return build;
    },

    activate: (build: Build): void => {
      const { name, indexes, isIndexed, keyed } = catalogRowOf(database, build);
      if (!keyed) createLateKey(database, name);
      if (!isIndexed) createIndexes(database, name, indexes);
      prepare(`UPDATE builds SET state = 'retired' WHERE collection = ? AND state = 'active'`).run(
        build.collection,
      );
      prepare(`UPDATE builds SET state = 'active', indexed = 1, keyed = 1 WHERE name = ?`).run(name);
      catalogChanged();
    },

    retire: (build: Build): void => {
      prepare(`UPDATE builds SET state = 'retired' WHERE name = ?`).run(buildName(build));
      catalogChanged();
    },

    /** False while some of it is left. */
    discard: (build: Build): boolean => {
      const row = readCatalog(database).find(({ name }) => name === buildName(build));
      if (row === undefined) return true;
      invariant(row.state !== 'active', `${row.name} is active: queries read it`);
      prepare(`UPDATE builds SET state = 'retired' WHERE name = ?`).run(row.name);
      const some = `SELECT rowid FROM "${row.name}" LIMIT ${ROWS_PER_DISCARD}`;
      const { changes } = prepare(`DELETE FROM "${row.name}" WHERE rowid IN (${some})`).run();
      if (changes === ROWS_PER_DISCARD) return false;
      clear();
      database.exec(`DROP TABLE "${row.name}"`);
      prepare('DELETE FROM builds WHERE name = ?').run(row.name);
      catalogChanged();
      return true;
    },
  };
}

function createTable(database: DatabaseSync, name: string, indexes: readonly Index[]): void {
  const required = new Set(requiredFields(indexes));
  const columns = indexedFields(indexes).map(
    (field) => `, "k_${field}" TEXT${required.has(field) ? ' NOT NULL' : ''}`,
  );
  database.exec(
    `CREATE TABLE "${name}" (id TEXT NOT NULL, checksum INTEGER NOT NULL, document TEXT NOT NULL${columns.join('')}) STRICT`,
  );
}

function createKey(database: DatabaseSync, name: string): void {
  const index = indexName(name, { name: idIndex, equals: [], order: [] });
  database.exec(`CREATE UNIQUE INDEX "${index}" ON "${name}" (id)`);
}

/**
 * Makes the index of ids of a table that was filled without it. A batch that was written again, because nobody knew
 * whether it had been written, is there twice: of each document the one that was put last stays.
 */
function createLateKey(database: DatabaseSync, name: string): void {
  try {
    createKey(database, name);
  } catch (error) {
    if (!isConstraint(error)) throw error;
    database.exec(`DELETE FROM "${name}" WHERE rowid NOT IN (SELECT max(rowid) FROM "${name}" GROUP BY id)`);
    createKey(database, name);
  }
}

function createIndexes(database: DatabaseSync, name: string, indexes: readonly Index[]): void {
  for (const index of indexes) {
    const { equals, order, filters = [] } = index;
    const columns = (fields: readonly string[]) => fields.map((field) => `"k_${field}"`);
    const all = [...columns([...equals, ...order]), 'id', ...columns(filters)];
    const has = columns(equals).map((column) => `${column} IS NOT NULL`);
    const listed = index.sparse === true ? ` WHERE ${has.join(' AND ')}` : '';
    database.exec(`CREATE INDEX "${indexName(name, index)}" ON "${name}" (${all.join(', ')})${listed}`);
  }
}
