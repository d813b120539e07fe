import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson, InvariantViolation, type Json } from '#kernel';

/** Text with everything that JSON has to escape: controls, quotes, lone and paired surrogates. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 8 })
    .map((units) => String.fromCharCode(...units)),
  fc.constantFrom(
    '__proto__',
    'constructor',
    'toJSON',
    '\ud800',
    '\udc00\ud800',
    '\u2028',
    '\u0000',
    '"',
    '\\',
  ),
);

/** A member's name: any text that JSON writes as it is. */
const name = fc
  .oneof(text, fc.constantFrom('10', '9', 'a', 'b'))
  .filter((one) => JSON.stringify(one).length === one.length + 2);

const { json } = fc.letrec<{ json: Json; leaf: Json }>((tie) => ({
  leaf: fc.oneof(text, fc.maxSafeInteger(), fc.boolean(), fc.constant(null)),
  json: fc.oneof(
    { depthSize: 'small' },
    tie('leaf'),
    fc.array(tie('json'), { maxLength: 5 }),
    fc.dictionary(name, tie('json'), { maxKeys: 5 }),
  ),
}));

describe('canonical JSON', () => {
  test('reads back as the value it was made of', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test('writes a text as JSON does', () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(canonicalJson(value)).toBe(JSON.stringify(value));
      }),
    );
  });

  test('is the same text after the value went through a store', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(canonicalJson(JSON.parse(JSON.stringify(value)) as Json)).toBe(canonicalJson(value));
      }),
    );
  });

  test('is the same text for the value that it reads back as, whose names are in order', () => {
    fc.assert(
      fc.property(json, (value) => {
        const written = canonicalJson(value);
        expect(canonicalJson(JSON.parse(written) as Json)).toBe(written);
      }),
    );
  });

  test('is equal exactly for equal values', () => {
    fc.assert(
      fc.property(json, json, (a, b) => {
        expect(canonicalJson(a) === canonicalJson(b)).toBe(sameValue(a, b));
      }),
    );
  });

  test('does not depend on the order in which members were added', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(name, json), { selector: ([key]) => key, maxLength: 8 }),
        (members) => {
          const shuffled = Object.fromEntries(members.toReversed());
          expect(canonicalJson(shuffled)).toBe(canonicalJson(Object.fromEntries(members)));
        },
      ),
    );
  });

  test('orders keys by UTF-16 code units, not by locale or number', () => {
    expect(canonicalJson({ b: 1, a: 2, B: 3, ä: 4, 10: 5, 9: 6, '': 7, '\u{1f600}': 8, '\uffee': 9 })).toBe(
      '{"":7,"10":5,"9":6,"B":3,"a":2,"b":1,"ä":4,"\u{1f600}":8,"\uffee":9}',
    );
  });

  test('leaves members out that are undefined, also the first and the last', () => {
    expect(canonicalJson({ a: undefined, b: { c: undefined }, d: [], e: undefined })).toBe('{"b":{},"d":[]}');
  });

  test.each([
    ['\u0000\u001f\n\t', '"\\u0000\\u001f\\n\\t"'],
    ['"\\/', '"\\"\\\\/"'],
    ['\ud800', '"\\ud800"'],
    ['\u{1f600}', '"\u{1f600}"'],
    ['\u2028', '"\u2028"'],
  ])('writes %j as JSON does', (value, written) => {
    expect(canonicalJson(value)).toBe(written);
  });

  test('writes negative zero as zero, as a store gives it back', () => {
    expect(canonicalJson([-0, 0])).toBe('[0,0]');
  });

  test.each([0.5, NaN, Infinity, -Infinity, 2 ** 53, -(2 ** 53), 1e300])(
    'refuses the number %d',
    (number) => {
      expect(() => canonicalJson({ deep: [{ number }] })).toThrow(InvariantViolation);
    },
  );

  test.each(['"', '\\', '\\n', '\n', '\u0000', '\ud800', 'a"b'])(
    'refuses the name %j, which JSON has to escape',
    (key) => {
      expect(() => canonicalJson([{ [key]: 1 }])).toThrow(InvariantViolation);
    },
  );

  test.each([
    ['a bigint', 1n],
    ['undefined in an array', [undefined]],
    ['a function', () => 1],
    ['a symbol', Symbol('x')],
  ])('refuses %s, which JSON can not hold', (_, value) => {
    expect(() => canonicalJson({ value } as unknown as Json)).toThrow(InvariantViolation);
  });
});

/** Equality as JSON sees it, told without the code under test. */
function sameValue(a: Json, b: Json): boolean {
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object')
    return a === b || (a === 0 && b === 0);
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((one, n) => sameValue(one, b[n]))
    );
  }
  const [left, right] = [Object.entries(a), new Map(Object.entries(b))];
  return (
    left.length === right.size &&
    left.every(([key, one]) => right.has(key) && one !== undefined && sameValue(one, right.get(key) as Json))
  );
}
