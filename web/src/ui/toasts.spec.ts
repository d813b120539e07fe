import { expect, test } from '@jest/globals';
import { TOASTS_TOP, topBeside } from './toast-place';

const box = (top: number, height: number, left = 0, width = 390) => ({
  top,
  bottom: top + height,
  left,
  right: left + width,
});
const toasts = box(TOASTS_TOP, 60);

test.each([
  ['nothing is under it', [box(300, 44)], TOASTS_TOP],
  ['what is under it stands beside it', [box(70, 44, 400)], TOASTS_TOP],
  ['a button is under it', [box(90, 44)], 142],
  ['there is no room above', [box(100, 44), box(150, 44)], 202],
  ['there is room above alone', [box(110, 690)], 42],
  ['there is none at all', [box(10, 780)], TOASTS_TOP],
])('a toast stands where it covers nothing that it speaks of: %s', (_where, others, top) => {
  expect(topBeside(toasts, others, 800)).toBe(top);
});
