import { afterEach, beforeEach, expect, jest } from '@jest/globals';
import { cleanup, configure } from '@testing-library/react';
import { defaultDisplay } from '#contracts';
import { setDisplay } from '../lib';
import { noPasskeyBrowser } from './passkeys';

Object.assign(globalThis, {
  IS_REACT_ACT_ENVIRONMENT: true,
  matchMedia: (media: string) => ({
    media,
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    addListener: () => undefined,
    removeListener: () => undefined,
  }),
  ResizeObserver: class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
});

// There is nothing to scroll where nothing is drawn.
Element.prototype.scrollIntoView = () => undefined;

/** How long a test waits for what it looks for, in milliseconds: a busy machine is slow, and not wrong. */
configure({ asyncUtilTimeout: 60_000 });

/** A test that makes React or the browser complain fails, whatever else it proved. */
const complaints: unknown[][] = [];
/** What Redux says on a busy machine is about the machine. */
const isAboutTime = ([first]: readonly unknown[]) => /Middleware took \d+ms/.test(String(first));

beforeEach(() => {
  complaints.length = 0;
  for (const level of ['error', 'warn'] as const) {
    jest.spyOn(console, level).mockImplementation((...words) => {
      if (!isAboutTime(words)) complaints.push(words);
    });
  }
});

afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
  noPasskeyBrowser();
  setDisplay(defaultDisplay);
  jest.restoreAllMocks();
  expect(complaints).toEqual([]);
});
