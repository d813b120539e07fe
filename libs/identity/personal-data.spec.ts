import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { systemRandom } from '#kernel';
import { encryptPersonalData, decryptPersonalData, type PersonalData } from './personal-data.js';

const KEY = systemRandom(32);
const data = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()) as fc.Arbitrary<PersonalData>;
const userId = fc.uuid();
const CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.';

describe('encrypted personal data', () => {
  test('is decrypted by the same key for the same person', () => {
    fc.assert(
      fc.property(data, userId, (given, person) => {
        const text = encryptPersonalData(KEY, person, given, systemRandom);
        expect(decryptPersonalData(KEY, person, text)).toEqual(JSON.parse(JSON.stringify(given)));
      }),
    );
  });

  test('a text that is changed anywhere is refused', () => {
    const change = fc.record({ at: fc.nat(), to: fc.constantFrom(...CHARACTERS) });
    fc.assert(
      fc.property(data, userId, change, (given, person, { at, to }) => {
        const text = encryptPersonalData(KEY, person, given, systemRandom);
        const place = at % text.length;
        fc.pre(text[place] !== to);
        const changed = text.slice(0, place) + to + text.slice(place + 1);
        expect(() => decryptPersonalData(KEY, person, changed)).toThrow(
          expect.objectContaining({ code: 'storage_failed' }),
        );
      }),
    );
  });

  test.each(['', 'v1', 'v1..', 'v2.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA', 'forgotten', 'v1.AAAA.AAAA'])(
    'a text of another form is refused: %s',
    (text) => {
      expect(() => decryptPersonalData(KEY, 'ann', text)).toThrow(
        expect.objectContaining({ code: 'storage_failed' }),
      );
    },
  );

  test('a text that is cut off is refused', () => {
    const text = encryptPersonalData(KEY, 'ann', { firstname: 'Ann' }, systemRandom);
    for (let length = 0; length < text.length; length += 1)
      expect(() => decryptPersonalData(KEY, 'ann', text.slice(0, length))).toThrow(
        expect.objectContaining({ code: 'storage_failed' }),
      );
  });

  test('another key or another person does not open it', () => {
    fc.assert(
      fc.property(data, userId, userId, (given, ann, bob) => {
        fc.pre(ann !== bob);
        const text = encryptPersonalData(KEY, ann, given, systemRandom);
        expect(() => decryptPersonalData(systemRandom(32), ann, text)).toThrow();
        expect(() => decryptPersonalData(KEY, bob, text)).toThrow();
      }),
    );
  });

  test('nothing of the data shows', () => {
    const text = encryptPersonalData(KEY, 'ann', { firstname: 'Ann-with-a-long-name' }, systemRandom);
    const body = Buffer.from(text.split('.')[2] ?? '', 'base64url');
    expect(body.includes('Ann-with-a-long-name')).toBe(false);
  });
});
