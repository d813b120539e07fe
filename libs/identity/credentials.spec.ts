import { describe, expect, test } from '@jest/globals';
import { hash } from '@node-rs/argon2';
import fc from 'fast-check';
import { foldEmail } from '#identity';
import { systemRandom } from '#kernel';
import { ARGON2, createPasswords, HASHES_AT_ONCE_MAX } from './passwords.js';

describe('folding an e-mail', () => {
  test('is idempotent and does not see case, width or spaces around', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (email) => {
        const folded = foldEmail(email);
        expect(foldEmail(folded)).toBe(folded);
        expect(foldEmail(` ${email}\t`)).toBe(folded);
      }),
    );
    expect(foldEmail(' Ａnn@EXAMPLE.org\n')).toBe('ann@example.org');
  });
});

describe('passwords', () => {
  test('are hashed with argon2id, today’s parameters and a fresh salt', async () => {
    const passwords = await createPasswords(systemRandom);
    const [one, two] = [await passwords.hash('secret'), await passwords.hash('secret')];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(two);
    expect(await passwords.matches(one, 'secret')).toBe(true);
    expect(await passwords.matches(one, 'Secret')).toBe(false);
    expect(await passwords.matches(undefined, 'secret')).toBe(false);
    expect(passwords.isOutdated(one)).toBe(false);
  });

  test('match however the keyboard composes their letters', async () => {
    const passwords = await createPasswords(systemRandom);
    expect(await passwords.matches(await passwords.hash('pa\u00dfw\u00f6rt'), 'pa\u00dfwo\u0308rt')).toBe(
      true,
    );
  });

  test('of other parameters still match and are told to be outdated', async () => {
    const passwords = await createPasswords(systemRandom);
    const old = await hash('secret', { ...ARGON2, memoryCost: 8_192 });
    expect(await passwords.matches(old, 'secret')).toBe(true);
    expect(passwords.isOutdated(old)).toBe(true);
  });

  test('are hashed so many at once; one more is refused, and none is lost', async () => {
    const passwords = await createPasswords(systemRandom);
    const cheap = await hash('secret', { memoryCost: 8, timeCost: 1, parallelism: 1 });
    const tries = Array.from({ length: HASHES_AT_ONCE_MAX + 1 }, () => passwords.matches(cheap, 'secret'));
    const ended = await Promise.allSettled(tries);
    expect(ended.slice(0, -1).every((one) => one.status === 'fulfilled' && one.value)).toBe(true);
    expect(ended.at(-1)).toMatchObject({ status: 'rejected', reason: { code: 'overloaded' } });
    expect(await passwords.matches(cheap, 'secret')).toBe(true);
  });
});
