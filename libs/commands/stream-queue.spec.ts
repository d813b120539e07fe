import { describe, expect, test } from '@jest/globals';
import { createStreamQueues } from './stream-queue.js';

describe('the queues of streams', () => {
  const open = () => createStreamQueues<string>({ waitingMax: 4, takenMax: 2 });

  test('tell who begins one, and are over once nothing is taken any more', () => {
    const queues = open();
    expect([queues.enter('a', ['1']), queues.enter('a', ['2']), queues.enter('b', ['3'])]).toEqual([
      'first',
      'waiting',
      'first',
    ]);
    expect(queues.take('a')).toEqual([['1'], ['2']]);
    expect(queues.enter('a', ['4'])).toBe('waiting');
    expect(queues.take('a')).toEqual([['4']]);
    expect(queues.take('a')).toBeUndefined();
    expect(queues.enter('a', ['5'])).toBe('first');
  });

  test('give so many groups at a time, in the order they came', () => {
    const queues = open();
    for (const one of ['1', '2', '3']) queues.enter('a', [one]);
    expect([queues.take('a'), queues.take('a'), queues.take('a')]).toEqual([
      [['1'], ['2']],
      [['3']],
      undefined,
    ]);
  });

  test('take no more than may wait, counting commands and not groups', () => {
    const queues = open();
    expect(queues.enter('a', ['1', '2', '3'])).toBe('first');
    expect(queues.enter('a', ['4', '5'])).toBe('full');
    expect(queues.enter('a', ['6'])).toBe('waiting');
    expect(queues.enter('a', ['7'])).toBe('full');
    expect(queues.take('a')).toEqual([['1', '2', '3'], ['6']]);
    expect(queues.enter('a', ['8', '9'])).toBe('waiting');
  });

  test('know nothing of a stream that nobody works on', () => {
    expect(open().take('a')).toBeUndefined();
  });
});
