import { describe, expect, test } from '@jest/globals';
import { hash } from '@node-rs/argon2';
import fc from 'fast-check';
import { foldEmail } from '#identity';
import { systemRandom } from '#kernel';
import { ARGON2, createHashing, HASH_SHARES, type Hasher } from './passwords.js';

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
    const { signIn: passwords } = await createHashing(systemRandom);
    const [one, two] = [await passwords.hash('secret'), await passwords.hash('secret')];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(two);
    expect(await passwords.matches(one, 'secret')).toBe(true);
    expect(await passwords.matches(one, 'Secret')).toBe(false);
    expect(await passwords.matches(undefined, 'secret')).toBe(false);
    expect(passwords.isOutdated(one)).toBe(false);
  });

  test('match however the keyboard composes their letters', async () => {
    const { signIn: passwords } = await createHashing(systemRandom);
    expect(await passwords.matches(await passwords.hash('pa\u00dfw\u00f6rt'), 'pa\u00dfwo\u0308rt')).toBe(
      true,
    );
  });

  test('of other parameters still match and are told to be outdated', async () => {
    const { signIn: passwords } = await createHashing(systemRandom);
    const old = await hash('secret', { ...ARGON2, memoryCost: 8_192 });
    expect(await passwords.matches(old, 'secret')).toBe(true);
    expect(passwords.isOutdated(old)).toBe(true);
  });

  test('are hashed so many of a kind at once; one more of it is refused, and none is lost', async () => {
    const hashing = await createHashing(systemRandom);
    const cheap = await hash('secret', { memoryCost: 8, timeCost: 1, parallelism: 1 });
    const { atOnce, waiting } = HASH_SHARES.signIn;
    const tries = Array.from({ length: atOnce + waiting + 1 }, () => hashing.signIn.matches(cheap, 'secret'));
    const pin = hashing.pin.matches(cheap, 'secret');
    const ended = await Promise.allSettled(tries);
    expect(ended.slice(0, -1).every((one) => one.status === 'fulfilled' && one.value)).toBe(true);
    expect(ended.at(-1)).toMatchObject({ status: 'rejected', reason: { code: 'overloaded' } });
    expect(await pin).toBe(true);
    expect(await hashing.signIn.matches(cheap, 'secret')).toBe(true);
  });

  test('that wait for their turn begin nothing before it, and nothing at all where there is no room', async () => {
    const gate = Promise.withResolvers<boolean>();
    const slow: Hasher = { hash: async () => 'hash', verify: () => gate.promise };
    const { pin } = await createHashing(systemRandom, slow);
    let begun = 0;
    const { atOnce, waiting } = HASH_SHARES.pin;
    const works = Array.from({ length: atOnce + waiting + 1 }, () =>
      pin.inTurn(async (matches) => {
        begun += 1;
        return matches('hash', '1234');
      }),
    );
    await expect(works.at(-1)).rejects.toMatchObject({ code: 'overloaded' });
    expect(begun).toBe(atOnce);
    gate.resolve(true);
    await Promise.all(works.slice(0, -1));
    expect(begun).toBe(atOnce + waiting);
  });
});
