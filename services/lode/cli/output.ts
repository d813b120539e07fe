import type { Progress } from '#engines';
import { systemMonotonic } from '#kernel';

/** How often progress is shown, in milliseconds. */
const SHOW_MS = 250;

/** Progress on one line of the terminal, and how it is wiped away; silent where nobody looks on. */
export function createProgress(isShown: boolean): { readonly progress: Progress; readonly end: () => void } {
  if (!isShown) return { progress: () => undefined, end: () => undefined };
  let what = '';
  let began = 0;
  let shown = 0;
  return {
    progress: (now, done, total) => {
      const time = systemMonotonic();
      if (now !== what) [what, began, shown] = [now, time, 0];
      if (time - shown < SHOW_MS) return;
      shown = time;
      const rate = time === began ? 0 : Math.round((done / (time - began)) * 1_000);
      const of = total === undefined ? '' : ` of ${count(total)}`;
      process.stderr.write(`\r\x1b[K${what}: ${count(done)}${of} (${count(rate)}/s)`);
    },
    end: () => {
      if (what !== '') process.stderr.write('\r\x1b[K');
    },
  };
}

/** A number as people read it. */
export function count(number: number | bigint): string {
  return number.toLocaleString('en');
}

/** A number of things as people read it. */
export function counted(number: number, what: string): string {
  return `${count(number)} ${what}${number === 1 ? '' : 's'}`;
}

/** A number of bytes as people read it. */
export function size(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(bytes, 1)) / 10));
  return `${(bytes / 1_024 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power] ?? ''}`;
}

/** Rows of texts with their columns below one another. */
export function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = rows.reduce<number[]>(
    (known, row) => row.map((text, column) => Math.max(known[column] ?? 0, text.length)),
    [],
  );
  return rows.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
