import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

/** What tests are run with here, which must not take a test that fails for one that passes. */
const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
/** Ends a test that hangs. */
const LIMIT_MS = 3_000;
const IMPORTS = `import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';`;
const JEST = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');

const CHANGES = `
  test('finds the process as it was, and changes it', () => {
    expect([process.env.OF_ANOTHER_FILE, process.cwd() === '/', Date.now() > 1]).toEqual([undefined, false, true]);
    process.env.OF_ANOTHER_FILE = 'yes';
    process.chdir('/');
    jest.useFakeTimers({ now: 0 });
    expect(Date.now()).toBe(0);
  });`;

const FILES: Readonly<Record<string, string>> = {
  'a-changes.spec.js': CHANGES,
  'b-changes.spec.js': CHANGES,
  'c-tests.spec.js': `
    describe('group', () => {
      test('passes', () => expect(1).toBe(1));
      test('fails', () => expect(1).toBe(2));
      test('hangs', () => new Promise(() => undefined), 10);
      test.skip('is skipped', () => undefined);
    });`,
  'c-names.spec.js': `
    test.each([['one', 1], ['two', 2]])('%s', (name, n) => {
      expect(expect.getState().currentTestName).toBe(name);
      expect(n).toBeGreaterThan(0);
    });
    describe('named', () => {
      test('by the groups too', () => expect(expect.getState().currentTestName).toBe('named by the groups too'));
      test('draws by the seed', () => expect(fc.readConfigureGlobal().seed).toBe(7));
      test('expects more', () => expect.assertions(1));
    });
    describe.skip('skipped', () => {
      beforeAll(() => { throw new Error('its hook'); });
      test('with its tests', () => undefined);
    });`,
  'd-after.spec.js': `
    afterAll(() => { throw new Error('after'); });
    test('passes', () => undefined);`,
  'd-hangs.spec.js': `test('hangs', () => new Promise(() => undefined));`,
  'd-longer.spec.js': `
    jest.setTimeout(60_000);
    test('takes longer than others may', () => new Promise((done) => setTimeout(done, ${LIMIT_MS} + 100)));`,
  'd-none.spec.js': '',
  'd-hook.spec.js': `
    beforeAll(() => { throw new Error('hook'); });
    test('has no set-up', () => undefined);`,
  'e-load.spec.js': `throw new Error('load');`,
  'f-error.spec.js': `
    test('throws later', (done) => {
      setImmediate(() => { setImmediate(done); throw new Error('later'); });
    });`,
  'g-rejection.spec.js': `
    test('leaves a rejection', async () => {
      void Promise.reject(new Error('nobody'));
      await new Promise(setImmediate);
    });`,
  'h-handled.spec.js': `
    test('comes to handle one', async () => {
      const promise = Promise.reject(new Error('somebody'));
      await new Promise(setImmediate);
      await expect(promise).rejects.toThrow('somebody');
    });`,
};

interface Report {
  readonly success: boolean;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

const resultOf = ({ testResults }: Report, file: string) =>
  testResults.find(({ name }) => name.endsWith(file));
const testsOf = (report: Report, file: string) =>
  resultOf(report, file)?.assertionResults.map(({ fullName, status }) => [fullName, status]);

let folder: string;
let report: Report;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lode-runner-'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), `${IMPORTS}\n${text}`);
  const ours = (name: string) => join(ROOT, 'scripts', 'check', name);
  const config = {
    rootDir: folder,
    transform: {},
    testMatch: ['**/*.spec.js'],
    testEnvironment: ours('no-environment.mjs'),
    testRunner: ours('native.mjs'),
    testTimeout: LIMIT_MS,
    workerIdleMemoryLimit: '1GB',
  };
  const args = ['--config', JSON.stringify(config), '--json', '-w', '1'];
  const printed = await new Promise<string>((resolve) => {
    execFile(
      process.execPath,
      [JEST, ...args],
      { cwd: folder, env: { ...process.env, LODE_TEST_SEED: '7' } },
      (_error, stdout) => resolve(stdout),
    );
  });
  report = JSON.parse(printed) as Report;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('what a file changes of the process is undone before the next one', () => {
  for (const file of ['a-changes.spec.js', 'b-changes.spec.js'])
    expect(resultOf(report, file)).toMatchObject({ status: 'passed', message: '' });
});

test('tests pass, fail, hang and are skipped by themselves', () => {
  expect(testsOf(report, 'c-tests.spec.js')).toEqual([
    ['group passes', 'passed'],
    ['group fails', 'failed'],
    ['group hangs', 'failed'],
    ['group is skipped', 'pending'],
  ]);
});

test('tests have their names, the seed and what they expect of themselves', () => {
  expect(testsOf(report, 'c-names.spec.js')).toEqual([
    ['one', 'passed'],
    ['two', 'passed'],
    ['named by the groups too', 'passed'],
    ['named draws by the seed', 'passed'],
    ['named expects more', 'failed'],
    ['skipped with its tests', 'pending'],
  ]);
});

test('a file may give its tests more time', () => {
  expect(resultOf(report, 'd-longer.spec.js')?.status).toBe('passed');
});

test.each([
  ['d-after.spec.js', 'after'],
  ['d-hangs.spec.js', 'Exceeded timeout'],
  ['d-none.spec.js', 'must contain at least one test'],
  ['d-hook.spec.js', 'hook'],
  ['e-load.spec.js', 'load'],
  ['f-error.spec.js', 'later'],
  ['g-rejection.spec.js', 'nobody'],
])('%s fails', (file, words) => {
  const { status, message } = resultOf(report, file) ?? {};
  expect(status).toBe('failed');
  expect(message).toContain(words);
});

test('a rejection that somebody comes to handle is none', () => {
  expect(resultOf(report, 'h-handled.spec.js')?.status).toBe('passed');
});

test.each([
  'libs/event-store/testing/index.js',
  'libs/files/s3/testing/index.js',
  'libs/jobs/bullmq/testing/index.js',
  'libs/kernel/testing/engines.js',
  'services/lode/testing/memory.js',
  'services/lode/testing/servers.js',
])('scripts can load %s, without a test runner', async (path) => {
  const load = `await import(${JSON.stringify(join(ROOT, 'dist', path))})`;
  const error = await new Promise((resolve) => {
    execFile(process.execPath, ['--input-type=module', '-e', load], resolve);
  });
  expect(error).toBeNull();
});
