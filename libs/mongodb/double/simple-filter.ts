import type { Doc } from './values.js';

/** A text or number: how two of them compare depends on nothing else. */
type Plain = string | number;

/** Whether a value that is there passes one condition. */
type Test = (value: Plain) => boolean;

const COMPARISONS: Readonly<Record<string, (order: number) => boolean>> = {
  $lt: (order) => order < 0,
  $lte: (order) => order <= 0,
  $gt: (order) => order > 0,
  $gte: (order) => order >= 0,
};

/** What a member is called that is no path and no operator. */
const MEMBER_NAME = /^_?[A-Za-z]\w*$/;

/**
 * A filter that compares members with texts and numbers, and nothing else, without the evaluator, which takes longer to
 * prepare itself for one filter than a server takes for the whole statement. Undefined for any other filter. The test says
 * `unknown` of a document that has something else than a text or number there: the evaluator knows.
 */
export function simpleTestOf(filter: Doc): ((document: Doc) => boolean | 'unknown') | undefined {
  const tests: { readonly member: string; readonly tests: readonly Test[] }[] = [];
  for (const [member, condition] of Object.entries(filter)) {
    const all = MEMBER_NAME.test(member) ? testsOf(condition) : undefined;
    if (all === undefined) return undefined;
    tests.push({ member, tests: all });
  }
  return (document) => {
    let isMatch = true;
    for (const { member, tests: all } of tests) {
      const value = document[member];
      if (!isPlain(value)) return 'unknown';
      isMatch &&= all.every((test) => test(value));
    }
    return isMatch;
  };
}

function testsOf(condition: unknown): readonly Test[] | undefined {
  if (isPlain(condition)) return [(value) => Object.is(value, condition) || value === condition];
  if (typeof condition !== 'object' || condition === null || Array.isArray(condition)) return undefined;
  const tests: Test[] = [];
  for (const [operator, operand] of Object.entries(condition)) {
    const isPassed = COMPARISONS[operator];
    if (isPassed === undefined || !isPlain(operand)) return undefined;
    tests.push((value) => typeof value === typeof operand && isPassed(orderOf(value, operand)));
  }
  return tests.length === 0 ? undefined : tests;
}

function isPlain(value: unknown): value is Plain {
  return typeof value === 'string' || typeof value === 'number';
}

/** The evaluator's order of values of one type. */
function orderOf(a: Plain, b: Plain): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
