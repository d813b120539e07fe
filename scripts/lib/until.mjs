import { createEmptyTestResult } from '@jest/test-result';
import jestCircus from 'jest-circus/runner';
import { WANT_OF_TIME } from './want-of-time.mjs';

/** Until when tests in a browser or of whole programs may begin, in milliseconds since the epoch; without end where nothing is set. */
const UNTIL = Number(process.env.LODE_E2E_UNTIL ?? Infinity);

/** What there was no time for, as one test that was not run. */
function leftOut(testFilePath) {
  const test = {
    ancestorTitles: [],
    title: WANT_OF_TIME,
    fullName: WANT_OF_TIME,
    status: 'pending',
    duration: null,
    failureDetails: [],
    failureMessages: [],
    invocations: 0,
    location: null,
    numPassingAsserts: 0,
  };
  return { ...createEmptyTestResult(), testFilePath, numPendingTests: 1, testResults: [test] };
}

/** Runs a test file as Jest does by itself, but for those that come too late. */
export default function run(globalConfig, config, environment, runtime, path, send) {
  if (path.includes('.e2e.spec.') && Date.now() > UNTIL) return Promise.resolve(leftOut(path));
  return jestCircus.default(globalConfig, config, environment, runtime, path, send);
}
