import { describe, expect, test } from '@jest/globals';
import { securityDecider, securityStream, securityTypes } from '#ledger';

const { codecs, decide, evolve, initial } = securityDecider;
const minute = '2026-01-10T12:34:00.000Z';

describe('what is noted of access to the platform', () => {
  test('has a stream an hour', () => expect(securityStream(minute)).toBe('security-2026-01-10T12'));

  test.each(securityTypes)('is noted as it happened: %s', (what) => {
    const note = { minute, count: 3, userId: 'u1' };
    expect(decide({ type: 'Note', what, note }, initial, minute)).toEqual([{ type: what, data: note }]);
    expect(evolve(initial, { type: what, data: note })).toEqual({ noted: 1 });
  });

  test('has the types of its list and no other', () =>
    expect(Object.keys(codecs.versions).toSorted()).toEqual([...securityTypes].toSorted()));
});
