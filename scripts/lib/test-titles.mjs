// Reads the titles of the tests of a spec file with TypeScript's parser, without running it. `*` in a title stands for what
// only a run knows: the values of a table or of a template.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/** What Jest replaces in the titles of a table, by values or by members of a row. */
const PLACEHOLDER = /%[sdifjoOpc#$]|\$(?:[A-Za-z_][\w.]*|#)/g;

/** A literal or template as a pattern; undefined for any other expression. */
function patternOf(node) {
  if (ts.isStringLiteralLike(node)) return node.text.replaceAll(PLACEHOLDER, '*');
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `*${literal.text}`).join('');
}

/** The module that another one imports from this repository, as a path from its root. */
function importedFrom(root, file, name) {
  const base = name.startsWith('#')
    ? `libs/${name.slice(1)}/index`
    : join(dirname(file), name).replace(/\.jsx?$/, '');
  if (!/^[.#]/.test(name)) return undefined;
  return [`${base}.ts`, `${base}.tsx`].find((path) => existsSync(join(root, path)));
}

/** What a module declares: its tests with those of its groups, all of its texts, and the modules that it imports. */
function readModule(root, file) {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest);
  const found = { titles: [], texts: new Set(), imports: [] };
  const visit = (node, groups) => {
    if (ts.isStringLiteralLike(node)) found.texts.add(node.text);
    if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name)) found.texts.add(node.name.text);
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) {
      const path = importedFrom(root, file, node.moduleSpecifier.text);
      if (path !== undefined) found.imports.push(path);
    }
    const [title, ...others] = ts.isCallExpression(node) ? node.arguments : [];
    const isSuite = others.some((each) => ts.isFunctionLike(each) || ts.isIdentifier(each));
    const pattern = title === undefined || !isSuite ? undefined : (patternOf(title) ?? '*');
    const within = pattern === undefined ? groups : [...groups, pattern];
    if (pattern !== undefined) found.titles.push({ title: pattern, fullName: within.join(' ') });
    ts.forEachChild(node, (child) => visit(child, within));
  };
  visit(source, []);
  return found;
}

/** Modules that declare tests or export them: spec files, contract suites and helpers of tests. */
const DECLARES = /\.spec\.tsx?$|\/(?:contract|testing)\//;

/** Reads spec files of a repository: their titles and full names as patterns, and the texts of their tables. */
export function createTestTitles(root) {
  const modules = new Map();
  const read = (file) => {
    if (!modules.has(file)) modules.set(file, readModule(root, file));
    return modules.get(file);
  };
  return (file) => {
    const all = new Set([file]);
    for (const each of all) for (const path of read(each).imports) if (DECLARES.test(path)) all.add(path);
    const parts = [...all].map(read);
    return {
      titles: parts.flatMap(({ titles }) => titles),
      texts: new Set(parts.flatMap(({ texts }) => [...texts])),
    };
  };
}
