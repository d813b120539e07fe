import { describe, expect, test } from '@jest/globals';
import { LodeError, positionOf, type ErrorCode } from '#kernel';
import type { Append, Appended, EventStore } from '#event-store';
import { createMemoryEventStore } from '#event-store/memory';
import { appendOnce, appendTogether } from './append.js';

const append: Append = { stream: 'a', expected: 'no-stream', events: [] };
const appended: Appended = { revision: 0, position: positionOf(1) };

function answering(answer: () => Promise<Appended>): EventStore {
  return {
    ...createMemoryEventStore(),
    append: answer,
    appendMany: (all) => Promise.allSettled(all.map(answer)),
  };
}

describe('an append', () => {
  test('tells what was appended', async () => {
    const store = answering(() => Promise.resolve(appended));
    expect(await appendOnce(store, append)).toEqual({ kind: 'appended', appended });
    expect(await appendTogether(store, [append, append])).toEqual([
      { kind: 'appended', appended },
      { kind: 'appended', appended },
    ]);
  });

  test.each<[ErrorCode, string]>([
    ['conflict', 'conflict'],
    ['body_too_large', 'too large'],
    ['unavailable', 'failed'],
    ['overloaded', 'failed'],
    ['storage_full', 'failed'],
    ['unknown_outcome', 'unknown'],
    ['storage_failed', 'failed'],
    ['internal', 'unknown'],
  ])('that fails with %s is %s', async (code, kind) => {
    const error = new LodeError(code, 'injected');
    const store = answering(() => Promise.reject(error));
    const expected = kind === 'conflict' ? { kind } : { kind, error };
    expect(await appendOnce(store, append)).toEqual(expected);
    expect(await appendTogether(store, [append])).toEqual([expected]);
  });

  test('that fails with anything else, or is given no answer, may have been written', async () => {
    const error = new TypeError('a bug');
    expect(
      await appendOnce(
        answering(() => Promise.reject(error)),
        append,
      ),
    ).toEqual({
      kind: 'unknown',
      error,
    });
    const silent: EventStore = { ...createMemoryEventStore(), appendMany: async () => [] };
    expect(await appendTogether(silent, [append])).toMatchObject([{ kind: 'unknown' }]);
    const broken: EventStore = { ...silent, appendMany: () => Promise.reject(error) };
    expect(await appendTogether(broken, [append, append])).toEqual([
      { kind: 'unknown', error },
      { kind: 'unknown', error },
    ]);
  });
});
