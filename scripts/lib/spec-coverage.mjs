// Compares the specification with the results of a complete run: a named test must have passed, and for a line with a screen
// a test in Chromium must have opened its page. `missing-tests.mjs` compares it with the sources of the tests.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root as repository } from './toolchain.mjs';

/** The lines that may name the same test. One test can't show more than that. */
const LINES_MAX = 12;
/** Where tests drive a real browser. */
const IN_BROWSER = /^web\/e2e\/.*\.e2e\.spec\.ts$/;

/** True for the same text, and for a name with `*` in the place of any text. */
function matches(name, text) {
  const parts = name.split('*').map((part) => part.replaceAll(/[\\^$.+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(text);
}

/** The pages that were open during each test: those that it opened, and those that were open when it began. */
export function pagesOf(results, visits) {
  const pages = new Map();
  for (const file of new Set(visits.map((visit) => visit.file))) {
    const inFile = visits.filter((visit) => visit.file === file);
    const tests = results.filter((result) => result.file === file);
    const order = new Map(tests.map(({ fullName }, n) => [fullName, n]));
    const open = new Map();
    let next = 0;
    for (const [n, test] of tests.entries()) {
      const seen = new Set();
      const take = ({ page, path }) => (path === null ? open.delete(page) : open.set(page, path));
      // A visit outside of all tests counts as one before the first.
      for (; next < inFile.length && (order.get(inFile[next].test) ?? -1) < n; next += 1) take(inFile[next]);
      for (const path of open.values()) seen.add(path);
      for (; next < inFile.length && order.get(inFile[next].test) === n; next += 1) {
        take(inFile[next]);
        if (inFile[next].path !== null) seen.add(inFile[next].path);
      }
      pages.set(test, seen);
    }
  }
  return pages;
}

/** True when a path is of a route, in which a part with a colon stands for any. */
function isAt(route, path) {
  return new RegExp(`^${route.replaceAll(/:\w+/g, '[^/]+')}$`).test(path);
}

/** The faults of a line that no test has to run for. */
export function faultsOfLine({ tests, screen, adr }, adrs) {
  const faults = [];
  if (tests.length === 0) faults.push('no test');
  if (adr !== undefined && !adrs.has(adr)) faults.push(`no decision record ${adr}`);
  if (screen !== undefined && !tests.some(([file]) => IN_BROWSER.test(file)))
    faults.push('a screen, and no test in a browser');
  return faults;
}

/** The faults of a line in a run. `found` has the results for each test that the line names. */
function faultsOfRun({ tests, screen }, found, pages) {
  const faults = [];
  for (const [n, results] of found.entries()) {
    const words = tests[n].join(': ');
    if (results.length === 0) faults.push(`no such test: ${words}`);
    if (results.some(({ status }) => status === 'failed')) faults.push(`failed: ${words}`);
  }
  const inBrowser = found.flat().filter(({ file }) => IN_BROWSER.test(file));
  const wasThere = (test) => [...(pages.get(test) ?? [])].some((path) => isAt(screen, path));
  const passed = inBrowser.filter(({ status }) => status === 'passed');
  if (screen !== undefined && inBrowser.length > 0 && passed.length === inBrowser.length)
    if (!passed.some(wasThere)) faults.push(`no test in a browser was at ${screen}`);
  return faults;
}

/** The tests that too many lines name, each with their number. `claims` has the lines of each test. */
export function overloaded(claims, wordsOf) {
  return [...claims]
    .filter(([, count]) => count > LINES_MAX)
    .map(([test, count]) => `${count} lines, ${LINES_MAX} at most: ${wordsOf(test)}`);
}

/** The lines that are there more than once. */
export function duplicates(lines) {
  const names = lines.map(({ line }) => line);
  return names.filter((name, n) => names.indexOf(name) < n).map((name) => `twice: ${name}`);
}

/** The numbers of the decision records. */
export function decisionRecords(root = repository) {
  const names = readdirSync(join(root, 'docs', 'adr'));
  return new Set(names.map((name) => Number(/^\d{4}/.exec(name)?.[0])).filter((number) => number > 0));
}

/**
 * Checks lines against the results of a complete run and the pages that it opened. Returns the faults, and the lines
 * of which a test did not run; with `isStrict` those are faults, too.
 */
export function checkCoverage(lines, results, visits, { isStrict, records }) {
  const pages = pagesOf(results, visits);
  const claims = new Map();
  const faults = [];
  const notRun = [];
  for (const one of lines) {
    const found = one.tests.map(([file, name]) =>
      results.filter(
        (test) => test.file === file && (matches(name, test.title) || matches(name, test.fullName)),
      ),
    );
    const named = found.flat();
    for (const test of new Set(named)) claims.set(test, (claims.get(test) ?? 0) + 1);
    const left = named.filter(({ status }) => status !== 'passed' && status !== 'failed');
    const missing = isStrict ? left.map(({ fullName }) => `not run: ${fullName}`) : [];
    for (const fault of [...faultsOfLine(one, records), ...faultsOfRun(one, found, pages), ...missing])
      faults.push(`${one.line}: ${fault}`);
    if (left.length > 0) notRun.push(one.line);
  }
  const crowded = overloaded(claims, ({ file, fullName }) => `${file}: ${fullName}`);
  return { faults: [...faults, ...crowded, ...duplicates(lines)], notRun };
}
