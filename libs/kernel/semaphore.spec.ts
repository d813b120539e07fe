import { describe, expect, test } from '@jest/globals';
import { createSemaphore, LodeError } from '#kernel';

const tooMany = () => new LodeError('overloaded', 'Too many wait.');

describe('a semaphore', () => {
  test('lets no more run at once than it says, in the order of coming', async () => {
    const semaphore = createSemaphore({ concurrency: 2, waiting: 10, tooMany });
    const started: number[] = [];
    const ends = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
    const all = ends.map(({ promise }, n) =>
      semaphore(() => {
        started.push(n);
        return promise;
      }),
    );
    expect(started).toEqual([0, 1]);
    ends[1]?.resolve();
    await all[1];
    expect(started).toEqual([0, 1, 2]);
    for (const { resolve } of ends) resolve();
    await Promise.all(all);
    expect(started).toEqual([0, 1, 2, 3, 4]);
  });

  test('goes on after a work failed', async () => {
    const semaphore = createSemaphore({ concurrency: 1, waiting: 1, tooMany });
    const failing = semaphore(() => Promise.reject(new Error('no')));
    const next = semaphore(() => Promise.resolve('yes'));
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('yes');
    expect(await semaphore(() => Promise.resolve('again'))).toBe('again');
  });

  test('refuses when too many wait, and only then', async () => {
    const semaphore = createSemaphore({ concurrency: 1, waiting: 1, tooMany });
    const { promise, resolve } = Promise.withResolvers<void>();
    const [one, two] = [semaphore(() => promise), semaphore(() => promise)];
    await expect(semaphore(() => promise)).rejects.toMatchObject({ code: 'overloaded' });
    resolve();
    await Promise.all([one, two]);
    await semaphore(() => Promise.resolve());
  });
});
