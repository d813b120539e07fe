import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { createDamagedRows, type DamagedRows } from '#identity';
import { invariant, type LodeError } from '#kernel';
import { hasColumn } from '#sqlite';
import { text, type Row } from './rows.js';

/**
 * The tables whose rows have a checksum, each with the column that says whose a row is. Sessions and their tokens have
 * none: they are written at every refresh, end by themselves, and whoever loses one signs in again.
 */
export const SUMMED = {
  credential: 'user_id',
  person_key: 'user_id',
  transfer_pin: 'user_id',
  second_factor: 'user_id',
  invitation_token: 'invitation_id',
} as const;

export type SummedTable = keyof typeof SUMMED;

export const tables: readonly SummedTable[] = [
  'credential',
  'person_key',
  'transfer_pin',
  'second_factor',
  'invitation_token',
];

/** Rows that are compared with their checksums whenever they are read or changed. */
export type Checksums = DamagedRows & {
  /** The row, if it is what was written. */
  readonly whole: (table: SummedTable, row: Row) => Row;
  /** What refuses it if it is not; undefined when it is. */
  readonly refusalOf: (table: SummedTable, row: Row) => LodeError | undefined;
};

/** The columns that a table's checksum is made over: all there are, so that one that is added is protected as well. */
type Columns = ReadonlyMap<SummedTable, readonly string[]>;

/**
 * Gives the tables their column, and every row the checksum of what it is now: for a file of before there were any. Whoever
 * migrates one that has them looks for damage first.
 */
export function addChecksums(db: DatabaseSync): void {
  for (const table of tables)
    if (!hasColumn(db, table, 'checksum')) db.exec(`ALTER TABLE ${table} ADD COLUMN checksum INTEGER`);
  const columns = columnsOf(db);
  defineSums(db, columns);
  for (const [table, names] of columns)
    db.exec(`UPDATE ${table} SET checksum = sum_${table}(${names.join()})`);
}

/** Has the database keep the checksums by itself: each statement that writes leaves them right, or fails on a damaged row. */
export function keepChecksums(db: DatabaseSync): Checksums {
  const checksums = compareChecksums(db);
  const columns = columnsOf(db);
  defineSums(db, columns);
  for (const [table, names] of columns) {
    const key = SUMMED[table];
    db.function(`check_${table}`, { varargs: true }, (sum: SQLOutputValue, ...values: SQLOutputValue[]) => {
      if (sum === sumOf(table, values)) return 1;
      throw checksums.refuse({ table, id: String(values[names.indexOf(key)]) });
    });
    const [all, before, after] = [names.join(), valuesOf('OLD', names), valuesOf('NEW', names)];
    const sum = `UPDATE ${table} SET checksum = sum_${table}(${after}) WHERE ${key} = NEW.${key};`;
    // Of this connection alone: whoever else writes the file has none of these functions.
    db.exec(`
      CREATE TEMP TRIGGER ${table}_written AFTER INSERT ON ${table} BEGIN ${sum} END;
      CREATE TEMP TRIGGER ${table}_changes BEFORE UPDATE OF ${all} ON ${table}
        BEGIN SELECT check_${table}(OLD.checksum, ${before}); END;
      CREATE TEMP TRIGGER ${table}_changed AFTER UPDATE OF ${all} ON ${table} BEGIN ${sum} END;
    `);
  }
  return checksums;
}

/** Compares what is read. The rows of a file of before, which has no checksums, are as they are. */
export function compareChecksums(db: DatabaseSync): Checksums {
  const columns = columnsOf(db);
  const damaged = createDamagedRows();
  const refusalOf = (table: SummedTable, row: Row): LodeError | undefined => {
    const names = columns.get(table);
    if (names === undefined) return undefined;
    invariant('checksum' in row, `a row of ${table} is read with all its columns`);
    const values = names.map((name) => row[name] ?? null);
    // As text: a look at all rows reads numbers as they are, however large.
    return String(row['checksum']) === String(sumOf(table, values))
      ? undefined
      : damaged.refuse({ table, id: text(row, SUMMED[table]) });
  };
  return {
    ...damaged,
    refusalOf,
    whole: (table, row) => {
      const refusal = refusalOf(table, row);
      if (refusal !== undefined) throw refusal;
      return row;
    },
  };
}

function columnsOf(db: DatabaseSync): Columns {
  const columns = new Map<SummedTable, readonly string[]>();
  for (const table of tables) {
    const all = db.prepare('SELECT name FROM pragma_table_info(?)').all(table);
    const names = all.map((column) => text(column, 'name'));
    if (names.includes('checksum'))
      columns.set(
        table,
        names.filter((name) => name !== 'checksum'),
      );
  }
  return columns;
}

function defineSums(db: DatabaseSync, columns: Columns): void {
  for (const table of columns.keys())
    db.function(`sum_${table}`, { deterministic: true, varargs: true }, (...values: SQLOutputValue[]) =>
      sumOf(table, values),
    );
}

function valuesOf(row: 'OLD' | 'NEW', names: readonly string[]): string {
  return names.map((name) => `${row}.${name}`).join();
}

/** CRC-32 over the table's name and a row's values. It finds accidents. Signed, so that SQLite stores it in four bytes. */
function sumOf(table: SummedTable, values: readonly SQLOutputValue[]): number {
  let summed: string = table;
  for (const value of values) {
    const shown = value instanceof Uint8Array ? Buffer.from(value).toString('base64') : String(value);
    // With its length, so that nothing can move from one column into the next.
    summed += `\n${shown.length} ${shown}`;
  }
  return crc32(summed) | 0;
}
