import { damagedRowIn, type RowsChecked, type RowsPlace } from '#identity';
import { SUMMED, tables as summed, type SummedTable } from './checksums.js';
import { hasTableNamed, type Database } from './database.js';
import { text } from './rows.js';

/** Compares rows with their checksums, table after table, each in the order of its ids. */
export function checkRows(
  { sql, checksums }: Pick<Database, 'sql' | 'checksums'>,
  after: RowsPlace | undefined,
  limit: number,
): RowsChecked {
  // A file of an earlier schema, which nobody has opened to write yet, lacks some.
  const tables = summed.filter((table) => hasTableNamed({ sql }, table));
  const found = after === undefined ? 0 : tables.findIndex((table) => table === after.table);
  // A place in a table that there is no more: from the beginning.
  const at = Math.max(found, 0);
  const table = tables[at];
  if (table === undefined) return { rows: 0, damaged: [], next: undefined };
  const key = SUMMED[table];
  const behind = found === at && after !== undefined ? after.id : '';
  const page = sql(`SELECT * FROM ${table} WHERE ${key} > ? ORDER BY ${key} LIMIT ?`);
  // A number that damage made too large for anything else is a row's, and not the page's.
  page.setReadBigInts(true);
  const rows = page.all(behind, limit);
  const damaged = rows.flatMap((row) => damagedRowIn(checksums.refusalOf(table, row)) ?? []);
  const last = rows.at(-1);
  const next =
    rows.length === limit && last !== undefined ? { table, id: text(last, key) } : startOf(tables[at + 1]);
  return { rows: rows.length, damaged, next };
}

function startOf(table: SummedTable | undefined): RowsPlace | undefined {
  return table && { table, id: '' };
}
