import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { wordsOf } from './words.js';

const list = z.object({
  limit: z.coerce.number().int().min(1).max(100),
  from: z.iso.datetime(),
  cursor: z
    .string()
    .min(1)
    .max(3)
    .regex(/^[a-z]+$/),
  order: z.enum(['newest', 'oldest']),
  items: z
    .array(z.strictObject({ key: z.string() }))
    .min(1)
    .max(2),
  own: z.string('Please enter it.').optional(),
});
const good = {
  limit: 1,
  from: '2026-01-31T12:00:00Z',
  cursor: 'abc',
  order: 'newest',
  items: [{ key: 'k' }],
};

/** The words for what `change` makes wrong. */
function wordsFor(change: object): readonly string[] {
  const parsed = list.safeParse({ ...good, ...change }, { error: wordsOf });
  return parsed.error?.issues.map(({ message }) => message) ?? [];
}

describe('words for wrong input', () => {
  test.each([
    [{ limit: 0 }, 'limit must be at least 1.'],
    [{ limit: '1000' }, 'limit must be at most 100.'],
    [{ limit: 1.5 }, 'limit must be a whole number.'],
    [{ limit: 'many' }, 'limit must be a number.'],
    [{ from: 'today' }, 'from must be an instant such as 2026-01-31T12:00:00Z.'],
    [{ cursor: 'A' }, 'cursor is not of the right form.'],
    [{ cursor: 'abcd' }, 'cursor must have at most 3 characters.'],
    [{ cursor: undefined }, 'cursor is missing.'],
    [{ cursor: 7 }, 'cursor must be a text.'],
    [{ order: 'none' }, 'order must be one of newest, oldest.'],
    [{ items: [] }, 'items must have at least 1 entry.'],
    [{ items: {} }, 'items must be a list.'],
    [{ items: [{}] }, 'items.0.key is missing.'],
    [{ items: [{ key: 'k', more: 1 }] }, 'items.0 must not have more.'],
    [{ own: 1 }, 'Please enter it.'],
  ])('%j: %s', (change, words) => {
    expect(wordsFor(change)).toEqual([words]);
  });

  test('say that a text is empty', () => {
    expect(wordsFor({ cursor: '' })).toContain('cursor must not be empty.');
  });

  test('name the request when it is wrong as a whole', () => {
    expect(list.safeParse([], { error: wordsOf }).error?.issues[0]?.message).toBe(
      'The request must be an object.',
    );
  });
});
