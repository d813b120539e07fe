/** What a cell can hold. Nothing is an empty cell. */
export type Cell = string | number | boolean | null | undefined;

/** The columns of a list as a file: the name in its first line, and what a row has there. */
export type Columns<Row> = readonly (readonly [name: string, cell: (row: Row) => Cell])[];

/**
 * The file begins with a byte order mark: spreadsheets, which these files are for, otherwise read names with accents as
 * Windows-1252. Programs that can't pass over it take JSON.
 */
const BYTE_ORDER_MARK = '\uFEFF';
const LINE_END = '\r\n';

/** What a spreadsheet takes for the beginning of a formula, some of them in full width too, or passes over before one. */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n\0]/;
/** An amount below zero stays the number that it is: no formula has digits and one point alone. */
const NEGATIVE = /^-\d+(?:\.\d+)?$/;
/** What would end a cell, also for a program that goes by semicolons or tabs. */
const QUOTED = /[",;\t\r\n]/;

/** The first line of a file. */
export function csvHead<Row>(columns: Columns<Row>): string {
  return BYTE_ORDER_MARK + lineOf(columns.map(([name]) => name));
}

/** The line of a row (RFC 4180). A text that a spreadsheet would run is made one that it shows, with a leading `'`. */
export function csvLine<Row>(columns: Columns<Row>, row: Row): string {
  return lineOf(columns.map(([, cell]) => cell(row)));
}

function lineOf(cells: readonly Cell[]): string {
  return cells.map(textOf).join(',') + LINE_END;
}

function textOf(cell: Cell): string {
  const text = String(cell ?? '');
  const safe = FORMULA.test(text) && !NEGATIVE.test(text) ? `'${text}` : text;
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
