import { describe, expect, test } from '@jest/globals';
import { emptyFold, type Folded } from './fold.js';
import { recordCommand } from './processed-commands.js';
import { createStateCache } from './state-cache.js';

const folded = (state: number): Folded<number> => ({ ...emptyFold(state), revision: 0 });
/** A state of so many bytes, with what a stream takes beside it. */
const MANY = 10_000;

describe('the cache of states', () => {
  test('holds so many bytes, and what was used longest ago goes first', () => {
    const part = createStateCache({ bytes: 5 * MANY }).partOf<number>(() => MANY);
    for (const stream of ['a', 'b', 'c', 'd']) part.set(stream, folded(1));
    expect(part.get('a')).toBeDefined();
    part.set('e', folded(2));
    expect(['a', 'b', 'c', 'd', 'e'].map((stream) => part.get(stream)?.state)).toEqual([
      1,
      undefined,
      1,
      1,
      2,
    ]);
  });

  test('is one budget for all aggregates that share it, whose streams are apart', () => {
    const cache = createStateCache({ bytes: 5 * MANY });
    const [numbers, texts] = [cache.partOf<number>(() => MANY), cache.partOf<string>(() => MANY)];
    numbers.set('a', folded(1));
    texts.set('a', { ...emptyFold('one'), revision: 0 });
    expect([numbers.get('a')?.state, texts.get('a')?.state]).toEqual([1, 'one']);
    for (const stream of ['b', 'c', 'd']) texts.set(stream, { ...emptyFold('two'), revision: 0 });
    expect([numbers.get('a')?.state, texts.get('a')?.state]).toEqual([undefined, 'one']);
    expect(cache.bytes()).toBeLessThanOrEqual(5 * MANY);
  });

  test('counts a state anew when it changes, with the commands that it remembers', () => {
    const cache = createStateCache({ bytes: 1_000_000 });
    const part = cache.partOf<number>((state) => state);
    const one = folded(1_000);
    part.set('a', one);
    const before = cache.bytes();
    part.set('a', { ...one, state: 3_000 });
    expect(cache.bytes()).toBe(before + 2_000);
    for (let n = 0; n < 100; n++) recordCommand(one.commands, `command ${n}`, { from: n, count: 1 });
    part.set('a', { ...one, state: 3_000 });
    expect(cache.bytes()).toBeGreaterThan(before + 2_000 + 100 * 50);
  });

  test('keeps a state that is larger than all that may be kept, alone', () => {
    const part = createStateCache({ bytes: 3 * MANY }).partOf<number>((state) => state);
    part.set('a', folded(MANY));
    part.set('giant', folded(100 * MANY));
    part.set('giant', folded(101 * MANY));
    expect([part.get('a'), part.get('giant')?.state]).toEqual([undefined, 101 * MANY]);
    part.set('b', folded(MANY));
    expect([part.get('giant'), part.get('b')?.state]).toEqual([undefined, MANY]);
  });
});
