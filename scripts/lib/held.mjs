// Holds each line of the specification against what came of the tests in this very run: a test that is named for a line
// must have run and passed, and for a line with a screen one in Chromium must have been on its page.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { WANT_OF_TIME } from './want-of-time.mjs';
import { root } from './toolchain.mjs';

/** The lines that one test may hold: more can't be shown by it, they only happen while it runs. */
const LINES_MAX = 12;
/** Where tests drive a real browser. */
const IN_BROWSER = /^web\/e2e\/.*\.e2e\.spec\.ts$/;

/** Whether it stands for all tests of a file that there was no time for. */
const isLate = ({ title }) => title === WANT_OF_TIME;

/** True for a name with `*` in the place of anything, and for the very name. */
function isNamed(name, text) {
  const parts = name.split('*').map((part) => part.replaceAll(/[\\^$.+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(text);
}

/** The pages that each test was on: those that it opened, and those that stood open when it began. */
export function pagesOf(results, notes) {
  const pages = new Map();
  for (const file of new Set(notes.map((note) => note.file))) {
    const noted = notes.filter((note) => note.file === file);
    const tests = results.filter((result) => result.file === file);
    const order = new Map(tests.map(({ fullName }, n) => [fullName, n]));
    const open = new Map();
    let next = 0;
    for (const [n, test] of tests.entries()) {
      const seen = new Set();
      const take = ({ page, path }) => (path === null ? open.delete(page) : open.set(page, path));
      // What is noted outside of a test belongs to what comes before one.
      for (; next < noted.length && (order.get(noted[next].test) ?? -1) < n; next += 1) take(noted[next]);
      for (const path of open.values()) seen.add(path);
      for (; next < noted.length && order.get(noted[next].test) === n; next += 1) {
        take(noted[next]);
        if (noted[next].path !== null) seen.add(noted[next].path);
      }
      pages.set(test, seen);
    }
  }
  return pages;
}

/** True when a path is of a route, whose parts with a colon stand for anything. */
function isAt(route, path) {
  return new RegExp(`^${route.replaceAll(/:\w+/g, '[^/]+')}$`).test(path);
}

/** What is wrong with a line, and what was not run of it. */
function lookAt({ tests, screen, adr }, found, pages, records) {
  const wrong = [];
  for (const [n, matches] of found.entries()) {
    const words = tests[n].join(': ');
    if (matches.length === 0) wrong.push(`no such test: ${words}`);
    if (matches.some(({ status }) => status === 'failed')) wrong.push(`failed: ${words}`);
  }
  const all = found.flat();
  const left = all.filter(({ status }) => status !== 'passed' && status !== 'failed');
  if (tests.length === 0) wrong.push('no test');
  if (adr !== undefined && !records.has(adr)) wrong.push(`no decision record ${adr}`);
  if (screen !== undefined) {
    const inBrowser = all.filter(({ file }) => IN_BROWSER.test(file));
    const wasThere = (test) => [...(pages.get(test) ?? [])].some((path) => isAt(screen, path));
    const ran = inBrowser.filter(({ status }) => status === 'passed');
    if (inBrowser.length === 0) wrong.push('a screen, and no test in a browser');
    else if (ran.length === inBrowser.length && !ran.some(wasThere))
      wrong.push(`no test in a browser was at ${screen}`);
  }
  return { wrong, left };
}

/** The tests that are named for too many lines, each with how many. */
function crowded(claims) {
  return [...claims]
    .filter(([, lines]) => lines > LINES_MAX)
    .map(([{ file, fullName }, lines]) => `${lines} lines, ${LINES_MAX} at most: ${file}: ${fullName}`);
}

/** The numbers of the decision records that there are. */
export function decisionRecords() {
  const names = readdirSync(join(root, 'docs', 'adr'));
  return new Set(names.map((name) => Number(/^\d{4}/.exec(name)?.[0])).filter((number) => number > 0));
}

/**
 * Holds lines against the results of a run and the pages that were reached in it. `wrong` has what fails the run;
 * `notRun` has the lines whose tests were left out, which on a machine for checks are wrong, too, but for want of time.
 */
export function held(lines, results, notes, { isStrict, records }) {
  const pages = pagesOf(results, notes);
  const claims = new Map();
  const wrong = [];
  const notRun = [];
  const inFile = (file) => results.filter((result) => result.file === file);
  for (const one of lines) {
    const found = one.tests.map(([file, name]) =>
      inFile(file).filter(
        (test) => isLate(test) || isNamed(name, test.title) || isNamed(name, test.fullName),
      ),
    );
    const named = found.flat().filter((test) => !isLate(test));
    for (const test of new Set(named)) claims.set(test, (claims.get(test) ?? 0) + 1);
    const { wrong: faults, left } = lookAt(one, found, pages, records);
    const missing = left.filter((test) => !isLate(test)).map(({ fullName }) => `not run: ${fullName}`);
    for (const fault of isStrict ? [...faults, ...missing] : faults) wrong.push(`${one.line}: ${fault}`);
    if (left.length > 0) notRun.push(one.line);
  }
  const names = lines.map(({ line }) => line);
  const twice = names.filter((name, n) => names.indexOf(name) < n).map((name) => `twice: ${name}`);
  return { wrong: [...wrong, ...crowded(claims), ...twice], notRun };
}
