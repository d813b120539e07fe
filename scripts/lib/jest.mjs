// Runs Jest, and counts what came of it.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { environment, root } from './toolchain.mjs';

/** Runs a program with its output shown; resolves with true when it ended well. */
export function ended(command, args, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    child.on('error', reject);
    child.on('close', (code) => resolve(code === 0));
  });
}

/** What Jest calls a test that was run. */
const RUN = ['passed', 'failed'];
/** What Jest calls a test that was not run. */
const LEFT_OUT = ['pending', 'skipped', 'todo', 'disabled'];

/** What a suite says of itself that runs on a double of a server: its results are no proof of the server. */
const ON_DOUBLE = /\(double\b/;

/**
 * What a part of the run came to; `notRun` tells what was left out, and its words tell why. `onDoubles` tells what ran on
 * the double of a server, `results` each test by itself.
 */
export const nothing = { passed: 0, failed: 0, skipped: 0, notRun: [], onDoubles: [], results: [] };

/** Runs one of Jest's projects, whose report goes into `folder`, with more arguments and a larger environment. */
export async function jest(node, { name, config }, folder, args, env = {}) {
  if (!existsSync(join(root, config)))
    return { ...nothing, notRun: [`the ${name} project: there is no ${config}`] };
  const report = join(folder, `${name}.json`);
  const bin = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  const flags = [
    '--enable-source-maps',
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
  ];
  // Tests start hundreds of processes, each of which would compile the same modules anew.
  const compiled = { NODE_COMPILE_CACHE: join(root, '.cache', 'compiled') };
  // Where all of it may take so long only, the long ones may begin in this time.
  const seconds = process.env.LODE_E2E_SECONDS;
  const until = seconds === undefined ? {} : { LODE_E2E_UNTIL: String(Date.now() + Number(seconds) * 1_000) };
  const asked = ['--config', config, '--json', '--outputFile', report, '--passWithNoTests', ...args];
  const good = await ended(node, [...flags, bin, ...asked], {
    ...environment(node),
    ...compiled,
    ...until,
    ...env,
  });
  if (!existsSync(report)) return { ...nothing, failed: 1 };
  return outcome(JSON.parse(readFileSync(report, 'utf8')), good);
}

/** Counts a report of Jest. A file that could not be run is one failure; so is a run that ended badly without any. */
function outcome(report, good) {
  const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
  const skipped = report.numPendingTests + report.numTodoTests;
  const notRun = report.testResults.flatMap(({ name, assertionResults }) =>
    grouped(assertionResults.filter(({ status }) => LEFT_OUT.includes(status))).map(
      ([group, tests]) => `${group} (${tests.length} in ${relative(root, name)})`,
    ),
  );
  const onDoubles = report.testResults.flatMap(({ name, assertionResults }) =>
    grouped(
      assertionResults.filter(({ status, fullName }) => RUN.includes(status) && ON_DOUBLE.test(fullName)),
    ).map(([group, tests]) => {
      const passed = tests.filter(({ status }) => status === 'passed').length;
      return `${group}: ${passed} of ${tests.length} passed, double (${relative(root, name)})`;
    }),
  );
  return {
    tests: report.numTotalTests,
    passed: report.numPassedTests,
    failed: good || failed > 0 ? failed : 1,
    skipped,
    notRun,
    onDoubles,
    results: report.testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.map(({ title, fullName, status }) => ({
        file: sourceOf(name),
        title,
        fullName,
        status,
      })),
    ),
  };
}

/** The source, as a path from the root, of a test file that Jest ran, which is its source or was built from it. */
export function sourceOf(path) {
  const file = relative(root, path).replaceAll('\\', '/');
  return file.startsWith('dist/') ? file.slice('dist/'.length).replace(/\.js$/, '.ts') : file;
}

/** Tests by the group that they are in, or by their own name. */
function grouped(tests) {
  const groups = new Map();
  for (const test of tests) {
    const name = test.ancestorTitles[0] ?? test.title;
    groups.set(name, [...(groups.get(name) ?? []), test]);
  }
  return [...groups];
}

/** Prints what was not run and what ran on doubles, and at last one line that counts everything. */
export function conclude(given) {
  const isEmpty = given.every(({ tests = 0 }) => tests === 0);
  const parts = isEmpty ? [...given, { ...nothing, failed: 1, notRun: ['any test'] }] : given;
  const sum = (of) => parts.reduce((total, part) => total + part[of], 0);
  const [passed, failed, skipped] = [sum('passed'), sum('failed'), sum('skipped')];
  const notRun = parts.flatMap((part) => part.notRun);
  const onDoubles = parts.flatMap((part) => part.onDoubles);
  if (onDoubles.length > 0) {
    console.log(`\nOn a double, which is no proof of the server that it stands for:`);
    for (const words of onDoubles) console.log(`  ${words}`);
  }
  if (notRun.length > 0) console.log(`\nNot run:\n${notRun.map((one) => `  ${one}`).join('\n')}`);
  console.log(`\n${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`);
  process.exitCode = failed === 0 ? 0 : 1;
}
