import { describe, expect, test } from '@jest/globals';
import { Binary, Long, ObjectId } from 'bson';
import fc from 'fast-check';
import { evaluatorOf, matcherOf } from './matching.js';
import { simpleTestOf } from './simple-filter.js';
import type { Doc } from './values.js';

const member = fc.constantFrom('_id', 'pos', 'epoch', 'constructor', '__proto__', 'length', 'a.b', '');
/** Few of each, so that many are equal. */
const plain = fc.oneof(
  fc.constantFrom('', 'a', 'aa', 'b', 'B', 'é', 'e\u0301', '😀', '\uffff', '1', '\0'),
  fc.constantFrom(0, -0, 1, 1.5, -1, NaN, Infinity, -Infinity, 2 ** 53, Number.MIN_VALUE),
);
const other = fc.oneof(
  fc.constantFrom(null, undefined, true, false, 'object'),
  fc.constantFrom(
    new Date(0),
    new ObjectId('0'.repeat(24)),
    new Binary(Buffer.from('a')),
    Long.fromNumber(1),
  ),
  fc.array(plain, { maxLength: 2 }),
  fc.array(fc.array(plain, { maxLength: 2 }), { maxLength: 2 }),
  fc.dictionary(fc.constantFrom('b', 'a'), plain, { maxKeys: 2 }),
);
const value = fc.oneof({ weight: 3, arbitrary: plain }, { weight: 1, arbitrary: other });
const document = fc.dictionary(member, value, { maxKeys: 5 });
const comparison = fc.dictionary(fc.constantFrom('$lt', '$lte', '$gt', '$gte', '$eq', '$in'), value, {
  maxKeys: 2,
});
const filter = fc.dictionary(member, fc.oneof(value, comparison), { maxKeys: 3 });

/** What comes of it, an error too. */
function outcomeOf(of: (filter: Doc) => (document: Doc) => boolean, asked: Doc, documents: readonly Doc[]) {
  return documents.map((one) => {
    try {
      return of(asked)(one);
    } catch {
      return 'an error';
    }
  });
}

describe('a filter that compares members with texts and numbers', () => {
  test('gives what the evaluator gives, of every filter and document', () => {
    const simple = { passed: 0, refused: 0, unknown: 0 };
    fc.assert(
      fc.property(filter, fc.array(document, { minLength: 1, maxLength: 5 }), (asked, documents) => {
        expect(outcomeOf(matcherOf, asked, documents)).toEqual(outcomeOf(evaluatorOf, asked, documents));
        for (const one of documents) {
          const isMatch = simpleTestOf(asked)?.(one);
          if (isMatch === 'unknown') simple.unknown++;
          else if (isMatch === true) simple.passed++;
          else if (isMatch === false) simple.refused++;
        }
      }),
      { numRuns: 5_000 },
    );
    expect(Object.values(simple).every((count) => count > 50)).toBe(true);
  });

  test.each<[Doc, Doc, boolean]>([
    [{ _id: 'a', pos: { $lte: '1' } }, { _id: 'a', pos: '1' }, true],
    [{ _id: 'a', pos: { $lte: '1' } }, { _id: 'a', pos: '2' }, false],
    [{ _id: 'a', pos: { $lte: '1' } }, { _id: 'b', pos: '0' }, false],
    [{ epoch: { $gte: 2 } }, { epoch: 2 }, true],
    [{ epoch: { $gte: 2 } }, { epoch: '3' }, false],
    [{ epoch: { $gt: 1, $lt: 3 } }, { epoch: 3 }, false],
  ])('%j of %j is tested without it: %s', (asked, one, isMatch) => {
    expect(simpleTestOf(asked)?.(one)).toBe(isMatch);
  });
});
