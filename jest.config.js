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
  testTimeout: 60_000,
  // Modules that a test file imported stay in memory when it ends. A worker is replaced once it has grown past this;
  // the run's own process never is, so there are always workers, two at least.
  workerIdleMemoryLimit: '1GB',
  maxWorkers: Math.max(2, availableParallelism() - 1),
};
