// Runs Jest, and counts its results.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { environment, root } from '../lib/toolchain.mjs';
import { empty } from './outcome.mjs';

/** Jest's projects by name: the configuration of each, and how Node runs it. */
const PROJECTS = {
  server: { config: 'jest.config.js', flags: [] },
  web: {
    config: 'web/jest.config.js',
    flags: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  },
};

/** What Jest calls a test that ran. */
const RAN = ['passed', 'failed'];

/** The mark of a suite on a fake server: it proves nothing about the server itself. */
const ON_FAKE_SERVER = /\(doubles?\b/;

/** Runs a program and shows its output. Resolves with true when it ended with 0. */
function succeeds(command, args, env) {
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

/** Runs the project `server` or `web` with more arguments of Jest and a larger environment. Its report goes into `folder`. */
export async function jest({ node, folder, env: shared = {} }, project, args, env = {}) {
  const report = join(folder, `${project}-${randomUUID()}.json`);
  const { config, flags } = PROJECTS[project];
  const options = ['--config', config, '--json', '--outputFile', report];
  const bin = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  const isGood = await succeeds(node, ['--enable-source-maps', ...flags, bin, ...options, ...args], {
    ...environment(node),
    // Tests start hundreds of processes, each of which would compile the same modules again.
    NODE_COMPILE_CACHE: join(root, '.cache', 'compiled'),
    ...shared,
    ...env,
  });
  if (!existsSync(report)) return { ...empty, failed: 1 };
  return outcomeOf(JSON.parse(readFileSync(report, 'utf8')), isGood);
}

/** The outcome of a report of Jest. A file that could not run is one failure, and so is a run that failed without any. */
function outcomeOf(report, isGood) {
  const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
  const files = report.testResults.map(({ name, startTime, endTime, assertionResults }) => ({
    file: sourceOf(name),
    seconds: (endTime - startTime) / 1_000,
    tests: assertionResults,
  }));
  return {
    ...empty,
    passed: report.numPassedTests,
    failed: isGood || failed > 0 ? failed : 1,
    skipped: report.numPendingTests + report.numTodoTests,
    notRun: files.flatMap(({ file, tests }) =>
      grouped(tests.filter(({ status }) => !RAN.includes(status))).map(
        ([group, { length }]) => `${group} (${length} in ${file})`,
      ),
    ),
    onFakeServers: files.flatMap(({ file, tests }) =>
      grouped(
        tests.filter(({ status, fullName }) => RAN.includes(status) && ON_FAKE_SERVER.test(fullName)),
      ).map(([group, { length }]) => `${group} (${length} in ${file})`),
    ),
    files: files.map(({ file, seconds }) => ({ file, seconds })),
    results: files.flatMap(({ file, tests }) =>
      tests.map(({ title, fullName, status }) => ({ file, title, fullName, status })),
    ),
  };
}

/** The source, as a path from the root, of a test file that Jest ran: the file itself, or what it was built from. */
export function sourceOf(path) {
  const file = relative(root, path).replaceAll('\\', '/');
  return file.startsWith('dist/') ? file.slice('dist/'.length).replace(/\.js$/, '.ts') : file;
}

/** Tests by their outermost group, or by their own title. */
function grouped(tests) {
  const groups = new Map();
  for (const test of tests) {
    const name = test.ancestorTitles[0] ?? test.title;
    groups.set(name, [...(groups.get(name) ?? []), test]);
  }
  return [...groups];
}
