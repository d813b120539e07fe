import { describe, expect, test } from '@jest/globals';
import { checkCollection, type Index } from '#read-store';

const named = (name: string, indexes: readonly Index[] = []) => ({ name, version: 1, indexes });

describe('a collection’s declaration', () => {
  test('takes plain names', () => {
    const index = { name: 'newest', equals: ['kind'], order: ['createdAt'] };
    expect(() => {
      checkCollection(named('fund-requests', [index]));
    }).not.toThrow();
  });

  test.each([
    ['a name that would end a statement', named('a"; DROP TABLE builds; --')],
    ['no name', named('')],
    ['a version that is not a number of one', { ...named('a'), version: 0.5 }],
    ['a field that would end a statement', named('a', [{ name: 'i', equals: ['k"'], order: [] }])],
    ['an index’s name that would', named('a', [{ name: 'i"', equals: ['k'], order: [] }])],
    ['an index of no fields', named('a', [{ name: 'i', equals: [], order: [] }])],
    ['a sparse index by no field', named('a', [{ name: 'i', equals: [], order: ['k'], sparse: true }])],
    ['a field twice', named('a', [{ name: 'i', equals: ['k'], order: ['k'] }])],
    ['the id as a field', named('a', [{ name: 'i', equals: [], order: ['id'] }])],
    [
      'the name that every collection’s own index has',
      named('a', [{ name: 'id', equals: [], order: ['k'] }]),
    ],
    [
      'two indexes of one name',
      named('a', [
        { name: 'i', equals: ['k'], order: [] },
        { name: 'i', equals: ['l'], order: [] },
      ]),
    ],
  ])('refuses %s', (_, collection) => {
    expect(() => {
      checkCollection(collection);
    }).toThrow();
  });
});
