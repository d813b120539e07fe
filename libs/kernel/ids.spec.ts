import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { commandIdOf, eventId, randomAlphanumeric, randomDigits, systemRandom, uuidV5 } from '#kernel';

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
});
