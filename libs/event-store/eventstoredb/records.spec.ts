import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { chainHolds, chainStart } from '#kernel';
import { sealedEvents } from '#event-store/testing';
import { pauseAfter, usualRetryLimits } from './retry-limits.js';
import { toPosition, toSealed, toStored, type StoredEvent } from './records.js';

/** What comes back from the server of an event that was sent to it. */
function throughTheServer(note: string): StoredEvent {
  const [sealed] = sealedEvents('account-1', 0, 1, { note });
  const { type, data, metadata } = toStored(sealed!);
  const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
  return {
    type,
    streamId: 'account-1',
    revision: 0n,
    isJson: true,
    data: json(data),
    metadata: json(metadata),
  };
}

describe('an envelope in EventStoreDB', () => {
  test('comes back as it was, and its chain holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (note) => {
        const back = toSealed(throughTheServer(note));
        expect(back).toMatchObject({ stream: 'account-1', revision: 0, version: 1, data: { note } });
        expect(chainHolds(chainStart, back!)).toBe(true);
      }),
    );
  });

  test('has an id on the server that tells one sealing from another, and the same again for the same', () => {
    const command = '7d444840-9dc0-11d1-b245-5ffdce74fad2';
    const [one, again, other] = ['x', 'x', 'y'].map(
      (note) => sealedEvents('account-1', 0, 1, { note, commandId: command })[0]!,
    );
    expect([one!.id, toStored(one!).id]).toEqual([again!.id, toStored(again!).id]);
    expect(other!.id).toBe(one!.id);
    expect(toStored(other!).id).not.toBe(toStored(one!).id);
  });

  test('has the id on the server that it always had', () => {
    const commandId = '7d444840-9dc0-11d1-b245-5ffdce74fad2';
    const [sealed] = sealedEvents('account-1', 0, 1, { note: 'x', commandId });
    const stored = toStored({ ...sealed!, meta: { ...sealed!.meta, chain: 'ab'.repeat(32) } });
    expect([sealed!.id, stored.id]).toEqual([
      'ad26f136-3694-54d9-855a-f5bc40137027',
      '9cbab719-7acf-579a-8796-9ae937ee7c0e',
    ]);
  });

  const ours = throughTheServer('x');
  test.each([
    ['a system event', { type: '$metadata' }],
    ['an event of a system stream', { streamId: '$settings' }],
    ['an event that is not JSON', { isJson: false, data: new Uint8Array() }],
    ['an event whose data is a text', { data: '{' }],
    ['an event without metadata', { metadata: undefined }],
    ['an event with bytes for metadata', { metadata: new Uint8Array([1]) }],
    ['an event with metadata of its own', { metadata: { $correlationId: '1' } }],
    [
      'an event whose chain is none',
      { metadata: { ...meta(ours), meta: { ...meta(ours).meta, chain: 'x' } } },
    ],
  ])('is not seen in %s', (_, change) => {
    expect(toSealed({ ...ours, ...change })).toBeUndefined();
  });

  test('has a position unless the server does not know it', () => {
    expect(toPosition({ commit: 9_007_199_254_740_993n, prepare: 1n })).toBe('9007199254740993');
    expect(toPosition({ commit: 2n ** 64n - 1n, prepare: 2n ** 64n - 1n })).toBeUndefined();
    expect(toPosition(undefined)).toBeUndefined();
  });
});

test('pauses grow, stay below their limit, and differ', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000 }), fc.nat({ max: 255 }), (failures, byte) => {
      const pause = pauseAfter(failures, usualRetryLimits, () => Uint8Array.of(byte));
      const longest = Math.min(usualRetryLimits.pauseMaxMs, usualRetryLimits.pauseMs * 2 ** (failures - 1));
      expect(pause).toBeGreaterThanOrEqual(longest / 2);
      expect(pause).toBeLessThan(longest);
    }),
  );
});

function meta(event: StoredEvent): { readonly meta: object } {
  return event.metadata as { readonly meta: object };
}
