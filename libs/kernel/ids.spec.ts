import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  commandIdOf,
  eventId,
  randomAlphanumeric,
  randomDigits,
  randomSecret,
  systemRandom,
  uuidV4,
  uuidV5,
  type Random,
} from '#kernel';

const DNS_NAMESPACE = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';

describe('ids', () => {
  test('version 5 ids are those of RFC 9562, appendix A.4', () => {
    expect(uuidV5(DNS_NAMESPACE, 'www.example.com')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2');
  });

  test('the same command gives the same event ids, another index another id', () => {
    const command = commandIdOf('person', 'account-1', 'key');
    expect(eventId(command, 0)).toBe(eventId(command, 0));
    expect(eventId(command, 0)).not.toBe(eventId(command, 1));
  });

  test('a command id depends on who sends it, to which stream, under which key', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { minLength: 4, maxLength: 4 }), ([a, b, c, d]) => {
        const ids = [
          [a, b, c],
          [d, b, c],
          [a, d, c],
          [a, b, d],
        ].map(([x, y, z]) => commandIdOf(x!, y!, z!));
        expect(new Set(ids).size).toBe(4);
      }),
    );
  });

  test('random texts have the length and the letters that were asked for', () => {
    expect(randomAlphanumeric(systemRandom, 34)).toMatch(/^[A-Za-z0-9]{34}$/);
    expect(randomDigits(systemRandom, 8)).toMatch(/^\d{8}$/);
  });

  test('random ids have the shape that RFC 9562 asks for of version 4, and every other bit of the randomness', () => {
    const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 });
    fc.assert(
      fc.property(bytes, (drawn) => {
        const id = uuidV4(() => drawn);
        expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        const hex = Buffer.from(drawn).toString('hex');
        const kept = (text: string) =>
          text
            .replaceAll('-', '')
            .split('')
            .filter((_, n) => n !== 12 && n !== 16);
        expect(kept(id)).toEqual(kept(hex));
      }),
    );
  });

  test('version 5 ids have the shape that RFC 9562 asks for', () => {
    fc.assert(
      fc.property(fc.string(), (name) => {
        expect(uuidV5(DNS_NAMESPACE, name)).toMatch(
          /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        );
      }),
    );
  });

  test.each([
    ['letters and digits', randomAlphanumeric, 62],
    ['digits', randomDigits, 10],
  ])('every one of the %s comes from as many bytes as every other', (_, make, letters) => {
    // Fed every byte value once, a fair source gives every letter equally often: what would favour some is drawn again.
    const counts = new Map<string, number>();
    const text = make(everyByteInTurn(), Math.floor(256 / letters) * letters);
    for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    expect(counts.size).toBe(letters);
    expect(new Set(counts.values())).toEqual(new Set([Math.floor(256 / letters)]));
  });

  test('bytes that would favour some letters are drawn again until the text is whole', () => {
    const bytes = [255, 250, 249, 248, 0, 61, 255, 1];
    const random: Random = (count) => Uint8Array.from({ length: count }, () => bytes.shift() ?? 0);
    expect(randomAlphanumeric(random, 3)).toBe('A9B');
  });

  test('a secret holds all the bytes that were drawn and is safe in a URL', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        const secret = randomSecret(() => bytes);
        expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
        expect(Uint8Array.from(Buffer.from(secret, 'base64url'))).toEqual(bytes);
      }),
    );
  });
});

/** A source that gives 0, 1, 2 … 255 and starts again. */
function everyByteInTurn(): Random {
  let next = 0;
  return (count) => Uint8Array.from({ length: count }, () => next++ % 256);
}
