import { describe, expect, test } from '@jest/globals';
import { createMemoryEventStore } from '#event-store/memory';
import { logStart, systemRandom, type RecordedEvent } from '#kernel';
import { createAggregates } from '../aggregates.js';
import { foundPlatform } from './found.js';

const NOW = Date.parse('2026-03-01T00:00:00.000Z');
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function startOn(log: RecordedEvent[]) {
  const eventStore = createMemoryEventStore(log);
  return foundPlatform(createAggregates({ eventStore, clock: () => NOW }), systemRandom);
}

describe('the platform', () => {
  test('is founded at the first start, by the operator, and known at the next', async () => {
    const log: RecordedEvent[] = [];
    const platformId = await startOn(log);
    expect(platformId).toMatch(UUID);
    expect(await startOn(log)).toBe(platformId);
    expect(log).toMatchObject([
      {
        stream: 'platform',
        type: 'PlatformFounded',
        version: 1,
        revision: 0,
        data: { platformId },
        meta: { actor: { kind: 'operator' } },
      },
    ]);
  });

  test('has one id when two programs start at once', async () => {
    const eventStore = createMemoryEventStore();
    const start = () => foundPlatform(createAggregates({ eventStore, clock: () => NOW }), systemRandom);
    const [one, other] = await Promise.all([start(), start()]);
    expect(one).toBe(other);
    expect(await eventStore.readAll(logStart, 10)).toHaveLength(1);
  });
});
