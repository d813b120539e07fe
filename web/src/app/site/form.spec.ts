import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { wordsIn } from './form';

/** How long the site says that something was done, in milliseconds. */
const TOLD_MS = 5_000;

let place: HTMLElement;
beforeEach(() => {
  jest.useFakeTimers();
  place = document.body.appendChild(document.createElement('p'));
});
afterEach(() => {
  jest.useRealTimers();
  place.remove();
});

const pass = (ms: number) => jest.advanceTimersByTime(ms);

test('what was done is said for five seconds', () => {
  wordsIn(place).tell('Message sent successfully!');
  pass(TOLD_MS - 1);
  expect(place.textContent).toBe('Message sent successfully!');
  pass(1);
  expect(place.textContent).toBe('');
});

test.each([
  ['under the pointer', () => place, 'pointerenter', 'pointerleave'],
  ['behind another window', () => window, 'blur', 'focus'],
])('the five seconds do not run %s, and begin anew after that', (_where, target, begins, ends) => {
  wordsIn(place).tell('Message sent successfully!');
  pass(TOLD_MS - 1);
  target().dispatchEvent(new Event(begins));
  pass(10 * TOLD_MS);
  expect(place.textContent).toBe('Message sent successfully!');
  target().dispatchEvent(new Event(ends));
  pass(TOLD_MS - 1);
  expect(place.textContent).toBe('Message sent successfully!');
  pass(1);
  expect(place.textContent).toBe('');
});

test('what was refused stays until something else is said', () => {
  const { refuse, silence } = wordsIn(place);
  refuse('Incomplete information');
  window.dispatchEvent(new Event('blur'));
  window.dispatchEvent(new Event('focus'));
  pass(10 * TOLD_MS);
  expect([place.textContent, place.dataset['kind']]).toEqual(['Incomplete information', 'refused']);
  silence();
  expect([place.textContent, place.dataset['kind']]).toEqual(['', undefined]);
});
