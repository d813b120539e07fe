import type { jest } from '@jest/globals';

type FakeTimers = Extract<Parameters<typeof jest.useFakeTimers>[0], { readonly doNotFake?: unknown }>;

/** For `jest.useFakeTimers`: only the time of day is the test's, and everything that waits waits as ever. */
export const TIME_OF_DAY_ALONE: FakeTimers = {
  doNotFake: [
    'hrtime',
    'nextTick',
    'performance',
    'queueMicrotask',
    'setImmediate',
    'clearImmediate',
    'setInterval',
    'clearInterval',
    'setTimeout',
    'clearTimeout',
  ],
};
