// The parts of the three levels. Each gives an outcome (outcome.mjs) for a context: the Node to run on, a folder for reports,
// the environment of tests, and what the parts before it gave.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { environment, root, run } from '../lib/toolchain.mjs';
import { checkCoverage, decisionRecords } from '../lib/spec-coverage.mjs';
import { lines } from '../specification/index.mjs';
import { jest, sourceOf } from './jest.mjs';
import { endToEnd } from './levels.mjs';
import { leftOut, passedOrFailed, together } from './outcome.mjs';
import { ALL_SERVERS, mixes, runOn } from './servers.mjs';

/** The last lines of a check's output that are shown when it fails. */
const SHOWN_LINES = 200;

/** Ends a check that hangs, in milliseconds. */
const HANGS_MS = 3 * 60 * 60_000;

const quietly = ['--ignore-scripts', '--no-audit', '--no-fund'];

/** Runs programs one after the other until one fails, and shows what that one printed. */
async function check({ node, env }, ...commands) {
  for (const [command, ...args] of commands) {
    try {
      await run(command === 'node' ? node : command, args, {
        env: { ...environment(node), ...env },
        timeout: HANGS_MS,
      });
    } catch (error) {
      const output = (error.printed ?? error.message).trimEnd().split('\n').slice(-SHOWN_LINES).join('\n');
      console.log(`${output}\nFAILED: ${[command, ...args].join(' ')}`);
      return passedOrFailed(false);
    }
  }
  return passedOrFailed(true);
}

const bin = (...path) => join(root, 'node_modules', ...path);
const script = (...path) => join(root, 'scripts', ...path);
const tsc = bin('typescript', 'bin', 'tsc');

/** A check by tools with packages of their own, which nothing else installs. */
const byTools = (folder, ...args) => ({
  run: (context) =>
    check(
      context,
      ['npm', 'ci', '--prefix', script(folder), ...quietly],
      ['node', script(folder, 'check.mjs'), ...args],
    ),
});

const built = ({ file }) => join(root, 'dist', file.replace(/\.ts$/, '.js'));

/** A pattern of the end-to-end files that are not in the fixed list. */
const OTHERS = `^(?!.*(?:${endToEnd.map(({ file }) => file.replace(/\.spec\.ts$/, '')).join('|')})).*\\.e2e\\.spec\\.js$`;

/** An outcome in which, with `CI` set, a test of the fixed list that did not run counts as failed. */
function withoutSkips(outcome) {
  if (!process.env.CI) return outcome;
  const listed = new Set(endToEnd.map(({ file }) => file));
  const skips = outcome.results.filter(
    ({ file, status }) => listed.has(file) && status !== 'passed' && status !== 'failed',
  );
  const hasRun = outcome.passed + outcome.failed > 0;
  return { ...outcome, failed: outcome.failed + skips.length + (hasRun ? 0 : 1) };
}

/** Checks that run no test. */
const rules = {
  'architecture rules': {
    run: (context) =>
      check(context, ['node', bin('dependency-cruiser', 'bin', 'dependency-cruiser.mjs'), '.']),
  },
  types: {
    run: (context) => check(context, ['node', tsc, '--noEmit'], ['node', tsc, '--noEmit', '-p', 'web']),
  },
  documentation: { run: (context) => check(context, ['node', script('docs.mjs'), '--check']) },
  'specification, by names': { run: (context) => check(context, ['node', script('spec-coverage.mjs')]) },
};

const web = { run: (context) => jest(context, 'web', []) };

/** `npm test`. */
const test = {
  ...rules,
  server: {
    run: async (context) =>
      withoutSkips(await jest(context, 'server', [`--testPathIgnorePatterns=${OTHERS}`])),
  },
  web,
};

const style = {
  linter: {
    run: (context) =>
      check(
        context,
        ['node', bin('eslint', 'bin', 'eslint.js'), '.', '--concurrency', '2'],
        ['node', bin('prettier', 'bin', 'prettier.cjs'), '--check', '.'],
      ),
  },
  'size of the pages': { run: (context) => check(context, ['node', 'web/scripts/size-budget.mjs']) },
  'OpenAPI by its tools': byTools('api-tools'),
};

const onFourServers = {
  'end-to-end on four servers': {
    run: async (context) =>
      withoutSkips(
        await runOn(context, ALL_SERVERS, {
          files: endToEnd.filter(({ onServers }) => onServers).map(built),
        }),
      ),
  },
};

/** `.ci/run`. */
const ci = {
  ...test,
  ...style,
  ...onFourServers,
};

/** The pages that tests in a browser reached, as they recorded them. */
function reachedPages(path) {
  if (!existsSync(path)) return [];
  const notes = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return notes.map((note) => ({ ...note, file: sourceOf(note.file) }));
}

/** Compares the specification with the results and reached pages of this run. */
async function specification({ outcomes, env }) {
  const needed = ['unit', 'programs', 'browser', 'web'];
  if (!needed.every((name) => outcomes.has(name))) return leftOut(`it needs the parts ${needed.join(', ')}`);
  const { results } = together(needed.map((name) => outcomes.get(name)));
  const options = { isStrict: Boolean(process.env.CI), records: decisionRecords() };
  const { faults, notRun } = checkCoverage(lines, results, reachedPages(env.LODE_TEST_PAGES), options);
  if (faults.length > 0)
    console.log(`\nThe specification:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  return {
    ...passedOrFailed(faults.length === 0),
    notRun: notRun.map((line) => `of the specification: ${line}`),
  };
}

const SCHEMATHESIS = join(root, '.cache', 'schemathesis');

/** `npm run test:all`. */
const all = {
  ...rules,
  ...style,
  unit: { run: (context) => jest(context, 'server', ['--testPathIgnorePatterns=\\.e2e\\.spec\\.js$']) },
  web,
  programs: { run: (context) => jest(context, 'server', ['/dist/(?:services|libs)/.*\\.e2e\\.spec\\.js$']) },
  browser: { run: (context) => jest(context, 'server', ['/dist/web/e2e/.*\\.e2e\\.spec\\.js$']) },
  specification: { run: specification },
  ...onFourServers,
  servers: {
    run: async (context) => {
      const outcomes = [];
      for (const { on, suites } of mixes) outcomes.push(await runOn(context, on, { suites }));
      return together(outcomes);
    },
  },
  screens: {
    run: (context) =>
      check(context, ['node', script('screenshots', 'check.mjs'), '--states', '--no-pictures']),
  },
  simulation: {
    run: (context) =>
      check(context, ['node', script('simulate.mjs'), '--seeds', '2000', '--from', context.seed]),
  },
  'power-loss': { run: (context) => check(context, ['node', script('power-loss.mjs'), '200']) },
  schemathesis: {
    run: (context) =>
      check(
        context,
        ['python3', '-m', 'venv', SCHEMATHESIS],
        [
          join(SCHEMATHESIS, 'bin', 'pip'),
          ...['install', '-q', '--no-deps', '-r', script('api-tools', 'requirements.txt')],
        ],
        ['node', script('api-tools', 'schemathesis.mjs')],
      ),
  },
  firebase: byTools('firebase-clients'),
  lighthouse: byTools('lighthouse', '--gate'),
};

/** The parts of each level by name, in their order. */
export const parts = { test, ci, all };
