import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { withoutUserInfo } from '#kernel';

test.each([
  ['redis://localhost:6379', 'redis://localhost:6379'],
  ['redis://:secret@localhost:6379/2', 'redis://localhost:6379/2'],
  ['rediss://lode:secret@[::1]:6379', 'rediss://[::1]:6379'],
  ['esdb+discover://lode:secret@one:2113,two:2113?tls=true', 'esdb+discover://one:2113,two:2113'],
  ['mongodb://lode:secret@one:27017,two:27017/lode?replicaSet=set', 'mongodb://one:27017,two:27017/lode'],
  ['https://key:secret@store.example.org/bucket#secret', 'https://store.example.org/bucket'],
  ['redis://:se/cr@t@@localhost', 'redis://localhost'],
  ['redis://:se/cr?e#t@@localhost', 'redis://…'],
  ['redis://localhost?password=secret', 'redis://localhost'],
  ['redis://localhost?password=se@cret', 'redis://…'],
  ['https://store.example.org/bucket#se@cret', 'https://…'],
  ['lode:secret@localhost:6379', 'localhost:6379'],
  ['localhost:6379', 'localhost:6379'],
  ['', ''],
])('%s is shown as %s', (address, shown) => {
  expect(withoutUserInfo(address)).toBe(shown);
});

describe('whatever a password is made of', () => {
  const password = fc.string({ minLength: 1, unit: 'binary' }).map((text) => `<${text}>`);

  test('it is not shown beside the name', () => {
    fc.assert(
      fc.property(password, (secret) => {
        const shown = /[?#]/.test(secret) ? 'redis://…' : 'redis://host:6379/0';
        expect(withoutUserInfo(`redis://lode:${secret}@host:6379/0`)).toBe(shown);
      }),
    );
  });

  test.each(['?password=', '#'])('it is not shown after %s', (before) => {
    fc.assert(
      fc.property(password, (secret) => {
        const shown = secret.includes('@') ? 'redis://…' : 'redis://host:6379/0';
        expect(withoutUserInfo(`redis://host:6379/0${before}${secret}`)).toBe(shown);
      }),
    );
  });
});
