import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { isTransientStatus, retryLimits, withRetries, type RetryOptions } from '#files';

/** Without chance: each pause is as long as it may be. */
const options: RetryOptions = {
  limitMs: retryLimits.operationMs,
  isTransient: (error) => error === 'busy',
  retry: { ...retryLimits.retry, jitter: 0 },
};

describe('work with a remote store', () => {
  beforeEach(() => void jest.useFakeTimers({ now: 0 }));
  afterEach(() => void jest.useRealTimers());

  /** Lets time pass until the work has ended; says how it ended and when. */
  async function ended(work: Promise<unknown>): Promise<readonly [outcome: unknown, atMs: number]> {
    const outcome = work.then(
      (value) => [value, Date.now()] as const,
      (error: unknown) => [error, Date.now()] as const,
    );
    await jest.advanceTimersByTimeAsync(retryLimits.uploadMs * 2);
    return outcome;
  }

  test('has the limits of the specification', () => {
    expect([retryLimits.operationMs, retryLimits.uploadMs]).toEqual([120_000, 600_000]);
  });

  test.each([
    [500, true],
    [503, true],
    [599, true],
    [408, true],
    [429, true],
    [200, false],
    [400, false],
    [401, false],
    [402, false],
    [403, false],
    [404, false],
  ])('is worth another try after %d: %s', (status, expected) => {
    expect(isTransientStatus(status)).toBe(expected);
  });

  test('that succeeds is done once', async () => {
    const work = jest.fn(() => Promise.resolve('done'));
    expect(await ended(withRetries(work, options))).toEqual(['done', 0]);
    expect(work).toHaveBeenCalledTimes(1);
  });

  test('is tried again after pauses that double', async () => {
    const times: number[] = [];
    const work = () => {
      times.push(Date.now());
      return times.length < 5 ? Promise.reject('busy') : Promise.resolve('done');
    };
    expect(await ended(withRetries(work, options))).toEqual(['done', 7_500]);
    expect(times).toEqual([0, 500, 1_500, 3_500, 7_500]);
  });

  test.each([
    ['operation', retryLimits.operationMs],
    ['upload', retryLimits.uploadMs],
  ])('gives up within the limit of an %s', async (_, limitMs) => {
    let last = 0;
    const work = () => {
      last = Date.now();
      return Promise.reject('busy');
    };
    const [error, at] = await ended(withRetries(work, { ...options, limitMs }));
    expect(error).toMatchObject({ code: 'unavailable', cause: 'busy' });
    expect(at).toBe(last);
    expect(at).toBeLessThan(limitMs);
    expect(at).toBeGreaterThan(limitMs - 2 * retryLimits.retry.lastMs);
  });

  test('that hangs is told to end when the time is up', async () => {
    const work = (signal: AbortSignal) =>
      new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new Error('ended'))));
    const [error, at] = await ended(withRetries(work, options));
    expect(error).toMatchObject({
      code: 'unavailable',
      cause: expect.objectContaining({ message: 'ended' }),
    });
    expect(at).toBe(retryLimits.operationMs);
  });

  test('fails at once with what does not pass', async () => {
    const refusal = new Error('no');
    expect(await ended(withRetries(() => Promise.reject(refusal), options))).toEqual([refusal, 0]);
  });

  test.each(['in a pause', 'in the middle of a try', 'before it began'])(
    'ends when the caller goes: %s',
    async (when) => {
      const caller = new AbortController();
      const work = (signal: AbortSignal) =>
        when === 'in a pause'
          ? Promise.reject('busy')
          : new Promise<never>((_, reject) =>
              signal.addEventListener('abort', () => reject(new Error('gone'))),
            );
      if (when === 'before it began') caller.abort();
      else setTimeout(() => caller.abort(), 700);
      const [error, at] = await ended(withRetries(work, { ...options, signal: caller.signal }));
      expect(error).toMatchObject({ code: 'upload_canceled' });
      expect(at).toBe(when === 'before it began' ? 0 : 700);
    },
  );

  test('leaves no timer behind', async () => {
    const caller = new AbortController();
    const trying = withRetries(() => Promise.resolve('done'), { ...options, signal: caller.signal });
    expect(await trying).toBe('done');
    expect(jest.getTimerCount()).toBe(0);
  });
});
