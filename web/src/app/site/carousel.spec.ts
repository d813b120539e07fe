import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { runSlides } from './carousel';

const ADVANCE_MS = 120_000;

beforeEach(() => {
  jest.useFakeTimers();
  document.body.innerHTML = `
    <div id="hero">
      <p class="slide">One</p><p class="slide" hidden>Two</p><p class="slide" hidden>Three</p>
      <div hidden>
        <button data-previous>Previous</button><button data-stop>Stop</button><button data-next>Next</button>
        <span class="dots"><i></i><i></i><i></i></span><span data-told></span>
      </div>
    </div>`;
});

afterEach(() => {
  jest.useRealTimers();
  document.body.innerHTML = '';
});

const button = (name: string) => document.querySelector<HTMLButtonElement>(`[data-${name}]`)!;
const shown = () => [...document.querySelectorAll('.slide:not([hidden])')].map((slide) => slide.textContent);

test.each(['next', 'stop'])(
  'whoever is on %s when the last slide comes by itself is led to Previous',
  (name) => {
    runSlides(document.getElementById('hero')!);
    button(name).focus();
    jest.advanceTimersByTime(ADVANCE_MS);
    expect([shown(), document.activeElement]).toEqual([['Two'], button(name)]);
    jest.advanceTimersByTime(ADVANCE_MS);
    expect([shown(), button('next').hidden, button('stop').hidden]).toEqual([['Three'], true, true]);
    expect(document.activeElement).toBe(button('previous'));
  },
);

test('whoever is elsewhere stays there', () => {
  runSlides(document.getElementById('hero')!);
  jest.advanceTimersByTime(2 * ADVANCE_MS);
  expect([shown(), document.activeElement]).toEqual([['Three'], document.body]);
});
