import { expect, test } from '@jest/globals';
import { compareValues } from './values.js';

/** In the order of their bytes. By JavaScript's own order the last comes before the two before it. */
const TEXTS = ['', '\0', 'A', 'Z', 'a', 'aa', 'é', '中', '\ue000', '\uffee', '😀'];

test('texts are ordered by the bytes of their UTF-8', () => {
  const signs = (compare: (a: string, b: string) => number) =>
    TEXTS.map((a) => TEXTS.map((b) => Math.sign(compare(a, b))));
  expect(signs(compareValues)).toEqual(signs((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
  expect(TEXTS.toSorted(compareValues)).toEqual(TEXTS);
  expect(TEXTS.toSorted()).not.toEqual(TEXTS);
});
