import { expect, test } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/* What runs on the double of a server says so, in the name of each suite: it is no proof of the server. */

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const MARK = '(double';
const A_DOUBLE = /^(?:#.*|\..*)\/double(?:\/\w+\.js)?$/;

/** The suites and tests of a test file that run on a double that the file imports, and don't say so. */
function unmarked(file: string, text: string): readonly string[] {
  const { statements } = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const names = new Set(statements.filter(isOfDouble).flatMap(namesIn));
  const isOn = (one: ts.Statement) =>
    [...names].some((name) => new RegExp(`\\b${name}\\b`).test(one.getText()));
  // What stands on a double by something else that the file declares, too.
  for (let before = 0; before < names.size;) {
    before = names.size;
    for (const one of statements.filter(isDeclaration).filter(isOn))
      for (const name of namesIn(one)) names.add(name);
  }
  const isForAll = statements.some(
    (one) => /^(?:before|after)(?:All|Each)\b/.test(one.getText()) && isOn(one),
  );
  const suites = statements.filter((one) => !ts.isImportDeclaration(one) && !isDeclaration(one));
  return suites
    .filter((one) => isForAll || isOn(one))
    .flatMap(titlesIn)
    .filter((title) => !isMarked(title, text));
}

function isOfDouble(one: ts.Statement): boolean {
  return (
    ts.isImportDeclaration(one) &&
    ts.isStringLiteral(one.moduleSpecifier) &&
    A_DOUBLE.test(one.moduleSpecifier.text)
  );
}

function isDeclaration(one: ts.Statement): boolean {
  return ts.isFunctionDeclaration(one) || ts.isVariableStatement(one) || ts.isClassDeclaration(one);
}

/** What a statement imports or declares. */
function namesIn(one: ts.Statement): readonly string[] {
  if (ts.isImportDeclaration(one)) {
    const bindings = one.importClause?.namedBindings;
    return bindings !== undefined && ts.isNamedImports(bindings)
      ? bindings.elements.map(({ name }) => name.text)
      : [];
  }
  if (ts.isVariableStatement(one))
    return one.declarationList.declarations.flatMap(({ name }) =>
      ts.isIdentifier(name) ? [name.text] : name.elements.map((element) => element.getText()),
    );
  if (ts.isFunctionDeclaration(one) || ts.isClassDeclaration(one))
    return one.name === undefined ? [] : [one.name.text];
  return [];
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
  ["import { a } from '#mongodb/double';", "describe('x', () => { test('y', () => a()); });", ["'x'"]],
  ["import { a } from './double/index.js';", "test('x', () => a()); test('y (double)', () => a());", ["'x'"]],
  [
    "import { a } from '../double/spawn.js';",
    'for (const b of [1]) describeLeases(`x ${b}`, a);',
    ['`x ${b}`'],
  ],
  ["import { a } from '#mongodb/double';", "describe.each(['a'])('x on %s', () => a());", ["'x on %s'"]],
  ["import { a } from '#mongodb/double';", "describeWhere(isHere, 'x', 'y', () => a());", ["'x'"]],
  ["import { a } from '#mongodb/double';", "const b = () => a(); test('x', () => b());", ["'x'"]],
  ["import { a } from '#mongodb/double';", "beforeAll(() => a()); test('x', () => undefined);", ["'x'"]],
  ["import { a } from '#mongodb/double';", "test('x', () => undefined);", []],
  ["import { a } from '#mongodb/double';", "describe.each(['M (double)'])('x on %s', () => a());", []],
  ["import { a } from '#mongodb';", "describe('x', () => a());", []],
])('%s %s', (importing, declaring, expected) => {
  expect(unmarked('x.spec.ts', `${importing}\n${declaring}`)).toEqual(expected);
});
