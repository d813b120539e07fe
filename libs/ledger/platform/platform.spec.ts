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

  test('is not founded twice by what no decision gives', () => {
    const again = () => evolve(founded, { type: 'PlatformFounded', data: { platformId: 'p2' } });
    expect(again).toThrow(InvariantViolation);
  });
});
