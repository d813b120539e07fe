import { availableParallelism } from 'node:os';

// Far from UTC, so that a screen which goes by the browser's zone is seen to.
process.env.TZ = 'Pacific/Kiritimati';

/** The front end's tests run on its sources, in a page made by jsdom. */
export default {
  rootDir: 'src',
  testEnvironment: '<rootDir>/testing/environment.js',
  testEnvironmentOptions: { customExportConditions: ['source', 'browser'] },
  testMatch: ['**/*.spec.ts', '**/*.spec.tsx'],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: {
    '\\.tsx?$': [
      '@swc/jest',
      {
        swcrc: false,
        jsc: {
          target: 'es2024',
          parser: { syntax: 'typescript', tsx: true },
          transform: { react: { runtime: 'automatic' } },
        },
        module: { type: 'es6' },
      },
    ],
  },
  moduleNameMapper: {
    '\\.css$': '<rootDir>/testing/styles.ts',
    // It names its own sources as our libraries do theirs; tests take what it ships.
    '^eventsource-parser$': '<rootDir>/../../node_modules/eventsource-parser/dist/index.js',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  setupFilesAfterEnv: ['<rootDir>/testing/setup.ts'],
  testTimeout: 300_000,
  testSequencer: '<rootDir>/../../scripts/check/longest-first.mjs',
  // They compute and wait for nothing.
  maxWorkers: availableParallelism(),
};
