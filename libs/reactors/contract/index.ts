import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { logStart, positionOf } from '#kernel';
import type { Checkpoints, ParkedEvent, ReactorProgress } from '../index.js';

/** What a test needs of an adapter: checkpoints under a lease that is newer at each time, on one store. */
export type CheckpointsFixture = {
  readonly take: () => Promise<Checkpoints>;
  readonly cleanUp: () => Promise<void>;
};

export function parkedAt(position: number, attempts = 1): ParkedEvent {
  return {
    position: positionOf(position),
    eventId: `event-${position}`,
    stream: 'account-anna',
    revision: position,
    type: 'TransferConfirmed',
    key: 'anna',
    attempts,
    error: 'Error: $no',
    since: '2026-01-01T00:00:00.000Z',
  };
}

export function progressTo(position: number, more: Partial<ReactorProgress> = {}): ReactorProgress {
  return { position: positionOf(position), ordinal: position, put: [], remove: [], ...more };
}

/** The promises of the port, for an adapter's test file. */
export function describeCheckpoints(engine: string, fixture: () => Promise<CheckpointsFixture>): void {
  describe(`checkpoints of reactors: ${engine}`, () => {
    let store: CheckpointsFixture;
    let checkpoints: Checkpoints;
    beforeEach(async () => {
      store = await fixture();
      checkpoints = await store.take();
    });
    afterEach(() => store.cleanUp());

    test('what was saved is there for the next holder, each reactor by itself', async () => {
      expect(await checkpoints.load('one')).toEqual({ position: logStart, ordinal: 0, parked: [] });
      const huge = positionOf(18_446_744_073_709_551_615n);
      await checkpoints.save('one', progressTo(7, { put: [parkedAt(3), parkedAt(5)] }));
      const more = { position: huge, put: [parkedAt(5, 2)], remove: [positionOf(3)] };
      await checkpoints.save('one', progressTo(8, more));
      await checkpoints.save('two', progressTo(1));
      const next = await store.take();
      expect(await next.load('one')).toEqual({ position: huge, ordinal: 8, parked: [parkedAt(5, 2)] });
      expect(await next.load('two')).toEqual({ position: '1', ordinal: 1, parked: [] });
      expect(await next.load('three')).toEqual({ position: logStart, ordinal: 0, parked: [] });
    });

    test('what is parked changes also where the position stays', async () => {
      await checkpoints.save('one', progressTo(7, { put: [parkedAt(3)] }));
      await checkpoints.save('one', progressTo(7, { put: [parkedAt(4)], remove: [positionOf(3)] }));
      await checkpoints.save('one', progressTo(7, { remove: [positionOf(2)] }));
      expect(await checkpoints.load('one')).toEqual({ position: '7', ordinal: 7, parked: [parkedAt(4)] });
    });

    test.each(['load', 'save'] as const)(
      'an earlier holder is refused once a later one did a %s, and changes nothing',
      async (what) => {
        await checkpoints.save('one', progressTo(5, { put: [parkedAt(3)] }));
        const later = await store.take();
        if (what === 'load') await later.load('one');
        else await later.save('one', progressTo(5));
        const stale = progressTo(6, { put: [parkedAt(6)], remove: [positionOf(3)] });
        await expect(checkpoints.save('one', stale)).rejects.toMatchObject({ code: 'conflict' });
        expect(await later.load('one')).toEqual({ position: '5', ordinal: 5, parked: [parkedAt(3)] });
        await later.save('one', progressTo(7));
        await expect(checkpoints.save('one', stale)).rejects.toMatchObject({ code: 'conflict' });
        expect((await later.load('one')).position).toBe('7');
      },
    );
  });
}
