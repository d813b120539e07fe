import { describe, expect, test } from '@jest/globals';
import { createSealing, readKeyRing, type KeyRing } from './key-ring.js';

const base64 = (fill: number) => Buffer.alloc(32, fill).toString('base64');
const ring = (...ids: readonly string[]): KeyRing =>
  ids.map((id) => ({ id, bytes: new Uint8Array(32).fill(id.length) }));
const random = (length: number) => new Uint8Array(length).fill(7);

describe('a file of keys', () => {
  test('has an id and 32 bytes a line, the first of which seals', () => {
    const text = `# of this year\n2026-11 ${base64(1)}\n\n  2025-11\t${base64(2)}  \r\n`;
    expect(readKeyRing(text, 'F')).toEqual([
      { id: '2026-11', bytes: new Uint8Array(32).fill(1) },
      { id: '2025-11', bytes: new Uint8Array(32).fill(2) },
    ]);
  });

  test.each([
    ['', 'F has no key.'],
    ['# nothing\n', 'F has no key.'],
    [base64(1), 'F, line 1, is not an id, a blank and 32 bytes in base64.'],
    [`a ${base64(1)}\nb ${base64(2).slice(4)}`, 'F, line 2, is not an id, a blank and 32 bytes in base64.'],
    [`a.b ${base64(1)}`, 'F, line 1, is not an id, a blank and 32 bytes in base64.'],
    [`a ${base64(1)} b`, 'F, line 1, is not an id, a blank and 32 bytes in base64.'],
    [`a ${base64(1)}\na ${base64(2)}`, 'F has two keys by the id a.'],
    [Array.from({ length: 17 }, (_, n) => `k${n} ${base64(n)}`).join('\n'), 'F has more than 16 keys.'],
  ])('is refused in a sentence without a key: %j', (text, sentence) => {
    expect(() => readKeyRing(text, 'F')).toThrow(
      expect.objectContaining({ code: 'validation_failed', message: sentence }),
    );
  });
});

describe('what is sealed', () => {
  const key = new Uint8Array(32).fill(9);
  const hash = '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA';

  test('makes another of the store’s own secret for each key, today’s first, and leaves it where there is none', () => {
    const hex = (one: KeyRing) =>
      createSealing(one, random)
        .mixes(key)
        .map((mixed) => Buffer.from(mixed).toString('hex'));
    const [[old, bare], [newer, ...before]] = [hex(ring('old')), hex(ring('newer', 'old'))];
    expect(hex(ring())).toEqual([bare]);
    expect(bare).toBe(Buffer.from(key).toString('hex'));
    expect(before).toEqual([old, bare]);
    expect(new Set([old, bare, newer]).size).toBe(3);
  });

  test('is opened with the key of its id, whichever is first by now, and has neither key nor hash in it', () => {
    const old = createSealing(ring('old'), random);
    const both = createSealing(ring('newer', 'old'), random);
    const stored = old.sealKey('ann', key);
    expect(Buffer.from(stored).includes(Buffer.from(key))).toBe(false);
    expect(both.openKey('ann', stored)).toEqual(key);
    const text = old.sealHash('password', 'ann', hash);
    expect(text).not.toContain('argon2');
    expect(both.openHash('password', 'ann', text)).toBe(hash);
    expect(both.sealHash('password', 'ann', hash)).toMatch(/^k1\.newer\./);
  });

  test('is taken as it is when it never was, and left so without a key', () => {
    const [none, some] = [createSealing([], random), createSealing(ring('a'), random)];
    expect(some.openKey('ann', none.sealKey('ann', key))).toEqual(key);
    expect(some.openHash('password', 'ann', none.sealHash('password', 'ann', hash))).toBe(hash);
  });

  test('opens for nobody else, as nothing else, and not when it was changed', () => {
    const sealing = createSealing(ring('a'), random);
    const text = sealing.sealHash('password', 'ann', hash);
    const other = text.at(-1) === 'A' ? 'B' : 'A';
    const changed = { code: 'storage_failed', message: expect.stringContaining('was changed') };
    expect(() => sealing.openHash('password', 'bob', text)).toThrow(expect.objectContaining(changed));
    expect(() => sealing.openHash('transfer pin', 'ann', text)).toThrow(expect.objectContaining(changed));
    const spoilt = `${text.slice(0, -9)}${other.repeat(9)}`;
    expect(() => sealing.openHash('password', 'ann', spoilt)).toThrow(expect.objectContaining(changed));
    expect(() => sealing.openKey('bob', sealing.sealKey('ann', key))).toThrow(
      expect.objectContaining(changed),
    );
  });

  test('with a key that is not at hand is refused by its id', () => {
    const stored = createSealing(ring('gone'), random).sealKey('ann', key);
    for (const there of [[], ring('a')]) {
      expect(() => createSealing(there, random).openKey('ann', stored)).toThrow(
        expect.objectContaining({ code: 'storage_failed', message: expect.stringContaining('the key gone') }),
      );
    }
  });
});
