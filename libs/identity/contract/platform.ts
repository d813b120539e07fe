import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createWorld, register, type IdentityStoreFixture, type World } from './world.js';

export function platformContract(fixture: () => Promise<IdentityStoreFixture>): void {
  describe('whose identities they are', () => {
    let world: World;
    beforeEach(async () => void (world = await createWorld(fixture)));
    afterEach(() => world.end());

    test('is nobody until a platform takes them, and then that one alone, over a restart', async () => {
      await register(world);
      expect(await world.store.platform()).toBeUndefined();
      await world.store.claim('one');
      expect(await world.store.platform()).toBe('one');
      await world.store.claim('one');
      await world.restart();
      await world.store.claim('one');
      await expect(world.store.claim('another')).rejects.toMatchObject({
        code: 'storage_failed',
        message: expect.stringMatching(/ belongs to the platform one, and the log to the platform another: /),
      });
      await world.store.claim('one');
    });

    test('is one of those that ask at once', async () => {
      const ids = ['one', 'two', 'three'];
      const claims = await Promise.allSettled(ids.map((id) => world.store.claim(id)));
      const taken = ids.filter((_, n) => claims[n]?.status === 'fulfilled');
      expect(taken).toHaveLength(1);
      await world.store.claim(taken[0] ?? '');
    });
  });
}
