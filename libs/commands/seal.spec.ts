import { describe, expect, test } from '@jest/globals';
import { canonicalJson, chainHolds, chainStart, eventCodecs, eventId, reading } from '#kernel';
import { joinSealed, sealEvents, type Place } from './seal.js';
import { contextOf, type TallyEvent } from './testing/index.js';

/** Stores amounts as text, in version 2 of the event: what is stored is not what the domain has. */
const codecs = eventCodecs<TallyEvent>({
  Added: {
    version: 2,
    read: { 2: reading(({ amount }: { readonly amount: string }) => ({ amount: Number(amount) })) },
    write: ({ amount }) => ({ amount: String(amount) }),
  },
});
const AT = '2026-01-01T00:00:00.000Z';
const START: Place<TallyEvent> = { stream: 'tally-1', revision: -1, chain: chainStart, at: AT, codecs };
const added = (amount: number): TallyEvent => ({ type: 'Added', data: { amount } });
const context = contextOf('k1');

describe('sealed events', () => {
  test('follow one another from the place that they are sealed for', () => {
    const { chain } = sealEvents([added(1)], context, START);
    const { events } = sealEvents([added(2), added(3)], context, { ...START, revision: 6, chain });
    expect(events).toEqual(
      [2, 3].map((amount, n) => ({
        id: eventId(context.commandId, n),
        type: 'Added',
        version: 2,
        stream: 'tally-1',
        revision: 7 + n,
        at: AT,
        data: { amount: String(amount) },
        meta: { ...context, chain: expect.any(String) },
      })),
    );
  });

  test('continue the chain, whose last value comes with them', () => {
    const first = sealEvents([added(1), added(2)], context, START);
    const second = sealEvents([added(3)], contextOf('k2'), { ...START, revision: 1, chain: first.chain });
    let chain = chainStart;
    for (const event of [...first.events, ...second.events]) {
      expect(chainHolds(chain, event)).toBe(true);
      chain = event.meta.chain;
    }
    expect(second.chain).toBe(chain);
    expect(sealEvents([], context, { ...START, chain }).chain).toBe(chain);
  });

  test.each([
    ['nothing more', {}],
    ['why', { reason: 'because' }],
    ['in which session', { session: 's1' }],
    ['which settings it went by, the first ones too', { settings: 0 }],
  ])('say who did it and %s, and no member that was left out', (_, more) => {
    const { events } = sealEvents([added(1)], { ...context, ...more }, START);
    const { chain, ...meta } = events[0]!.meta;
    expect(meta).toStrictEqual({ ...context, ...more });
    expect(chain).toMatch(/^[0-9a-f]{64}$/);
    // In which order it is written is what makes it quick to write.
    expect(Object.keys(meta)).toEqual(Object.keys(meta).toSorted());
  });

  test('have their text with them, as it is hashed: without the chain', () => {
    const { texts } = sealEvents([added(1), added(2)], context, START);
    expect(texts).toEqual(
      ['1', '2'].map((amount) => ({ data: canonicalJson({ amount }), meta: canonicalJson({ ...context }) })),
    );
  });

  test('are answered as the domain has them, in the envelope that is stored', () => {
    const { events, answer } = sealEvents([added(1), added(2)], context, START);
    expect(answer).toEqual([1, 2].map((amount, n) => ({ ...events[n], data: { amount } })));
  });
});

describe('what several commands gave', () => {
  const [one, two] = [
    sealEvents([added(1), added(2)], context, START),
    sealEvents([added(3)], context, START),
  ];

  test('is joined in their order, each event with its text', () => {
    const joined = joinSealed([one, two]);
    expect(joined.events).toEqual([...one.events, ...two.events]);
    expect(joined.texts).toEqual([...one.texts, ...two.texts]);
    expect(joinSealed([])).toEqual({ events: [], texts: [] });
  });

  test('of one alone is what that gave, and no copy', () => {
    expect(joinSealed([one]).events).toBe(one.events);
  });
});
