import { availableParallelism } from 'node:os';

/**
 * Tests run on the built program (`dist/`), so that worker threads, import maps and decorators are the ones that ship.
 * `npm test` builds first; see docs/adr.
 */
export default {
  testEnvironment: 'node',
  rootDir: 'dist',
  roots: ['<rootDir>'],
  transform: {},
  testMatch: ['**/*.spec.js'],
  testTimeout: 120_000,
  // Modules that a test file imported stay in memory when it ends: a worker that has grown past this is replaced. Set, it
  // also keeps Jest from running all in its own process, which never is. Two workers at least, since most tests wait.
  workerIdleMemoryLimit: '1GB',
  maxWorkers: Math.max(2, availableParallelism() - 1),
};
