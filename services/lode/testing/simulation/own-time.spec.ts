import { expect, test } from '@jest/globals';
import { withoutOwnTime } from './own-time.js';

test('a simulation gets no time of the machine, whoever else is at work in the process does', async () => {
  let looked = 0;
  const other = setInterval(() => (looked = performance.now() + Date.now() + Math.random()), 1);
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const later = setInterval(() => looked > 0 && resolve(undefined), 1);
  await withoutOwnTime(async () => {
    expect(() => Date.now()).toThrow('now of the machine itself');
    expect(() => performance.now()).toThrow('now of the machine itself');
    expect(() => setTimeout(() => undefined)).toThrow('setTimeout of the machine itself');
    await promise;
    expect(() => Math.random()).toThrow('random of the machine itself');
  });
  clearInterval(other);
  clearInterval(later);
  expect(Date.now()).toBeGreaterThan(0);
});
