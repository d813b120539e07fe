import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/* The tests that the specification names are found in their sources, without a run. */

type Line = {
  readonly line: string;
  readonly tests: readonly (readonly [file: string, name: string])[];
  readonly screen?: string;
  readonly adr?: number;
};

const SCRIPT = new URL('../../../../scripts/lib/missing-tests.mjs', import.meta.url);
const { missingTests } = (await import(SCRIPT.href)) as {
  readonly missingTests: (lines: readonly Line[], root: string) => readonly string[];
};

const files = {
  'docs/adr/0001-a-decision.md': '# A decision',
  'libs/plain.spec.ts': `
    test('adds amounts', () => {});
    describe('an account', () => {
      describe('that is closed', () => { test('rejects payments', () => {}); });
    });`,
  'libs/tables.spec.ts': `
    test(\`waits for \${what}\`, () => {});
    test.each([['a', 1]])('%s is $of.kind', () => {});
    test.each(['late', 'early'])('%s', () => {});
    test.each(Object.keys({ one: 1 }))('%s', () => {});`,
  'libs/store/contract/index.ts': `export { describeStore } from './suite.js';`,
  'libs/store/contract/suite.ts': `
    export function describeStore(name: string): void {
      describe(\`store contract: \${name}\`, () => { test('writes', () => {}); });
    }`,
  'libs/store/memory.spec.ts': `
    import { describeStore } from '#store/contract';
    describeStore('memory');`,
  'web/e2e/pages.e2e.spec.ts': `test('opens a page', () => {});`,
} as const;

const PLAIN = 'libs/plain.spec.ts';
const TABLES = 'libs/tables.spec.ts';
const STORE = 'libs/store/memory.spec.ts';

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'lode-spec-coverage-'));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
});
afterAll(() => rmSync(root, { recursive: true }));

const faultsOf = (...lines: readonly Line[]) => missingTests(lines, root);
const line = (file: string, name: string): Line => ({ line: 'a rule', tests: [[file, name]] });

describe('a line of the specification', () => {
  test.each([
    ['a title', PLAIN, 'rejects payments'],
    ['a full name', PLAIN, 'an account that is closed rejects payments'],
    ['a template', TABLES, 'waits for an hour'],
    ['a row of a table', TABLES, 'a is b'],
    ['the title that a table gives', TABLES, 'late'],
    ['the title that the members of an object give', TABLES, 'one'],
    ['a title of a contract suite', STORE, 'store contract: memory writes'],
    ['a wildcard for the group', STORE, '* writes'],
    ['a wildcard for text and values', TABLES, '* is *'],
    ['a wildcard for nothing', PLAIN, 'adds amounts*'],
  ])('finds its test by %s', (_, file, name) => {
    expect(faultsOf(line(file, name))).toEqual([]);
  });

  test.each([
    ['a part of a title', PLAIN, 'adds'],
    ['a title that was renamed', PLAIN, 'adds all amounts'],
    ['a title in another file', TABLES, 'adds amounts'],
    ['a row that the table does not have', TABLES, 'in time'],
    ['text between its wildcards that is in no title', PLAIN, 'adds * amounts'],
    ['text in another order', PLAIN, '*amounts*adds*'],
  ])('does not find %s', (_, file, name) => {
    expect(faultsOf(line(file, name))).toEqual([`a rule: no such test: ${file}: ${name}`]);
  });

  test.each<[string, Line, string]>([
    ['a file that exists', line('libs/none.spec.ts', 'adds'), 'no such file: libs/none.spec.ts'],
    ['a test', { line: 'a rule', tests: [] }, 'no test'],
    ['a decision record that exists', { ...line(PLAIN, 'adds amounts'), adr: 2 }, 'no decision record 2'],
    [
      'a test in a browser for its screen',
      { ...line(PLAIN, 'adds amounts'), screen: '/page' },
      'a screen, and no test in a browser',
    ],
  ])('needs %s', (_, faulty, fault) => {
    expect(faultsOf(faulty)).toEqual([`a rule: ${fault}`]);
  });

  test('has no fault with a screen that a browser opens, and a decision record', () => {
    const complete = { ...line('web/e2e/pages.e2e.spec.ts', 'opens a page'), screen: '/page', adr: 1 };
    expect(faultsOf(complete)).toEqual([]);
  });

  test('appears once', () => {
    const rule = line(PLAIN, 'adds amounts');
    expect(faultsOf(rule, rule)).toEqual(['twice: a rule']);
  });

  test('shares its test with at most eleven others', () => {
    const linesOf = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ ...line(PLAIN, 'adds amounts'), line: `rule ${n}` }));
    expect(faultsOf(...linesOf(12))).toEqual([]);
    expect(faultsOf(...linesOf(13))).toEqual([`13 lines, 12 at most: ${PLAIN}: adds amounts`]);
  });
});
