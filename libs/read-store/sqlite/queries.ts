import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { invariant, plainFailure, type Position } from '#kernel';
import { hasColumn, statementCache } from '#sqlite';
import { checksumFor, damagedIndex, parsedDocuments, refuseOthers } from '../damage.js';
import { buildName, indexFor } from '../declarations.js';
import {
  idIndex,
  limits,
  type Build,
  type BuildState,
  type Checkpoint,
  type Document,
  type Index,
  type ListQuery,
  type ReadStoreReader,
} from '../port.js';

/** A build as the catalog has it. */
export type CatalogRow = BuildState & {
  readonly name: string;
  /** As `isIndexed`, of the index of ids alone: a bulk build has it at once unless its documents are each put once. */
  readonly keyed: boolean;
  /** Rows have a place for their checksum: not while a file of before is only read. */
  readonly hasChecksums: boolean;
};

/** Every build in the file, as the port gives it. */
export function readBuilds(database: DatabaseSync): readonly BuildState[] {
  return readCatalog(database).map(({ build, indexes, state, isIndexed, checkpoint }) => ({
    build,
    indexes,
    state,
    isIndexed,
    checkpoint,
  }));
}

/** Every build in the file. */
export function readCatalog(database: DatabaseSync): readonly CatalogRow[] {
  return database
    .prepare('SELECT * FROM builds ORDER BY collection, number')
    .all()
    .map((row) => ({
      name: String(row['name']),
      build: {
        collection: String(row['collection']),
        version: Number(row['version']),
        number: Number(row['number']),
      } satisfies Build,
      indexes: JSON.parse(String(row['indexes'])) as readonly Index[],
      keyed: row['keyed'] === 1,
      state: String(row['state']) as CatalogRow['state'],
      isIndexed: row['indexed'] === 1,
      checkpoint: checkpointOf(row),
      hasChecksums: hasColumn(database, String(row['name']), 'checksum'),
    }));
}

/**
 * Where a build stands. Rows of the format without ordinals were folded from the embedded log, the only one there was:
 * its positions count its events from 1.
 */
export function checkpointOf(row: Readonly<Record<string, unknown>>): Checkpoint {
  const position = String(row['checkpoint']) as Position;
  return { position, ordinal: Number(row['ordinal'] ?? position) };
}

/** The name of the index that a build's table has for a declared one. */
export function indexName(table: string, index: Index): string {
  return `${table}/${index.name}`;
}

/** The columns of an index's order, with the id at the end. */
function orderOf(index: Index): readonly string[] {
  return [...index.order, 'id'].map((field) => (field === 'id' ? 'id' : `"k_${field}"`));
}

/** Statement and bindings of one page. The index is named outright, so that no page ever becomes a scan. */
function pageOf(
  table: string,
  index: Index,
  query: ListQuery,
  columns: readonly string[],
): { text: string; values: (string | number)[] } {
  const order = orderOf(index);
  const [than, way] = query.direction === 'ascending' ? ['>', 'ASC'] : ['<', 'DESC'];
  const fixed = Object.entries(query.equals);
  const conditions = fixed.map(([field]) => `"k_${field}" = ?`);
  const values: (string | number)[] = fixed.map(([, value]) => value);
  const [first = 'id'] = order;
  const { after, from, to } = startOf(query);
  if (after !== undefined) {
    conditions.push(`(${order.join(', ')}) ${than} (${order.map(() => '?').join(', ')})`);
    values.push(...after);
  }
  if (from !== undefined) {
    conditions.push(`${first} >= ?`);
    values.push(from);
  }
  if (to !== undefined) {
    conditions.push(`${first} < ?`);
    values.push(to);
  }
  values.push(query.limit);
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  const orderBy = order.map((field) => `${field} ${way}`).join(', ');
  return {
    text: `SELECT ${columns.join(', ')} FROM "${table}" INDEXED BY "${indexName(table, index)}" ${where} ORDER BY ${orderBy} LIMIT ?`,
    values,
  };
}

/**
 * Where a page starts, said once: of the row before it and the bound on the same side only the one that is further in
 * is named, because SQLite would begin at either of them and pass over all rows up to the other.
 */
function startOf({ after, direction, from, to }: ListQuery): Pick<ListQuery, 'after' | 'from' | 'to'> {
  const [key] = after ?? [];
  const bounds = {
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
  if (after === undefined || key === undefined) return bounds;
  if (direction === 'ascending') {
    const isBefore = from !== undefined && compareTexts(key, from) < 0;
    return isBefore ? bounds : { after, ...(to === undefined ? {} : { to }) };
  }
  const isBeyond = to !== undefined && compareTexts(key, to) >= 0;
  return isBeyond ? bounds : { after, ...(from === undefined ? {} : { from }) };
}

/** SQLite's own order of texts, which is that of their bytes. */
function compareTexts(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** The columns of a document's row. */
function rowOf({ hasChecksums }: Pick<CatalogRow, 'hasChecksums'>): readonly string[] {
  return ['id', 'document', hasChecksums ? 'checksum' : 'NULL AS checksum'];
}

type Row = Readonly<Record<string, unknown>>;

/** The documents of rows. A row from before there were checksums has none. */
function parsed(build: Build, rows: readonly Row[]): readonly Document[] {
  const checksumOf = checksumFor(buildName(build));
  return parsedDocuments(
    build,
    rows.map(({ id, document: json, checksum }) => ({
      id,
      json,
      isWhole: checksum === null || checksum === checksumOf(String(json)),
    })),
  );
}

/** Those of the documents that are in the table, in no order. */
export function documentsOf(
  prepare: (text: string) => StatementSync,
  row: Pick<CatalogRow, 'build' | 'name' | 'hasChecksums'>,
  ids: readonly string[],
): readonly Document[] {
  invariant(ids.length <= limits.idsPerRead, `${ids.length} ids are more than one read may ask for`);
  const columns = rowOf(row).join(', ');
  const text = `SELECT ${columns} FROM "${row.name}" WHERE id IN (SELECT value FROM json_each(?))`;
  return parsed(row.build, prepare(text).all(JSON.stringify(ids)));
}

type Queries = Omit<ReadStoreReader, 'close'>;

/**
 * The reader's half of the port over one connection. Each query is one read transaction that looks at the catalog's
 * generation first: the snapshot that says which build is active is the one that is queried, so a swap or the removal
 * of a retired build in between is not seen at all. `isHeld` says that the caller holds one transaction over all queries.
 */
export function createQueries(database: DatabaseSync, isHeld = false): Queries {
  const { prepare, clear } = statementCache(database);
  let generation = -1;
  let active: ReadonlyMap<string, CatalogRow> = new Map();

  const query = <Answer>(collection: string, ask: (build: CatalogRow) => Answer): Answer => {
    if (!isHeld) prepare('BEGIN').run();
    try {
      const current = Number(prepare('SELECT generation FROM catalog').get()?.['generation']);
      if (current !== generation) {
        clear();
        const rows = readCatalog(database).filter((row) => row.state === 'active');
        active = new Map(rows.map((row) => [row.build.collection, row]));
        generation = current;
      }
      const build = active.get(collection);
      if (build === undefined)
        throw plainFailure('unavailable', `The read model ${collection} is being built.`);
      return ask(build);
    } finally {
      if (!isHeld && database.isTransaction) prepare('COMMIT').run();
    }
  };

  return {
    builds: async () => readBuilds(database),

    get: async <Doc extends Document>(collection: string, id: string) =>
      query(collection, (row) => {
        const found = prepare(`SELECT ${rowOf(row).join(', ')} FROM "${row.name}" WHERE id = ?`).all(id);
        const [document] = parsed(row.build, found);
        if (document !== undefined && document.id !== id) throw damagedIndex(row.build, idIndex);
        return document as Doc | undefined;
      }),

    getMany: async <Doc extends Document>(collection: string, ids: readonly string[]) =>
      query(collection, (row) => {
        const found = new Map(documentsOf(prepare, row, ids).map((document) => [document.id, document]));
        return ids.flatMap((id) => (found.get(id) as Doc | undefined) ?? []);
      }),

    list: async <Doc extends Document>(collection: string, asked: ListQuery) =>
      query(collection, (row) => {
        const index = indexFor(collection, row.indexes, asked);
        const { text, values } = pageOf(row.name, index, asked, rowOf(row));
        const documents = parsed(row.build, prepare(text).all(...values));
        refuseOthers(row.build, documents, asked);
        return documents as readonly Doc[];
      }),

    keys: async (collection: string, asked: ListQuery) =>
      query(collection, ({ name, indexes }) => {
        const index = indexFor(collection, indexes, asked);
        const { text, values } = pageOf(name, index, asked, orderOf(index));
        return prepare(text)
          .all(...values)
          .map((row) => Object.values(row).map(String));
      }),

    checkpoint: async (collection: string) =>
      query(collection, ({ name }) => {
        const row = prepare('SELECT * FROM builds WHERE name = ?').get(name);
        return checkpointOf(row ?? {});
      }),
  };
}
