import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { FORGOTTEN, type PersonKeysReader } from '#identity';
import { createWorld, register, type IdentityStoreFixture, type World } from './world.js';

/** What a test needs of an adapter beside its store: a reader of the same data. */
export type PersonKeysFixture = IdentityStoreFixture & {
  readonly openReader: () => Promise<PersonKeysReader>;
};

const MANY = 3_000;

/** The promises of `PersonKeysReader`, run against an adapter beside the store that writes the keys. */
export function describePersonKeysReader(name: string, fixture: () => Promise<PersonKeysFixture>): void {
  describe(`person keys reader contract: ${name}`, () => {
    let world: World;
    let reader: PersonKeysReader;
    beforeEach(async () => {
      let openReader: (() => Promise<PersonKeysReader>) | undefined;
      world = await createWorld(async () => {
        const made = await fixture();
        openReader = made.openReader;
        return made;
      });
      if (openReader === undefined) throw new Error('the fixture was made');
      reader = await openReader();
    });
    afterEach(async () => {
      await reader.close();
      await world.end();
    });

    const person = async (firstname: string) => {
      const { userId } = await register(world);
      return { userId, text: await world.identity.personKeys.encryptFor(userId, { firstname }) };
    };
    const read = async ({ userId, text }: { readonly userId: string; readonly text: string }) => {
      await reader.load([userId]);
      return reader.decrypt(userId, text);
    };

    test('opens what the store encrypted, also for those who came after it was opened', async () => {
      const [ann, bob] = [await person('Ann'), await person('Bob')];
      await reader.load([ann.userId, bob.userId]);
      expect(reader.decrypt(ann.userId, ann.text)).toEqual({ firstname: 'Ann' });
      expect(reader.decrypt(bob.userId, bob.text)).toEqual({ firstname: 'Bob' });
      expect(await read(await person('Carl'))).toEqual({ firstname: 'Carl' });
    });

    test('sees at the next load that a key was destroyed, and nobody else’s', async () => {
      const [ann, bob] = [await person('Ann'), await person('Bob')];
      expect(await read(ann)).toEqual({ firstname: 'Ann' });
      await world.identity.personKeys.destroyKey(ann.userId);
      expect(await read(ann)).toBe(FORGOTTEN);
      expect(await read(bob)).toEqual({ firstname: 'Bob' });
    });

    test('has the keys of those who were loaded last, and of nobody else', async () => {
      const [ann, bob] = [await person('Ann'), await person('Bob')];
      expect(() => reader.decrypt(ann.userId, ann.text)).toThrow('a key is loaded before it is used');
      await reader.load([ann.userId]);
      await reader.load([bob.userId]);
      expect(() => reader.decrypt(ann.userId, ann.text)).toThrow('a key is loaded before it is used');
      await reader.load([]);
      expect(() => reader.decrypt(bob.userId, bob.text)).toThrow('a key is loaded before it is used');
    });

    test('refuses what was encrypted for somebody else', async () => {
      const [ann, bob] = [await person('Ann'), await person('Bob')];
      await reader.load([bob.userId]);
      expect(() => reader.decrypt(bob.userId, ann.text)).toThrow(/was changed or belongs to somebody else/);
    });

    test('refuses to take a key that the store doesn’t know for a destroyed one, until it is given up', async () => {
      await reader.load(['lost']);
      expect(() => reader.decrypt('lost', 'v1.x.y')).toThrow(/^The key of person lost is missing/);
      await world.store.giveUpPersonKeys(['lost'], 5);
      expect(await read({ userId: 'lost', text: 'v1.x.y' })).toBe(FORGOTTEN);
    });

    test('takes a page of very many people', async () => {
      const ann = await person('Ann');
      const many = Array.from({ length: MANY }, (_, n) => `somebody ${n}`);
      await reader.load([...many, ann.userId]);
      expect(reader.decrypt(ann.userId, ann.text)).toEqual({ firstname: 'Ann' });
    });

    test('may be closed twice', async () => {
      await reader.close();
    });
  });
}
