import { ModuleMocker } from 'jest-mock';

/** The environment of tests that run in none (`native.mjs`): what Jest asks of one, and no context of its own. */
export default class NoEnvironment {
  global = {};
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  fakeTimersModern = null;

  async setup() {}

  async teardown() {}

  getVmContext() {
    return null;
  }
}
