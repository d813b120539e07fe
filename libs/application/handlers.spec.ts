import { expect, test } from '@jest/globals';
import { applicationHandlers } from './handlers.js';
import type { ApplicationParts } from './parts.js';

/** Stands for every part, and for every part of one: nothing is asked of it. */
const anything: unknown = new Proxy(() => undefined, { get: () => anything, apply: () => anything });

test('each message has the handler that is named after it, once', () => {
  const handled = applicationHandlers(anything as ApplicationParts);
  expect(handled.length).toBeGreaterThan(150);
  expect(new Set(handled.map(({ message }) => message)).size).toBe(handled.length);
  for (const { message, handler } of handled) expect(handler.constructor.name).toBe(`${message.name}Handler`);
});
