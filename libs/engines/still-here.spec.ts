import { beforeEach, describe, expect, test } from '@jest/globals';
import { lookingAtHeader, SETTLE_MS } from './still-here.js';

const moved = async () => {
  throw new Error('moved');
};
const here = async () => undefined;

describe('a program that looks whether its log is still here', () => {
  let time: number;
  let wall: number;
  let looks: number;
  let found: () => Promise<void>;
  beforeEach(() => {
    time = 1_000;
    wall = 1_000_000;
    looks = 0;
    found = here;
  });
  const looking = () =>
    lookingAtHeader(
      () => {
        looks += 1;
        return found();
      },
      { clock: () => wall, monotonic: () => time },
    );
  const pass = (ms: number) => {
    time += ms;
    wall += ms;
  };

  test('says nothing was lost by a look that is older than whoever moves it waits', async () => {
    const stillHere = looking();
    await stillHere();
    await stillHere();
    expect(looks).toBe(1);
    found = moved;
    for (let waited = 0; waited < SETTLE_MS; waited += SETTLE_MS - 1) {
      pass(SETTLE_MS - 1);
      await expect(stillHere()).rejects.toThrow('moved');
    }
    found = here;
    await stillHere();
  });

  test('looks again after a sleep that its steady clock has not noticed', async () => {
    const stillHere = looking();
    await stillHere();
    found = moved;
    wall += SETTLE_MS;
    await expect(stillHere()).rejects.toThrow('moved');
  });

  test('goes by no look that began too long before it was asked, and asks no more than it has to', async () => {
    const first = Promise.withResolvers<void>();
    found = () => first.promise;
    const stillHere = looking();
    const early = stillHere();
    pass(SETTLE_MS);
    const late = [stillHere(), stillHere()];
    found = moved;
    first.resolve();
    await early;
    for (const one of late) await expect(one).rejects.toThrow('moved');
    expect(looks).toBeLessThanOrEqual(3);
  });

  test('ends also when the clock was set back while it looked', async () => {
    found = async () => {
      wall -= 3_600_000;
    };
    await looking()();
    expect(looks).toBe(1);
  });

  test('fails as the look does, and looks again', async () => {
    const stillHere = looking();
    found = async () => {
      throw new Error('away');
    };
    await expect(stillHere()).rejects.toThrow('away');
    found = here;
    await stillHere();
  });
});
