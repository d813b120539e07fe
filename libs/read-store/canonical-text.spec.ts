import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson, type Json } from '#kernel';
import { canonicalText } from '#read-store';

/** Names as the kernel takes them: without what needs an escape. */
const names = fc
  .oneof(fc.string({ maxLength: 3 }), fc.constantFrom('10', '9', 'a', 'b'))
  .filter((name) => JSON.stringify(name) === `"${name}"`);

const values = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: 'grapheme' }),
    fc.maxSafeInteger(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(names, tie('json'), { maxKeys: 5, noNullPrototype: true }),
  ),
})).json;

describe('canonical text', () => {
  test('is canonical JSON, for keys in any order', () => {
    fc.assert(
      fc.property(values, (value) => {
        const text = canonicalJson(value);
        expect(canonicalText(value)).toBe(text);
        expect(canonicalText(JSON.parse(text) as Json)).toBe(text);
      }),
    );
  });

  test('leaves out members that are undefined', () => {
    expect(canonicalText({ a: undefined, b: 1 })).toBe('{"b":1}');
  });

  test.each([0.5, Number.NaN, 2 ** 60])('refuses the number %d', (value) => {
    expect(() => canonicalText({ a: [value] })).toThrow('safe integers');
  });
});
