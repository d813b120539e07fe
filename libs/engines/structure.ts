import { existsSync } from 'node:fs';
import { lookInto } from '#sqlite';
import { withDatabase } from './failures.js';
import { fileOf, sizesOf, type Part } from './folder-state.js';
import type { FileReport, QuickCheck } from './inspection.js';
import type { Places } from './places.js';

/** Complaints kept of one file. */
const COMPLAINTS_MAX = 10;
/** What SQLite says of a disk that fails. */
const DISK_FAILED = 'disk I/O error';
/** How long a look waits for a program that writes the file; milliseconds. */
const BUSY_TIMEOUT_MS = 2_000;
/** The largest database whose structure is gone through in a moment. */
const QUICK_BYTES_MAX = 64 * 1_024 ** 2;

/** What SQLite finds wrong with the pages, the indexes and the types of the databases that can't be made again. */
export function checkStructureOf(places: Pick<Places, 'log' | 'identity'>): readonly FileReport[] {
  return [places.log, places.identity]
    .filter((file) => existsSync(file))
    .map((file) => ({ file, complaints: complaintsBy(`integrity_check(${COMPLAINTS_MAX})`, file) }));
}

/**
 * The first thing wrong with the pages of a database, found in a fraction of that time: its indexes are not compared.
 * Undefined for one that is missing or empty.
 */
export function checkQuickly(part: Part, places: Places): QuickCheck | undefined {
  const file = fileOf(part, places);
  if (!existsSync(file)) return undefined;
  const bytes = sizesOf(file).reduce((sum, one) => sum + one.bytes, 0);
  if (bytes === 0) return undefined;
  if (bytes > QUICK_BYTES_MAX) return { name: file, isLeftOut: true };
  const [complaint] = complaintsBy('quick_check(1)', file);
  return { name: file, isLeftOut: false, ...(complaint === undefined ? {} : { complaint }) };
}

/**
 * What is wrong with one table of the databases of a folder and with its indexes, by their number in all of them; undefined
 * where there is none of that number.
 */
export function checkTable(
  places: Places,
  number: number,
): { readonly name: string; readonly complaint: string | undefined } | undefined {
  const parts: readonly Part[] = ['log', 'identity', 'readModels', 'processes', 'uploadsList'];
  let left = number;
  for (const file of parts.map((part) => fileOf(part, places)).filter((one) => existsSync(one))) {
    const tables = tablesIn(file);
    const table = tables[left];
    if (table !== undefined) {
      const [complaint] = complaintsBy(`integrity_check("${table}")`, file);
      const isDisk = complaint?.includes(DISK_FAILED) === true;
      return { name: `${table} in ${file}`, complaint: isDisk ? 'the disk failed' : complaint };
    }
    left -= tables.length;
  }
  return undefined;
}

function tablesIn(file: string): readonly string[] {
  return withDatabase(file, () =>
    lookInto(file, { timeoutMs: BUSY_TIMEOUT_MS }, (db) =>
      db
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        .all()
        .map((row) => String(row['name'])),
    ),
  );
}

/** What is wrong with a file, when two looks say so: a disk that fails for a moment is no damage. */
function complaintsBy(check: string, file: string): readonly string[] {
  return lookedThrough(check, file).length === 0 ? [] : lookedThrough(check, file);
}

function lookedThrough(check: string, file: string): readonly string[] {
  return withDatabase(file, () =>
    lookInto(file, {}, (db) => {
      try {
        const rows = db.prepare(`PRAGMA ${check}`).all();
        return rows.map((row) => String(Object.values(row)[0])).filter((text) => text !== 'ok');
      } catch (error) {
        return [error instanceof Error ? error.message : String(error)];
      }
    }),
  );
}
