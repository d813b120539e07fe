import { availableParallelism } from 'node:os';

/**
 * Tests run on the built program (`dist/`), so that worker threads, import maps and decorators are the ones that ship. They run
 * as the program does, on Node's own modules.
 * `npm test` builds first; see docs/adr.
 */
export default {
  testEnvironment: '<rootDir>/../scripts/check/no-environment.mjs',
  rootDir: 'dist',
  roots: ['<rootDir>'],
  transform: {},
  testMatch: ['**/*.spec.js'],
  // It ends what hangs.
  testTimeout: 900_000,
  testSequencer: '<rootDir>/../scripts/check/longest-first.mjs',
  testRunner: '<rootDir>/../scripts/check/native.mjs',
  // Modules that a test file imported stay in memory when it ends: a worker that has grown past this is replaced. Set, it
  // also keeps Jest from running all in its own process, which never is.
  workerIdleMemoryLimit: '1GB',
  // Two more than there are cores: test files wait about half of their time, for a timer, a disk or another program.
  maxWorkers: availableParallelism() + 2,
};
