import { expect, test } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/* What the page of guarantees says, a test shows: each row names one that is there. */

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const PAGE = 'docs/reference/guarantees.md';
const ROW = /^\| (?!engine|-)/;
const NAMED = /\[[\w.-]+\]\(\.\.\/\.\.\/([\w./-]+\.spec\.ts)\): (.+?)\s*\|$/;

/** The rows of a page's tables that name no test of this repository, or one that its file doesn't have. */
function unshown(page: string): readonly string[] {
  return page
    .split('\n')
    .filter((line) => ROW.test(line))
    .filter((line) => {
      const [, file = '', title = ''] = NAMED.exec(line) ?? [];
      return file === '' || !existsSync(ROOT + file) || !readFileSync(ROOT + file, 'utf8').includes(title);
    });
}

test('every guarantee has a test that shows it', () => {
  const page = readFileSync(ROOT + PAGE, 'utf8');
  expect(page.split('\n').filter((line) => ROW.test(line)).length).toBeGreaterThan(20);
  expect(unshown(page)).toEqual([]);
});

test.each([
  ['| Redis | gone | nothing | a test |', 1],
  ['| Redis | gone | nothing | [no.spec.ts](../../services/lode/no.spec.ts): it holds |', 1],
  [
    '| Redis | gone | nothing | [kill.e2e.spec.ts](../../services/lode/deaths/kill.e2e.spec.ts): it holds |',
    1,
  ],
  [
    '| Redis | gone | nothing | [kill.e2e.spec.ts](../../services/lode/deaths/kill.e2e.spec.ts): after kills |',
    0,
  ],
])('%s', (row, complaints) => {
  expect(unshown(row)).toHaveLength(complaints);
});
