import { expect, test } from '@jest/globals';
import { InvariantViolation } from '#kernel';
import { notesDecider, notesStream } from '#ledger';

const { decide, evolve, initial } = notesDecider;
const add = { type: 'AddNote', userId: 'u1', noteId: 'n1', sealed: 'sealed' } as const;
const NOW = '2026-01-10T00:00:00.000Z';

test('a note is added, and once', () => {
  expect(notesStream('u1')).toBe('notes-u1');
  const events = decide(add, initial, NOW);
  expect(events).toEqual([{ type: 'NoteAdded', data: { userId: 'u1', noteId: 'n1', sealed: 'sealed' } }]);
  const state = events.reduce(evolve, initial);
  expect(decide(add, state, NOW)).toEqual([]);
  expect(decide({ ...add, noteId: 'n2' }, state, NOW)).toHaveLength(1);
  expect(() => events.reduce(evolve, state)).toThrow(InvariantViolation);
});
