import { describe, expect, test } from '@jest/globals';
import { createTurns, LodeError } from '#kernel';

const tooMany = () => new LodeError('overloaded', 'Too many wait.');

describe('turns', () => {
  test('let no more run at once than they say, in the order of coming', async () => {
    const turns = createTurns({ atOnce: 2, waiting: 10, tooMany });
    const started: number[] = [];
    const ends = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
    const all = ends.map(({ promise }, n) =>
      turns(() => {
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

  test('go on after a work failed', async () => {
    const turns = createTurns({ atOnce: 1, waiting: 1, tooMany });
    const failing = turns(() => Promise.reject(new Error('no')));
    const next = turns(() => Promise.resolve('yes'));
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('yes');
    expect(await turns(() => Promise.resolve('again'))).toBe('again');
  });

  test('refuse when too many wait, and only then', async () => {
    const turns = createTurns({ atOnce: 1, waiting: 1, tooMany });
    const { promise, resolve } = Promise.withResolvers<void>();
    const [one, two] = [turns(() => promise), turns(() => promise)];
    await expect(turns(() => promise)).rejects.toMatchObject({ code: 'overloaded' });
    resolve();
    await Promise.all([one, two]);
    await turns(() => Promise.resolve());
  });
});
