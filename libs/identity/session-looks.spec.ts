import { beforeEach, expect, test } from '@jest/globals';
import { LodeError } from '#kernel';
import type { SessionRow } from './port.js';
import { createSessionLooks, type SessionLooks } from './session-looks.js';

const TRUST_MS = 1_000;

let now: number;
let asked: string[];
let living: Map<string, readonly string[]>;
let isAway: boolean;
let looks: SessionLooks;
beforeEach(() => {
  [now, asked, isAway] = [0, [], false];
  living = new Map([
    ['ann', ['a1', 'a2']],
    ['bob', ['b1']],
  ]);
  const sessionsOf = async (userId: string) => {
    asked.push(userId);
    if (isAway) throw new LodeError('unavailable', 'away');
    return (living.get(userId) ?? []).map((sessionId) => ({ sessionId }) as SessionRow);
  };
  looks = createSessionLooks({
    store: { sessionsOf },
    clock: () => now,
    monotonic: () => now,
    trustMs: TRUST_MS,
  });
});

test('a person is looked at once a second, however many pages are told something how often', async () => {
  for (let ms = 0; ms < 3 * TRUST_MS; ms += 10) {
    now = ms;
    const pages = ['a1', 'a2', 'a1', 'a2'].map((sessionId) => looks.isAlive(sessionId, 'ann'));
    expect(await Promise.all([...pages, looks.isAlive('b1', 'bob')])).toEqual([true, true, true, true, true]);
  }
  expect(asked.toSorted()).toEqual(['ann', 'ann', 'ann', 'bob', 'bob', 'bob']);
});

test('one that ended elsewhere is told nothing after a second, one that ended here nothing at once', async () => {
  expect(await looks.isAlive('a1', 'ann')).toBe(true);
  living.set('ann', ['a2']);
  expect(await looks.isAlive('a1', 'ann')).toBe(true);
  now = TRUST_MS;
  expect(await looks.isAlive('a1', 'ann')).toBe(false);
  expect(await looks.isAlive('a2', 'ann')).toBe(true);
  living.set('ann', []);
  looks.forget(['a2', 'of nobody']);
  expect(await looks.isAlive('a2', 'ann')).toBe(false);
});

test('one that began since the last look is found, and by one look for all that ask', async () => {
  expect(await looks.isAlive('a1', 'ann')).toBe(true);
  living.set('ann', ['a1', 'a3', 'a4']);
  const news = ['a3', 'a4', 'a1'].map((sessionId) => looks.isAlive(sessionId, 'ann'));
  expect(await Promise.all(news)).toEqual([true, true, true]);
  expect(asked).toEqual(['ann', 'ann']);
});

test('a look that failed is made again', async () => {
  isAway = true;
  await expect(looks.isAlive('a1', 'ann')).rejects.toMatchObject({ code: 'unavailable' });
  isAway = false;
  expect(await looks.isAlive('a1', 'ann')).toBe(true);
});
