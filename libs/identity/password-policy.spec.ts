import { describe, expect, test } from '@jest/globals';
import { DEFAULT_PASSWORD_POLICY, passwordClasses } from '#identity';
import { checkPassword } from './password-policy.js';

const strict = { minLength: 8, maxLength: 12, requires: passwordClasses };

describe('the password policy', () => {
  test('asks for six characters of any kind by default', () => {
    expect(() => checkPassword(DEFAULT_PASSWORD_POLICY, '      ')).not.toThrow();
    expect(() => checkPassword(DEFAULT_PASSWORD_POLICY, '12345')).toThrow(
      expect.objectContaining({ code: 'password_policy', details: { missing: ['length'] } }),
    );
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
