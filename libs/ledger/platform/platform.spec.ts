import { describe, expect, test } from '@jest/globals';
import { InvariantViolation } from '#kernel';
import { platformDecider, platformStream } from '#ledger';

const { decide, evolve, initial } = platformDecider;
const NOW = '2026-01-10T00:00:00.000Z';
const founding = { type: 'FoundPlatform', platformId: 'p1' } as const;
const founded = decide(founding, initial, NOW).reduce(evolve, initial);

describe('a platform', () => {
  test('is founded, in the one stream of its kind', () => {
    expect(platformStream).toBe('platform');
    expect(decide(founding, initial, NOW)).toEqual([{ type: 'PlatformFounded', data: { platformId: 'p1' } }]);
    expect(founded).toEqual({ kind: 'founded', platformId: 'p1' });
  });

  test.each(['p1', 'p2'])('that is founded keeps its id, and %s gives no events', (platformId) => {
    expect(decide({ ...founding, platformId }, founded, NOW)).toEqual([]);
  });

  describe('that has its clock accepted', () => {
    const [was, instant] = ['2026-01-10T00:00:00.000Z', '2027-02-14T00:00:00.000Z'];
    const accept = { type: 'AcceptClock', instant, was } as const;
    const accepted = decide(accept, founded, NOW).reduce(evolve, founded);

    test('goes by it, and by what was known before', () => {
      expect(decide(accept, founded, NOW)).toEqual([{ type: 'ClockAccepted', data: { instant, was } }]);
      expect(accepted).toEqual({ ...founded, clocks: { count: 1, instant, ceiling: was } });
      expect(decide(accept, accepted, NOW)).toEqual([]);
    });

    test('takes one that goes back with a reason only, and remembers how far it had gone', () => {
      const back = { type: 'AcceptClock', instant: was, was: instant } as const;
      expect(() => decide(back, accepted, NOW)).toThrow(expect.objectContaining({ code: 'setting_invalid' }));
      const lowered = decide({ ...back, reason: 'a wrong year' }, accepted, NOW).reduce(evolve, accepted);
      expect(lowered).toEqual({ ...founded, clocks: { count: 2, instant: was, ceiling: instant } });
      const later = '2026-05-01T00:00:00.000Z';
      const forward = decide({ type: 'AcceptClock', instant: later, was }, lowered, NOW).reduce(
        evolve,
        lowered,
      );
      expect(forward).toEqual({ ...founded, clocks: { count: 3, instant: later, ceiling: instant } });
    });
  });

  describe('whose stores are gone on with although they are not as they had been', () => {
    const accepted = {
      was: { position: '545', changes: 12 },
      found: { position: '512', changes: 12 },
      wrong: ['The log ends at position 512.'],
      reason: 'The disk was replaced.',
    };

    test('has it written down, and stays what it is', () => {
      const events = decide({ type: 'AcceptStores', accepted }, founded, NOW);
      expect(events).toEqual([{ type: 'StoresAccepted', data: accepted }]);
      expect(events.reduce(evolve, founded)).toEqual(founded);
    });

    test('is founded before', () => {
      expect(() => decide({ type: 'AcceptStores', accepted }, initial, NOW)).toThrow(InvariantViolation);
      expect(() => evolve(initial, { type: 'StoresAccepted', data: accepted })).toThrow(InvariantViolation);
    });

    test('has nothing written down where nothing is wrong', () => {
      expect(decide({ type: 'AcceptStores', accepted: { ...accepted, wrong: [] } }, founded, NOW)).toEqual(
        [],
      );
    });
  });

  test('is not founded twice by what no decision gives', () => {
    const again = () => evolve(founded, { type: 'PlatformFounded', data: { platformId: 'p2' } });
    expect(again).toThrow(InvariantViolation);
  });
});
