import { describe, expect, test } from '@jest/globals';
import { sentences } from './sentences.js';

/* A line of the specification is held by what came of its tests in the run, and by nothing that only looks like it. */

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
type Note = {
  readonly file: string;
  readonly test: string | null;
  readonly page: string;
  readonly path: string | null;
};
type Options = { readonly isStrict: boolean; readonly records: ReadonlySet<number> };
type Held = { readonly wrong: readonly string[]; readonly notRun: readonly string[] };

const SCRIPTS = new URL('../../../../scripts/', import.meta.url);
const { held, decisionRecords } = (await import(new URL('lib/held.mjs', SCRIPTS).href)) as {
  readonly held: (
    lines: readonly Line[],
    results: readonly Result[],
    notes: readonly Note[],
    options: Options,
  ) => Held;
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
  fullName: `of it ${title}`,
  status,
});
const rule: Line = { line: 'a rule', tests: [[RULES, 'is kept']] };
const screen: Line = { line: 'a screen', tests: [[SCREENS, 'is there']], screen: '/of/:userId' };
const note = (test: string | null, path: string | null, page = 'one'): Note => ({
  file: SCREENS,
  test: test === null ? null : `of it ${test}`,
  page,
  path,
});
const records = new Set([45]);
const look = (
  line: Line,
  results: readonly Result[],
  notes: readonly Note[] = [],
  isStrict = true,
): readonly (readonly string[])[] => {
  const { wrong, notRun } = held([line], results, notes, { isStrict, records });
  return [wrong, notRun];
};

describe('a line', () => {
  test('whose test file there was no time for was not run, and is no wrong one, while others that were left out are', () => {
    const late = result(RULES, 'for want of time', 'pending');
    expect(look(rule, [late], [], false)).toEqual([[], ['a rule']]);
    expect(look(rule, [late])).toEqual([[], ['a rule']]);
    const both: Line = { ...rule, tests: [...rule.tests, [SCREENS, 'is there']] };
    expect(look(both, [late, result(SCREENS, 'is there', 'pending')])).toEqual([
      ['a rule: not run: of it is there'],
      ['a rule'],
    ]);
  });

  test.each<[string, Line]>([
    ['the title', rule],
    ['the full name', { ...rule, tests: [[RULES, 'of it is kept']] }],
    ['a name with anything in it', { ...rule, tests: [[RULES, 'is *']] }],
  ])('is held by a test that passed, by %s', (_, line) => {
    expect(look(line, [result(RULES, 'is kept')])).toEqual([[], []]);
  });

  test.each<[string, Line, readonly Result[], string]>([
    ['has no test', { ...rule, tests: [] }, [], 'a rule: no test'],
    [
      'has a test that there is not',
      rule,
      [result(RULES, 'was kept')],
      `a rule: no such test: ${RULES}: is kept`,
    ],
    [
      'has one of another file',
      rule,
      [result(SCREENS, 'is kept')],
      `a rule: no such test: ${RULES}: is kept`,
    ],
    [
      'has one that failed, of several',
      { ...rule, tests: [[RULES, 'is kept*']] },
      [result(RULES, 'is kept'), result(RULES, 'is kept twice', 'failed')],
      `a rule: failed: ${RULES}: is kept*`,
    ],
    [
      'names no decision record',
      { ...rule, adr: 9_999 },
      [result(RULES, 'is kept')],
      'a rule: no decision record 9999',
    ],
  ])('is not held when it %s', (_, line, results, wrong) => {
    expect(look(line, results)).toEqual([[wrong], []]);
  });

  test('whose test was left out is named, and wrong where everything has to run', () => {
    const results = [result(RULES, 'is kept', 'pending')];
    expect(look(rule, results, [], false)).toEqual([[], ['a rule']]);
    expect(look(rule, results)).toEqual([['a rule: not run: of it is kept'], ['a rule']]);
  });

  test('is there once', () => {
    const options = { isStrict: true, records };
    expect(held([rule, rule], [result(RULES, 'is kept')], [], options).wrong).toEqual(['twice: a rule']);
  });
});

describe('a line with a screen', () => {
  const passed = [result(SCREENS, 'comes first'), result(SCREENS, 'is there')];

  test.each<[string, readonly Note[]]>([
    ['the test opened', [note('is there', '/of/ann')]],
    ['stood open when it began', [note('comes first', '/of/ann')]],
    ['was opened before all tests', [note(null, '/of/ann')]],
  ])('is held by a page that %s', (_, notes) => {
    expect(look(screen, passed, notes)).toEqual([[], []]);
  });

  test.each<[string, readonly Note[]]>([
    ['none was opened', []],
    ['it is another one', [note('is there', '/of/ann/more')]],
    ['it was left before', [note('comes first', '/of/ann'), note('comes first', '/elsewhere')]],
    ['it was closed before', [note('comes first', '/of/ann'), note('comes first', null)]],
    ['it is opened later', [note('comes last', '/of/ann')]],
  ])('is not held when %s', (_, notes) => {
    const results = [...passed, result(SCREENS, 'comes last')];
    expect(look(screen, results, notes)).toEqual([['a screen: no test in a browser was at /of/:userId'], []]);
  });

  test('needs a browser, and is not run without one', () => {
    const component: Line = { ...screen, tests: [[RULES, 'is kept']] };
    expect(look(component, [result(RULES, 'is kept')])).toEqual([
      ['a screen: a screen, and no test in a browser'],
      [],
    ]);
    expect(look(screen, [result(SCREENS, 'is there', 'pending')], [], false)).toEqual([[], ['a screen']]);
  });
});

test('a test holds twelve lines at most', () => {
  const claims = (count: number) => Array.from({ length: count }, (_, n) => ({ ...rule, line: `rule ${n}` }));
  const wrong = (count: number) =>
    held(claims(count), [result(RULES, 'is kept')], [], { isStrict: true, records }).wrong;
  expect(wrong(12)).toEqual([]);
  expect(wrong(13)).toEqual([`13 lines, 12 at most: ${RULES}: of it is kept`]);
});

describe('the lines of the specification', () => {
  test('have each sentence that a person is told', () => {
    const told = lines.map(({ line }) => line).filter((line) => line.startsWith('Message: '));
    expect(told.toSorted()).toEqual(sentences.map((sentence) => `Message: "${sentence}"`).toSorted());
  });

  test('name decision records that there are', () => {
    const there = decisionRecords();
    expect(lines.flatMap(({ adr }) => (adr === undefined || there.has(adr) ? [] : [adr]))).toEqual([]);
  });
});
