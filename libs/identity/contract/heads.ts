import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { StoresHead } from '#identity';
import { positionOf } from '#kernel';
import { CLIENT, createWorld, register, type IdentityStoreFixture, type World } from './world.js';

const RACERS = 8;

function head(position: number, more: Partial<StoresHead> = {}): StoresHead {
  return {
    logId: 'log',
    position: positionOf(position),
    last: { stream: 'account-a', revision: 3, chain: 'c'.repeat(64), at: '2026-01-01T00:00:00.000Z' },
    changes: 1,
    keptAt: '2026-01-01T00:00:01.000Z',
    ...more,
  };
}

export function headsContract(fixture: () => Promise<IdentityStoreFixture>): void {
  describe('the head of the stores', () => {
    let world: World;
    beforeEach(async () => void (world = await createWorld(fixture)));
    afterEach(() => world.end());
    const kept = async () => {
      const found = await world.store.head();
      return found.kind === 'head' ? found.head : undefined;
    };

    test('is none at first, then what was kept, and the store says so, over a restart', async () => {
      expect(await world.store.head()).toEqual({ kind: 'none' });
      expect(await world.store.standing()).toMatchObject({ hasHead: false });
      await world.store.keepHead(head(5));
      await world.restart();
      expect(await world.store.head()).toEqual({ kind: 'head', head: head(5) });
      expect(await world.store.standing()).toMatchObject({ hasHead: true });
      const bare = { position: positionOf(0), keptAt: '2026-01-01T00:00:00.000Z' };
      await world.store.keepHead(bare, true);
      expect(await kept()).toEqual(bare);
    });

    test('only goes forward in a log, and is replaced by that of another log or anew', async () => {
      await world.store.keepHead(head(5));
      await world.store.keepHead(head(4, { changes: 9 }));
      await world.store.keepHead(head(5, { changes: 0 }));
      expect(await kept()).toEqual(head(5));
      await world.store.keepHead(head(5, { changes: 2 }));
      expect(await kept()).toEqual(head(5, { changes: 2 }));
      await world.store.keepHead(head(6));
      expect(await kept()).toEqual(head(6, { changes: 2 }));
      await world.store.keepHead(head(1, { logId: 'another' }));
      expect(await kept()).toEqual(head(1, { logId: 'another' }));
      await world.store.keepHead(head(0, { logId: 'another' }), true);
      expect(await kept()).toEqual(head(0, { logId: 'another' }));
    });

    test('is the furthest of those that keep one at once', async () => {
      const positions = Array.from({ length: RACERS }, (_, n) => n + 1);
      await Promise.all(positions.map((position) => world.store.keepHead(head(position))));
      expect(await kept()).toMatchObject({ position: positionOf(RACERS) });
    });

    test('counts each change that must not be lost, and no session that begins or is refreshed', async () => {
      const changes = async () => (await world.store.standing()).changes;
      const { userId, password } = await register(world);
      let before = await changes();
      expect(before).toBeGreaterThan(0);
      const session = await world.identity.sessions.start({ userId, role: 'user' }, CLIENT);
      await world.identity.sessions.refresh(session.refreshToken, CLIENT);
      expect(await changes()).toBe(before);
      const steps: (() => Promise<unknown>)[] = [
        () => world.identity.transferPins.set(userId, '1234'),
        () => world.store.takePinTry(userId, 5),
        () => world.identity.credentials.changePassword(userId, { old: password, new: 'another one' }),
        () => world.store.endSession(session.session.sessionId),
        () => world.store.suspend(userId),
        () => world.store.reinstate(userId),
        () => world.store.createPersonKey('message-1', new Uint8Array(32)),
        () => world.store.giveUpPersonKeys(['lost'], 5),
        () => world.store.destroyPersonKey(userId, 6),
        () => world.store.eraseCredential(userId),
      ];
      for (const step of steps) {
        await step();
        const after = await changes();
        expect(after).toBeGreaterThan(before);
        before = after;
      }
      await world.restart();
      expect(await changes()).toBe(before);
    });

    test('tells keys that were given up from those that were destroyed', async () => {
      const { userId } = await register(world);
      await world.store.destroyPersonKey(userId, 5);
      expect(await world.store.lostPersonKeys()).toBe(0);
      await world.store.giveUpPersonKeys([userId, 'lost', 'lost too'], 6);
      expect(await world.store.lostPersonKeys()).toBe(2);
      const records = await world.store.people('', 10);
      expect(records.find((one) => one.userId === 'lost')?.key).toEqual({
        kind: 'destroyed',
        at: 6,
        isLost: true,
      });
      expect(records.find((one) => one.userId === userId)?.key).toEqual({ kind: 'destroyed', at: 5 });
      await world.store.putPerson({ userId: 'copied', key: { kind: 'destroyed', at: 7, isLost: true } });
      await world.restart();
      expect(await world.store.lostPersonKeys()).toBe(3);
    });
  });
}
