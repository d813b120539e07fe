import { expect, test } from '@jest/globals';
import { moved, squareOf, whole } from './crop';

test('a crop begins with the largest square in the middle, and a near one is smaller', () => {
  expect(squareOf(400, 200, whole)).toEqual({ left: 100, top: 0, side: 200 });
  expect(squareOf(400, 200, { ...whole, zoom: 2 })).toEqual({ left: 150, top: 50, side: 100 });
});

test('a picture follows the hand, and stops at its edges', () => {
  const right = moved(whole, 400, 200, 0.25, 0.25);
  expect(squareOf(400, 200, right)).toEqual({ left: 50, top: 0, side: 200 });
  expect(squareOf(400, 200, moved(whole, 400, 200, 9, 9))).toEqual({ left: 0, top: 0, side: 200 });
  expect(squareOf(400, 200, moved(whole, 400, 200, -9, 0))).toEqual({ left: 200, top: 0, side: 200 });
});
