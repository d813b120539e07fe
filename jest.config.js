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
};
