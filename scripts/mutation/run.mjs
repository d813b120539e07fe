// Draws the sample of mutants and has Stryker try them, library by library.
import { globSync, mkdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import fc from 'fast-check';
import { root } from '../lib/toolchain.mjs';

const SAMPLE = 400;
/** Ends a mutant that hangs, in milliseconds more than the tests take. */
const TIMEOUT_MS = 60_000;

/** What is mutated, and the tests that have to notice it. */
const libraries = {
  ledger: { mutate: ['libs/ledger/**'], tests: 'libs/ledger/' },
  commands: { mutate: ['libs/commands/**'], tests: 'libs/commands/' },
  projections: { mutate: ['libs/projections/models/**'], tests: 'libs/projections/' },
  contracts: { mutate: ['libs/contracts/**'], tests: 'libs/contracts/' },
  application: {
    mutate: ['bonus', 'requests', 'sums', 'transactions', 'transfers', 'wallet'].map(
      (topic) => `libs/application/${topic}/**`,
    ),
    tests: 'libs/application/',
  },
};

const silent = { isDebugEnabled: () => false, debug: () => undefined, info: () => undefined };

/** What the compiler writes into files with decorators. */
const OF_COMPILER = /typeof Reflect|_ts_metadata|r = c < 3|^ *typeof \w+ === "undefined"/;

/** All mutants of files, by line: `[{ place, count }]`. Those that span lines, or are in what no source has, are left out. */
async function linesWithMutants(files) {
  const sources = files.map((name) => ({
    name,
    content: readFileSync(join(root, name), 'utf8'),
    mutate: true,
  }));
  const { mutants } = await new Instrumenter(silent).instrument(sources, {
    plugins: null,
    excludedMutations: [],
    ignorers: [],
  });
  const linesOf = new Map(sources.map(({ name, content }) => [name, content.split('\n')]));
  const lines = new Map();
  for (const { fileName, location } of mutants) {
    if (location.start.line !== location.end.line) continue;
    if (OF_COMPILER.test(linesOf.get(fileName)[location.start.line])) continue;
    // Stryker counts the first line as 0.
    const place = `${fileName}:${location.start.line + 1}-${location.start.line + 1}`;
    lines.set(place, (lines.get(place) ?? 0) + 1);
  }
  return [...lines].map(([place, count]) => ({ place, count }));
}

/** The built files of a library that hold no test. */
function filesOf({ mutate }) {
  return mutate
    .flatMap((pattern) => globSync(`dist/${pattern}/*.js`, { cwd: root }))
    .filter((file) => !file.endsWith('.spec.js') && !file.includes('/testing/'))
    .sort();
}

/** Whole lines drawn by a seed, until they hold `wanted` mutants. */
function drawn(lines, wanted, seed) {
  const [shuffled] = fc.sample(fc.shuffledSubarray(lines, { minLength: lines.length }), { seed, numRuns: 1 });
  const places = [];
  let left = wanted;
  for (const { place, count } of shuffled) {
    if (left <= 0) break;
    places.push(place);
    left -= count;
  }
  return places;
}

/** The command that runs the tests of a library, until one of its files fails. */
function commandOf({ tests }) {
  const jest = 'node --enable-source-maps node_modules/jest/bin/jest.js -w 1 --bail';
  const order = '--testSequencer "<rootDir>/../scripts/mutation/shortest-first.mjs"';
  return `${jest} ${order} --testPathIgnorePatterns "[.]e2e[.]spec[.]js$" -- dist/${tests}`;
}

/** Has Stryker try the mutants of lines, each in a process of its own. Resolves with its results. */
function tried(name, places, folder) {
  return new Stryker({
    mutate: places,
    testRunner: 'command',
    commandRunner: { command: commandOf(libraries[name]) },
    concurrency: availableParallelism(),
    timeoutMS: TIMEOUT_MS,
    checkers: [],
    ignorePatterns: ['/web', '/data', '.cache', 'scripts/*/node_modules'],
    tempDirName: join('.cache', 'mutation'),
    reporters: ['json', 'clear-text', 'progress-append-only'],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportScoreTable: false },
    jsonReporter: { fileName: join(folder, `${name}.json`) },
    logLevel: 'warn',
    fileLogLevel: 'off',
    allowEmpty: true,
  }).runMutationTest();
}

const KILLED = ['Killed', 'Timeout'];

const [first, ...rest] = process.argv.slice(2);
const [sample, names] = /^\d+$/.test(first ?? '') ? [Number(first), rest] : [SAMPLE, process.argv.slice(2)];
const seed = Number(process.env.LODE_TEST_SEED);
const chosen = names.length === 0 ? Object.keys(libraries) : names;
const unknown = chosen.find((name) => !Object.hasOwn(libraries, name));
if (unknown !== undefined)
  throw new Error(`There is no library ${unknown}, only ${Object.keys(libraries).join(', ')}.`);
if (!Number.isInteger(seed) || sample === 0)
  throw new Error('LODE_TEST_SEED is a whole number, and there is at least one mutant.');
const lines = new Map();
for (const name of chosen) lines.set(name, await linesWithMutants(filesOf(libraries[name])));
const total = (all) => all.reduce((sum, { count }) => sum + count, 0);
const all = total([...lines.values()].flat());
const folder = join(root, '.cache', 'mutation-reports');
mkdirSync(folder, { recursive: true });
const results = [];
for (const name of chosen) {
  const wanted = Math.ceil((sample * total(lines.get(name))) / all);
  console.log(`\n${name}: ${wanted} of ${total(lines.get(name))} mutants …`);
  results.push(...(await tried(name, drawn(lines.get(name), wanted, seed), folder)));
}
const counted = results.filter(({ status }) => status !== 'Ignored' && status !== 'CompileError');
const killed = counted.filter(({ status }) => KILLED.includes(status));
console.log(
  `\n${killed.length} of ${counted.length} mutants were noticed, ${((100 * killed.length) / counted.length).toFixed(1)} %. The seed is ${seed}; the reports are in .cache/mutation-reports.`,
);
