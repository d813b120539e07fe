import { describe, expect, test } from '@jest/globals';
import { isLodeError, LodeError } from '#kernel';
import { createTurns, imageLimits, type Decoding, type ToDecoder } from './index.js';

const picture: ToDecoder = { image: Buffer.from('picture'), type: 'image/png', purpose: 'evidence' };
const { aloneMs, besideMs, budgetMs, givenBack, waiting } = imageLimits;

/** Turns on a clock that stands still until it is moved, and a decoder that works until it is told. */
function startTurns() {
  let now = 0;
  let share = 1;
  const timers: { at: number; done: () => void }[] = [];
  const decoding: { done: (encoded: Buffer) => void; isGivenUp: boolean }[] = [];
  const finished: string[] = [];
  const encode = createTurns({
    clock: () => now,
    timers: {
      after: (ms, done) => {
        const timer = { at: now + ms, done };
        timers.push(timer);
        return () => {
          const at = timers.indexOf(timer);
          if (at >= 0) timers.splice(at, 1);
        };
      },
      yieldNow: () => Promise.resolve(),
    },
    decode: (): Decoding => {
      const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
      const work = { done: resolve, isGivenUp: false };
      decoding.push(work);
      const began = now;
      return {
        encoded: promise,
        usedMs: () => (now - began) * share,
        giveUp: () => {
          work.isGivenUp = true;
          reject(new LodeError('overloaded', 'given up'));
        },
      };
    },
  });
  return {
    finished,
    decoding,
    /** Has decoding get so much of a processor. */
    starve: (part: number) => void (share = part),
    send: (ownerId: string, name = ownerId) =>
      encode(picture, ownerId).then(
        () => void finished.push(name),
        (error: unknown) => void finished.push(`${name}: ${isLodeError(error) ? error.code : String(error)}`),
      ),
    refusal: (ownerId: string) =>
      encode(picture, ownerId).then(
        () => undefined,
        (error: unknown) => error,
      ),
    /** Lets time pass, and the image that is worked on be done then. */
    async finish(ms: number) {
      now += ms;
      decoding.at(-1)?.done(Buffer.from('encoded'));
      await settle();
    },
    async pass(ms: number) {
      const end = now + ms;
      for (;;) {
        const next = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        timers.splice(timers.indexOf(next), 1);
        now = next.at;
        next.done();
      }
      now = end;
      await settle();
    },
  };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('images', () => {
  test('are decoded one at a time', async () => {
    const { send, finish, decoding, finished } = startTurns();
    const all = [send('ann'), send('bob'), send('carl')];
    for (let n = 1; n <= 3; n++) {
      expect(decoding.length).toBe(n);
      await finish(10);
    }
    await Promise.all(all);
    expect(finished).toEqual(['ann', 'bob', 'carl']);
  });

  test('of somebody who sent none yet come next, however many others wait', async () => {
    const { send, finish, finished } = startTurns();
    const all = ['mallory', 'mallet', 'mallory', 'mallet', 'mallory'].map((name) => send(name));
    await finish(1_000);
    await finish(1_000);
    all.push(send('ann'));
    for (let left = 4; left > 0; left--) await finish(1_000);
    await Promise.all(all);
    expect(finished).toEqual(['mallory', 'mallet', 'mallory', 'ann', 'mallet', 'mallory']);
  });

  test('may take long while nobody else waits, and are given up when somebody does', async () => {
    const { send, pass, finish, decoding, finished } = startTurns();
    const slow = [send('mallory', 'first'), send('mallory', 'second')];
    await pass(aloneMs - 1);
    expect(decoding.map(({ isGivenUp }) => isGivenUp)).toEqual([false]);
    const other = send('ann');
    await settle();
    expect(finished).toEqual(['first: overloaded']);
    await finish(10);
    await pass(aloneMs);
    await Promise.all([...slow, other]);
    expect(finished).toEqual(['first: overloaded', 'ann', 'second: overloaded']);
  });

  test('are given up after their time while somebody else waits from the beginning', async () => {
    const { send, pass, finished, decoding } = startTurns();
    const all = [send('mallory'), send('ann')];
    await pass(besideMs - 1);
    expect(decoding.length).toBe(1);
    await pass(1);
    expect(finished).toEqual(['mallory: overloaded']);
    expect(decoding.length).toBe(2);
    await pass(aloneMs);
    await Promise.all(all);
  });

  test('that get little of a processor have more time, but not for ever', async () => {
    const { send, pass, starve, finish, finished } = startTurns();
    starve(0.1);
    const all = [send('mallory'), send('ann')];
    await pass(imageLimits.besideMs * 5);
    expect(finished).toEqual([]);
    await pass(imageLimits.besideMs * 6);
    expect(finished).toEqual(['mallory: overloaded']);
    starve(0);
    await pass(imageLimits.longestMs - 1);
    expect(finished.length).toBe(1);
    await finish(0);
    await Promise.all(all);
    expect(finished).toEqual(['mallory: overloaded', 'ann']);
  });

  test('of one person have a budget, which is given back with time', async () => {
    const { send, finish, pass, refusal } = startTurns();
    for (let usedMs = 0; usedMs <= budgetMs; usedMs += 15_000) {
      const sent = send('mallory');
      await finish(15_000);
      await sent;
    }
    const refused = await refusal('mallory');
    expect(refused).toMatchObject({ code: 'rate_limited' });
    const seconds = Number((refused as LodeError).details['retryAfterSeconds']);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(budgetMs / givenBack / 1_000);
    const other = send('ann');
    await finish(10);
    await other;
    await pass(seconds * 1_000);
    const again = send('mallory');
    await finish(10);
    await again;
  });

  test('that wait are so many, and no more', async () => {
    const { send, refusal, finish, decoding } = startTurns();
    const all = Array.from({ length: waiting + 1 }, (_, n) => send(`person ${n}`));
    expect(await refusal('ann')).toMatchObject({ code: 'overloaded' });
    while (decoding.length <= waiting) await finish(1);
    await finish(1);
    await Promise.all(all);
  });
});
