import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { FORGOTTEN, type PersonalData } from '#identity';
import { createWorld, register, type IdentityStoreFixture, type World } from './world.js';

const DATA: PersonalData = { firstname: 'Ann', lastname: 'Ångström', note: [1, null, { deep: true }] };
const RUNS = 100;

export function keysContract(fixture: () => Promise<IdentityStoreFixture>): void {
  describe('person keys', () => {
    let world: World;
    beforeEach(async () => void (world = await createWorld(fixture)));
    afterEach(() => world.end());
    const keys = () => world.identity.personKeys;

    test('whatever is encrypted is decrypted, and no two texts are the same', async () => {
      const { userId } = await register(world);
      const data = fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<PersonalData>;
      await fc.assert(
        fc.asyncProperty(data, async (given) => {
          const [one, two] = [await keys().encryptFor(userId, given), await keys().encryptFor(userId, given)];
          expect(one).toMatch(/^v1\.[A-Za-z0-9_-]{16}\.[A-Za-z0-9_-]+$/);
          expect(one).not.toBe(two);
          expect(await keys().decryptFor(userId, one)).toEqual(JSON.parse(JSON.stringify(given)));
        }),
        { numRuns: RUNS },
      );
    });

    test('a text is one person’s: nobody else’s key opens it', async () => {
      const [ann, bob] = [await register(world), await register(world)];
      const text = await keys().encryptFor(ann.userId, DATA);
      await expect(keys().decryptFor(bob.userId, text)).rejects.toMatchObject({ code: 'storage_failed' });
    });

    test('a destroyed key makes the data forgotten, for ever, and nobody else’s', async () => {
      const [ann, bob] = [await register(world), await register(world)];
      const texts = {
        ann: await keys().encryptFor(ann.userId, DATA),
        bob: await keys().encryptFor(bob.userId, DATA),
      };
      const bobsKey = await world.store.personKey(bob.userId);
      await keys().destroyKey(ann.userId);
      await keys().destroyKey(ann.userId);
      for (const restart of [false, true]) {
        if (restart) await world.restart();
        expect(await keys().decryptFor(ann.userId, texts.ann)).toBe(FORGOTTEN);
        expect(await keys().decryptFor(ann.userId, 'nonsense')).toBe(FORGOTTEN);
        await expect(keys().encryptFor(ann.userId, DATA)).rejects.toMatchObject({
          code: 'account_not_found',
        });
        expect(await keys().decryptFor(bob.userId, texts.bob)).toEqual(DATA);
        expect(await world.store.personKey(bob.userId)).toEqual(bobsKey);
        expect(await world.store.personKey(ann.userId)).toEqual({ kind: 'destroyed' });
      }
    });

    test('somebody who was never registered has nothing to encrypt with and nothing to read', async () => {
      await keys().destroyKey('nobody');
      expect(await world.store.personKey('nobody')).toEqual({ kind: 'unknown' });
      await expect(keys().encryptFor('nobody', DATA)).rejects.toMatchObject({ code: 'account_not_found' });
      expect(await keys().decryptFor('nobody', 'v1.x.y')).toBe(FORGOTTEN);
    });

    test('what is no person gets a key once, which is destroyed for ever like a person’s', async () => {
      await keys().createKey('message-1');
      const text = await keys().encryptFor('message-1', DATA);
      await keys().createKey('message-1');
      await world.restart();
      expect(await keys().decryptFor('message-1', text)).toEqual(DATA);
      await keys().destroyKey('message-1');
      await keys().createKey('message-1');
      expect(await keys().decryptFor('message-1', text)).toBe(FORGOTTEN);
      expect(await world.store.personKey('message-1')).toEqual({ kind: 'destroyed' });
      expect(await world.store.createPersonKey('message-1', new Uint8Array(32))).toBe(false);
      expect(await world.store.createPersonKey('message-2', new Uint8Array(32))).toBe(true);
      expect(await world.store.createPersonKey('message-2', new Uint8Array(32).fill(1))).toBe(false);
      expect(await world.store.personKey('message-2')).toEqual({ kind: 'key', key: new Uint8Array(32) });
    });

    test('a key that is given up is destroyed where none was known, and stays as it is anywhere else', async () => {
      const [ann, bob] = [await register(world), await register(world)];
      await keys().destroyKey(bob.userId);
      const all = [ann.userId, bob.userId, 'lost', 'lost too'];
      expect(await world.store.giveUpPersonKeys(all, 5)).toBe(2);
      await world.restart();
      expect(await world.store.giveUpPersonKeys(all, 6)).toBe(0);
      expect(await world.store.personKey(ann.userId)).toMatchObject({ kind: 'key' });
      for (const userId of [bob.userId, 'lost', 'lost too'])
        expect(await world.store.personKey(userId)).toEqual({ kind: 'destroyed' });
      expect(await world.store.createPersonKey('lost', new Uint8Array(32))).toBe(false);
      world.open.add('lost');
      expect(await keys().decryptFor('lost', 'v1.x.y')).toBe(FORGOTTEN);
    });

    test('a digest is the same for the same text and person only, and gone with the key', async () => {
      const [ann, bob] = [await register(world), await register(world)];
      const digest = await keys().digestFor(ann.userId, 'words');
      expect(digest).toMatch(/^[0-9a-f]{64}$/);
      await world.restart();
      expect(await keys().digestFor(ann.userId, 'words')).toBe(digest);
      expect(await keys().digestFor(ann.userId, 'other words')).not.toBe(digest);
      expect(await keys().digestFor(bob.userId, 'words')).not.toBe(digest);
      await keys().destroyKey(ann.userId);
      await expect(keys().digestFor(ann.userId, 'words')).rejects.toMatchObject({
        code: 'account_not_found',
      });
    });

    test('a restart and a take-over keep the key', async () => {
      const registration = { email: 'ann@example.org', password: 'my secret', role: 'user' } as const;
      const { userId } = await world.identity.credentials.reserve(registration);
      const text = await keys().encryptFor(userId, DATA);
      world.now += 60_000;
      await world.restart();
      await world.identity.credentials.reserve(registration);
      expect(await keys().decryptFor(userId, text)).toEqual(DATA);
    });
  });
}
