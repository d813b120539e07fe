import { expect, test } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/* The list of end-to-end files that every check of a commit runs. */

const ROOT = new URL('../../../../', import.meta.url);
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

test('the check starts before packages are installed: it imports built-in modules and its own', () => {
  const seen = new Set(['scripts/test.mjs']);
  const packages: string[] = [];
  for (const file of seen) {
    const text = readFileSync(new URL(file, ROOT), 'utf8');
    for (const [, name = ''] of text.matchAll(/^(?:import|export)\s[^;]*?from '([^']+)';/gms)) {
      if (name.startsWith('.')) seen.add(new URL(name, new URL(file, ROOT)).href.slice(ROOT.href.length));
      else if (!name.startsWith('node:')) packages.push(`${file}: ${name}`);
    }
  }
  expect(seen.size).toBeGreaterThan(10);
  expect(packages).toEqual([]);
});
