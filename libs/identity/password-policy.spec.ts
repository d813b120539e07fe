import { describe, expect, test } from '@jest/globals';
import { DEFAULT_PASSWORD_POLICY, PASSWORD_LENGTH_MIN, passwordClasses } from '#identity';
import { checkPassword } from './password-policy.js';

const SIGRID = { email: 'sigrid.undset@example.org', names: ['Sigrid', 'Undset'] };
const refused = (missing: readonly string[], message?: string) =>
  expect.objectContaining({
    code: 'password_policy',
    details: { missing },
    ...(message === undefined ? {} : { message }),
  });
const strict = { minLength: 8, maxLength: 12, requires: passwordClasses };

describe('the password policy', () => {
  test('asks for eight characters of any kind by default, 128 at most', () => {
    const check = (password: string) => () => checkPassword(DEFAULT_PASSWORD_POLICY, password);
    expect(check('        ')).not.toThrow();
    expect(check('-'.repeat(128))).not.toThrow();
    for (const password of ['-------', '-'.repeat(129)]) expect(check(password)).toThrow(refused(['length']));
  });

  test('may ask for the six characters that it asked for before', () => {
    const least = { ...DEFAULT_PASSWORD_POLICY, minLength: PASSWORD_LENGTH_MIN };
    expect(() => checkPassword(least, '------')).not.toThrow();
    expect(() => checkPassword(least, '-----')).toThrow(refused(['length']));
  });

  test.each(['12345678', 'password', 'PassWord', 'ＰＡＳＳＷＯＲＤ'])(
    'refuses %s, which many have',
    (password) => {
      expect(() => checkPassword(DEFAULT_PASSWORD_POLICY, password)).toThrow(
        refused(['common'], 'Password should not be one that many people have: those are guessed first'),
      );
    },
  );

  test.each([
    'Sigrid.Undset@Example.org',
    'sigrid.undset',
    'SIGRID UNDSET',
    'undset-sigrid',
    'Undset, Sigrid',
    'sigridundset',
  ])('refuses %s to somebody of that name', (password) => {
    expect(() => checkPassword(DEFAULT_PASSWORD_POLICY, password)).not.toThrow();
    expect(() => checkPassword(DEFAULT_PASSWORD_POLICY, password, SIGRID)).toThrow(
      refused(['personal'], 'Password should not be your name or your e-mail address'),
    );
  });

  test('refuses one name of several, and nothing for a name that is not known', () => {
    const owner = { email: 'x@example.org', names: ['Theodorakis', ''] };
    expect(() => checkPassword(DEFAULT_PASSWORD_POLICY, 'theodorakis', owner)).toThrow(refused(['personal']));
    expect(() => checkPassword(DEFAULT_PASSWORD_POLICY, '--------', owner)).not.toThrow();
    expect(() => checkPassword(DEFAULT_PASSWORD_POLICY, 'theodorakis of x', owner)).not.toThrow();
  });

  test.each([
    ['Abc12-6', 'Password should be at least 8 characters', ['length']],
    ['Abc12-6789012', 'Password should be at most 12 characters', ['length']],
    ['abcdefg1-', 'Password should have an upper-case letter', ['uppercase']],
    ['ABCDEFG1-', 'Password should have a lower-case letter', ['lowercase']],
    ['Abcdefgh-', 'Password should have a digit', ['numeric']],
    ['Abcdefgh1', 'Password should have a character that is neither letter nor digit', ['non-alphanumeric']],
    [
      'abcdefghi',
      'Password should have an upper-case letter, a digit, a character that is neither letter nor digit',
      ['uppercase', 'numeric', 'non-alphanumeric'],
    ],
  ])('refuses %s', (password, message, missing) => {
    expect(() => checkPassword(strict, password)).toThrow(
      expect.objectContaining({ code: 'password_policy', message, details: { missing } }),
    );
  });

  test.each(['Abcdef1-', 'Ünïcödé1 ', 'aB3€aB3€aB3€'])('takes %s', (password) => {
    expect(() => checkPassword(strict, password)).not.toThrow();
  });
});
