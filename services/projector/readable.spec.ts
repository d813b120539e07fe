import { expect, test } from '@jest/globals';
import { checkpointStart } from '#read-store';
import { LodeError, systemTimers } from '#kernel';
import { walletModels } from '#projections';
import { untilReadable } from './readable.js';

/** Read models of which each is there from its `there`-th look on. */
function models(there: number, error = new LodeError('unavailable', 'It is being built.')) {
  const looks = new Map<string, number>();
  return {
    looks,
    checkpoint: async (name: string) => {
      const look = (looks.get(name) ?? 0) + 1;
      looks.set(name, look);
      if (look < there) throw error;
      return checkpointStart;
    },
  };
}

test('waits until every read model is there', async () => {
  const some = models(3);
  expect(await untilReadable(some, systemTimers, new AbortController().signal)).toBe(true);
  expect([...some.looks]).toEqual(walletModels.map(({ name }) => [name, 3]));
});

test('ends when it is told to', async () => {
  const told = new AbortController();
  const some = models(Infinity);
  const waiting = untilReadable(some, systemTimers, told.signal);
  told.abort();
  expect(await waiting).toBe(false);
});

test('does not wait for what is wrong in another way', async () => {
  const broken = models(Infinity, new LodeError('storage_failed', 'It is damaged.'));
  expect(await untilReadable(broken, systemTimers, new AbortController().signal)).toBe(true);
});
