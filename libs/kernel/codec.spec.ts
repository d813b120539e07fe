import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson, eventCodecs, plainCodec, reading, UnknownEvent, type StoredFact } from '#kernel';

type Measured = {
  readonly type: 'Measured';
  readonly data: { readonly metres: bigint; readonly by: string };
};
type Noted = { readonly type: 'Noted'; readonly data: { readonly text: string } };

/** Version 1 had no `by`, and whole kilometres. */
const codecs = eventCodecs<Measured | Noted>({
  Measured: {
    version: 2,
    read: {
      1: reading(({ km }: { readonly km: number }) => ({ metres: BigInt(km) * 1_000n, by: 'unknown' })),
      2: reading(({ by, metres }: { readonly by: string; readonly metres: string }) => ({
        metres: BigInt(metres),
        by,
      })),
    },
    write: ({ metres, by }) => ({ by, metres: String(metres) }),
  },
  Noted: plainCodec(),
});

describe('the codecs of an aggregate', () => {
  test('read every version there ever was as the one event that the domain knows', () => {
    const expected = { type: 'Measured', data: { metres: 2_000n, by: 'unknown' } };
    expect(codecs.decode({ type: 'Measured', version: 1, data: { km: 2 } })).toEqual(expected);
    const stored = { type: 'Measured', version: 2, data: { by: 'unknown', metres: '2000' } };
    expect(codecs.decode(stored)).toEqual(expected);
  });

  test('write the version of today, and tell it', () => {
    expect(codecs.versions).toEqual({ Measured: 2, Noted: 1 });
    const stored = codecs.encode({ type: 'Measured', data: { metres: 7n, by: 'ann' } });
    expect(stored).toEqual({ type: 'Measured', version: 2, data: { by: 'ann', metres: '7' } });
  });

  test('give back through JSON what they were given', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.string(), (metres, by) => {
        const event = { type: 'Measured', data: { metres, by } } as const;
        const { data, ...fact } = codecs.encode(event);
        const read = JSON.parse(canonicalJson(data)) as StoredFact['data'];
        expect(codecs.decode({ ...fact, data: read })).toEqual(event);
      }),
    );
  });

  test('leave what was always stored as it is in the domain just as it is', () => {
    const stored = { type: 'Noted', version: 1, data: { text: 'x' } };
    expect(codecs.decode(stored).data).toBe(stored.data);
  });

  test.each([
    ['a type of another aggregate', { type: 'Lost', version: 1 }],
    ['a version that only a newer program knows', { type: 'Measured', version: 3 }],
    ['a version below the first', { type: 'Noted', version: 0 }],
    ['a name that every object has', { type: 'constructor', version: 1 }],
    ['a number that every object has no version of', { type: 'Noted', version: Number.NaN }],
  ])('refuse %s by name', (_, fact) => {
    expect(() => codecs.decode({ ...fact, data: {} })).toThrow(UnknownEvent);
    expect(() => codecs.decode({ ...fact, data: {} })).toThrow(`no event ${fact.type} of version`);
  });

  // The compiler is the test: where the next line has no error, the comment that expects one is an error.
  test('do not compile when an event of the aggregate has none', () => {
    // @ts-expect-error: nothing is said about Measured
    expect(eventCodecs<Measured | Noted>({ Noted: plainCodec() }).versions).toEqual({ Noted: 1 });
  });
});
