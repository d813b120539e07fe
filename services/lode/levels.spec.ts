import { expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/* The list of end-to-end files that every check of a commit runs. */

const ROOT = new URL('../../../', import.meta.url);
const { END_TO_END_MAX, endToEnd } = (await import(new URL('scripts/check/levels.mjs', ROOT).href)) as {
  readonly END_TO_END_MAX: number;
  readonly endToEnd: readonly { readonly file: string }[];
};
const files = endToEnd.map(({ file }) => file);

test('at most twelve end-to-end files are in the short check, and each exists', () => {
  expect(END_TO_END_MAX).toBe(12);
  expect(files.length).toBeLessThanOrEqual(END_TO_END_MAX);
  expect(files.filter((file) => !existsSync(fileURLToPath(new URL(file, ROOT))))).toEqual([]);
  expect(files.filter((file) => !file.endsWith('.e2e.spec.ts'))).toEqual([]);
});
