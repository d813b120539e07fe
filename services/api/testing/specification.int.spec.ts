import { describe, expect, test } from '@jest/globals';
import { sentences } from './sentences.js';

/* A line of the specification needs tests that passed in a complete run. */

type Line = {
  readonly line: string;
  readonly tests: readonly (readonly [file: string, name: string])[];
  readonly screen?: string;
  readonly adr?: number;
};
type Result = {
  readonly file: string;
  readonly title: string;
  readonly fullName: string;
  readonly status: string;
};
type Visit = {
  readonly file: string;
  readonly test: string | null;
  readonly page: string;
  readonly path: string | null;
};
type Options = { readonly isStrict: boolean; readonly records: ReadonlySet<number> };
type Coverage = { readonly faults: readonly string[]; readonly notRun: readonly string[] };

const SCRIPTS = new URL('../../../../scripts/', import.meta.url);
const { checkCoverage, decisionRecords } = (await import(new URL('lib/spec-coverage.mjs', SCRIPTS).href)) as {
  readonly checkCoverage: (
    lines: readonly Line[],
    results: readonly Result[],
    visits: readonly Visit[],
    options: Options,
  ) => Coverage;
  readonly decisionRecords: () => ReadonlySet<number>;
};
const { lines } = (await import(new URL('specification/index.mjs', SCRIPTS).href)) as {
  readonly lines: readonly Line[];
};

const RULES = 'libs/a.spec.ts';
const SCREENS = 'web/e2e/a.e2e.spec.ts';
const result = (file: string, title: string, status = 'passed'): Result => ({
  file,
  title,
  fullName: `a group ${title}`,
  status,
});
const rule: Line = { line: 'a rule', tests: [[RULES, 'passes']] };
const screen: Line = { line: 'a screen', tests: [[SCREENS, 'is there']], screen: '/of/:userId' };
const visit = (test: string | null, path: string | null, page = 'one'): Visit => ({
  file: SCREENS,
  test: test === null ? null : `a group ${test}`,
  page,
  path,
});
const records = new Set([45]);
const check = (
  line: Line,
  results: readonly Result[],
  visits: readonly Visit[] = [],
  isStrict = true,
): readonly (readonly string[])[] => {
  const { faults, notRun } = checkCoverage([line], results, visits, { isStrict, records });
  return [faults, notRun];
};

describe('a line', () => {
  test.each<[string, Line]>([
    ['the title', rule],
    ['the full name', { ...rule, tests: [[RULES, 'a group passes']] }],
    ['a name with a wildcard', { ...rule, tests: [[RULES, 'pass*']] }],
  ])('is covered by a test that passed and is named by %s', (_, line) => {
    expect(check(line, [result(RULES, 'passes')])).toEqual([[], []]);
  });

  test.each<[string, Line, readonly Result[], string]>([
    ['has no test', { ...rule, tests: [] }, [], 'a rule: no test'],
    [
      'names a test that does not exist',
      rule,
      [result(RULES, 'passed')],
      `a rule: no such test: ${RULES}: passes`,
    ],
    [
      'names a test of another file',
      rule,
      [result(SCREENS, 'passes')],
      `a rule: no such test: ${RULES}: passes`,
    ],
    [
      'has several tests, one of which failed',
      { ...rule, tests: [[RULES, 'passes*']] },
      [result(RULES, 'passes'), result(RULES, 'passes twice', 'failed')],
      `a rule: failed: ${RULES}: passes*`,
    ],
    [
      'names a decision record that does not exist',
      { ...rule, adr: 9_999 },
      [result(RULES, 'passes')],
      'a rule: no decision record 9999',
    ],
  ])('has a fault when it %s', (_, line, results, fault) => {
    expect(check(line, results)).toEqual([[fault], []]);
  });

  test('whose test did not run is listed, and has a fault where all tests must run', () => {
    const results = [result(RULES, 'passes', 'pending')];
    expect(check(rule, results, [], false)).toEqual([[], ['a rule']]);
    expect(check(rule, results)).toEqual([['a rule: not run: a group passes'], ['a rule']]);
  });

  test('appears once', () => {
    const options = { isStrict: true, records };
    expect(checkCoverage([rule, rule], [result(RULES, 'passes')], [], options).faults).toEqual([
      'twice: a rule',
    ]);
  });
});

describe('a line with a screen', () => {
  const passed = [result(SCREENS, 'comes first'), result(SCREENS, 'is there')];

  test.each<[string, readonly Visit[]]>([
    ['the test opened', [visit('is there', '/of/ann')]],
    ['was open when the test began', [visit('comes first', '/of/ann')]],
    ['was opened before all tests', [visit(null, '/of/ann')]],
  ])('is covered by a page that %s', (_, visits) => {
    expect(check(screen, passed, visits)).toEqual([[], []]);
  });

  test.each<[string, readonly Visit[]]>([
    ['no page was opened', []],
    ['the test opened another page', [visit('is there', '/of/ann/more')]],
    [
      'the page navigated away before the test',
      [visit('comes first', '/of/ann'), visit('comes first', '/other')],
    ],
    ['the page was closed before the test', [visit('comes first', '/of/ann'), visit('comes first', null)]],
    ['a later test opened it', [visit('comes last', '/of/ann')]],
  ])('has a fault when %s', (_, visits) => {
    const results = [...passed, result(SCREENS, 'comes last')];
    expect(check(screen, results, visits)).toEqual([
      ['a screen: no test in a browser was at /of/:userId'],
      [],
    ]);
  });

  test('needs a test in a browser', () => {
    const component: Line = { ...screen, tests: [[RULES, 'passes']] };
    expect(check(component, [result(RULES, 'passes')])).toEqual([
      ['a screen: a screen, and no test in a browser'],
      [],
    ]);
    expect(check(screen, [result(SCREENS, 'is there', 'pending')], [], false)).toEqual([[], ['a screen']]);
  });
});

test('at most twelve lines may name the same test', () => {
  const linesOf = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ ...rule, line: `rule ${n}` }));
  const faults = (count: number) =>
    checkCoverage(linesOf(count), [result(RULES, 'passes')], [], { isStrict: true, records }).faults;
  expect(faults(12)).toEqual([]);
  expect(faults(13)).toEqual([`13 lines, 12 at most: ${RULES}: a group passes`]);
});

describe('the lines of the specification', () => {
  test('have each sentence of the catalogue', () => {
    const messages = lines.map(({ line }) => line).filter((line) => line.startsWith('Message: '));
    expect(messages.toSorted()).toEqual(sentences.map((sentence) => `Message: "${sentence}"`).toSorted());
  });

  test('name decision records that exist', () => {
    const existing = decisionRecords();
    expect(lines.flatMap(({ adr }) => (adr === undefined || existing.has(adr) ? [] : [adr]))).toEqual([]);
  });
});
