import { expect, test } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/* What runs on the double of a server says so, in the name of each suite: it is no proof of the server. */

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const MARK = '(double';
const A_DOUBLE = /^(?:#.*|\..*)\/double(?:\/\w+\.js)?$/;

/** The suites and tests of a test file that don't say that they run on a double, when the file imports one. */
function unmarked(file: string, text: string): readonly string[] {
  const { statements } = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const isOnDouble = statements.some(
    (one) =>
      ts.isImportDeclaration(one) &&
      ts.isStringLiteral(one.moduleSpecifier) &&
      A_DOUBLE.test(one.moduleSpecifier.text),
  );
  return isOnDouble ? statements.flatMap(titlesIn).filter((title) => !isMarked(title, text)) : [];
}

/** The titles of what a statement declares at the top of a file. */
function titlesIn(node: ts.Node): readonly string[] {
  if (ts.isCallExpression(node)) {
    const isDeclaring = /^(?:describe|test)/.test(node.expression.getText());
    const title = node.arguments.find((one) => !/^(?:has|is)|[=!]==/.test(one.getText()));
    return isDeclaring && title !== undefined ? [title.getText()] : [];
  }
  return node.getChildren().flatMap(titlesIn);
}

/** A title that is not in one text has its mark where its parts are. */
function isMarked(title: string, text: string): boolean {
  const isWhole = /^['`]/.test(title) && !title.includes('%s') && !title.includes('${');
  return (isWhole ? title : text).includes(MARK);
}

test('every suite that runs on a double says so', () => {
  const files = globSync(['libs/**/*.spec.ts', 'services/**/*.spec.ts'], { cwd: ROOT }).filter(
    (file) => !file.includes('/double/'),
  );
  const complaints = files.flatMap((file) =>
    unmarked(file, readFileSync(`${ROOT}${file}`, 'utf8')).map((title) => `${file}: ${title}`),
  );
  expect(complaints).toEqual([]);
});

test.each([
  ["import { a } from '#mongodb/double';", "describe('x', () => { test('y', () => {}); });", ["'x'"]],
  ["import { a } from './double/index.js';", "test('x', () => {}); test('y (double)', () => {});", ["'x'"]],
  [
    "import { a } from '../double/spawn.js';",
    'for (const a of [1]) describeLeases(`x ${a}`, a);',
    ['`x ${a}`'],
  ],
  ["import { a } from '#mongodb/double';", "describe.each(['a'])('x on %s', () => {});", ["'x on %s'"]],
  ["import { a } from '#mongodb/double';", "describeWhere(isHere, 'x', 'y', () => {});", ["'x'"]],
  ["import { a } from '#mongodb/double';", "describe.each(['M (double)'])('x on %s', () => {});", []],
  ["import { a } from '#mongodb';", "describe('x', () => {});", []],
])('%s %s', (importing, declaring, expected) => {
  expect(unmarked('x.spec.ts', `${importing}\n${declaring}`)).toEqual(expected);
});
