import { expect, test } from '@jest/globals';
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/* The order in which test files begin where the long ones have so much time and no more. */

type Test = { readonly path: string };

const SCRIPTS = new URL('../../../scripts/', import.meta.url);
const HERE = fileURLToPath(new URL('.', import.meta.url));
const EVERY_DAY = ['paused.e2e.spec.js', 'rolling.e2e.spec.js', 'scale-out.e2e.spec.js'];

test('those of several programs on the same servers begin first every day, then other long ones by the day, then shorter ones', async () => {
  process.env['LODE_E2E_UNTIL'] = '0';
  const { default: LongestFirst } = (await import(new URL('lib/longest-first.mjs', SCRIPTS).href)) as {
    readonly default: new () => { readonly sort: (tests: readonly Test[]) => readonly Test[] };
  };
  const paths = globSync('*.spec.js', { cwd: HERE });
  const sorted = new LongestFirst().sort(paths.map((name) => ({ path: join(HERE, name) })));
  const names = sorted.map(({ path }) => basename(path));
  expect(names.slice(0, EVERY_DAY.length).toSorted()).toEqual(EVERY_DAY);
  const suffixes = ['.e2e.spec.', '.int.spec.', '.spec.'];
  const ranks = names.map((name) => suffixes.findIndex((suffix) => name.includes(suffix)));
  expect(ranks).toEqual(ranks.toSorted());
  expect(new Set(names)).toEqual(new Set(paths));
});
