// Runs a file of tests as Node runs the program. Jest's own way gives each file modules of its own, and loads all of the
// product for each; here the files that a worker runs share them. What a file changes of the process is undone after it.
import { registerHooks } from 'node:module';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { ModernFakeTimers } from '@jest/fake-timers';
import { jestExpect } from '@jest/expect';
import { createEmptyTestResult } from '@jest/test-result';
import fc from 'fast-check';
import * as circus from 'jest-circus';
import { formatResultsErrors } from 'jest-message-util';
import { ModuleMocker } from 'jest-mock';
import { SEED } from './levels.mjs';

process.env.LODE_TEST_SEED ??= SEED;
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.LODE_TEST_SEED) });

const STATUS = { done: 'passed', skip: 'pending', todo: 'todo' };

const timers = new ModernFakeTimers({ config: { fakeTimers: {} }, global: globalThis });
const mocks = new ModuleMocker(globalThis);

/** The part of Jest's `jest` that tests here use. */
const jest = {
  fn: mocks.fn.bind(mocks),
  spyOn: mocks.spyOn.bind(mocks),
  restoreAllMocks: mocks.restoreAllMocks.bind(mocks),
  useFakeTimers: (options) => timers.useFakeTimers(options),
  useRealTimers: () => timers.useRealTimers(),
  setSystemTime: (now) => timers.setSystemTime(now),
  advanceTimersByTime: (ms) => timers.advanceTimersByTime(ms),
  advanceTimersByTimeAsync: (ms) => timers.advanceTimersByTimeAsync(ms),
  getTimerCount: () => timers.getTimerCount(),
  setTimeout: (ms) => circus.setState({ ...circus.getState(), testTimeout: ms }),
};

const { afterAll, afterEach, beforeAll, beforeEach, describe, it, test } = circus;
const provided = { afterAll, afterEach, beforeAll, beforeEach, describe, expect: jestExpect, it, jest, test };
const PROVIDED = 'lode.tests';
globalThis[Symbol.for(PROVIDED)] = provided;
const provider = `data:text/javascript,${encodeURIComponent(
  Object.keys(provided)
    .map((name) => `export const ${name} = globalThis[Symbol.for('${PROVIDED}')].${name};`)
    .join('\n'),
)}`;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url: provider, shortCircuit: true } : next(specifier, context),
});

/** The names of a test's groups and its own. */
function titlesOf({ name, parent }) {
  return parent === undefined ? [] : [...titlesOf(parent), name];
}

circus.addEventHandler(({ name, test: one }) => {
  if (name === 'test_start') {
    jestExpect.setState({
      assertionCalls: 0,
      currentTestName: titlesOf(one).join(' '),
      expectedAssertionsNumber: null,
      isExpectingAssertions: false,
      suppressedErrors: [],
    });
  }
  if (name === 'test_done') {
    one.errors.push(...jestExpect.getState().suppressedErrors);
    one.errors.push(...jestExpect.extractExpectedAssertionsErrors().map(({ error }) => error));
  }
});

/**
 * Collects what nobody catches while a file runs: errors, and rejected promises unless somebody comes to handle them. Jest's own
 * listeners, which end the worker, come back after it. Returns what ends that, and gives what was collected.
 */
function catchUncaught() {
  const errors = [];
  const rejected = new Map();
  const listeners = {
    uncaughtException: (error) => errors.push(error),
    unhandledRejection: (error, promise) => rejected.set(promise, error),
    rejectionHandled: (promise) => rejected.delete(promise),
  };
  const before = Object.keys(listeners).map((event) => [event, process.rawListeners(event)]);
  for (const [event, listener] of Object.entries(listeners))
    process.removeAllListeners(event).on(event, listener);
  return () => {
    for (const [event, all] of before) {
      process.removeAllListeners(event);
      for (const listener of all) process.on(event, listener);
    }
    return [...errors, ...rejected.values()];
  };
}

/** Notes what tests may change of the process, and returns what undoes it. */
function keepProcess() {
  const env = { ...process.env };
  const cwd = process.cwd();
  return () => {
    timers.useRealTimers();
    mocks.restoreAllMocks();
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    if (process.cwd() !== cwd) process.chdir(cwd);
  };
}

function resultOf({ testPath, status, duration, errors, errorsDetailed, startedAt, invocations }) {
  const title = testPath.at(-1);
  const ancestorTitles = testPath.slice(1, -1);
  return {
    ancestorTitles,
    title,
    fullName: [...ancestorTitles, title].join(' '),
    duration,
    startAt: startedAt,
    invocations,
    failureDetails: errorsDetailed,
    failureMessages: errors,
    location: null,
    numPassingAsserts: 0,
    retryReasons: [],
    status: status === 'done' && errors.length > 0 ? 'failed' : STATUS[status],
  };
}

/**
 * What Jest calls with a file of tests, in one of its workers (`testRunner` of its configuration). Resolves with its
 * `TestResult`. What nobody caught fails the file.
 */
export default async function run(globalConfig, config, _environment, _runtime, testPath) {
  // Jest sets 100, which each error of the product would pay for.
  Error.stackTraceLimit = 10;
  const restore = keepProcess();
  const uncaught = catchUncaught();
  const { testNamePattern, expand } = globalConfig;
  const pattern = testNamePattern ? new RegExp(testNamePattern, 'i') : null;
  circus.resetState();
  circus.setState({ ...circus.getState(), testTimeout: config.testTimeout, testNamePattern: pattern });
  jestExpect.setState({ testPath, expand, currentTestName: undefined });
  try {
    await import(pathToFileURL(testPath));
    const done = await circus.run();
    // Node tells of a rejection that was handled late in a turn of its own.
    await setImmediate();
    const testResults = done.testResults.map(resultOf);
    const count = (wanted) => testResults.filter(({ status }) => status === wanted).length;
    const errors = [...done.unhandledErrors, ...uncaught().map((error) => error?.stack ?? String(error))];
    const failures = [formatResultsErrors(testResults, config, globalConfig, testPath), ...errors];
    return {
      ...createEmptyTestResult(),
      failureMessage: failures.filter(Boolean).join('\n') || null,
      numFailingTests: count('failed'),
      numPassingTests: count('passed'),
      numPendingTests: count('pending'),
      numTodoTests: count('todo'),
      testExecError: errors.length > 0 ? { message: '', stack: errors.join('\n') } : undefined,
      testFilePath: testPath,
      testResults,
    };
  } finally {
    uncaught();
    restore();
  }
}
