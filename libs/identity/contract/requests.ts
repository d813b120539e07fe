import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createIdentity, REQUEST_KEPT_MS, type KeyRing } from '#identity';
import { LodeError } from '#kernel';
import { createWorld, register, type IdentityStoreFixture, type World } from './world.js';

export function requestsContract(fixture: () => Promise<IdentityStoreFixture>): void {
  describe('requests that are kept', () => {
    let world: World;
    beforeEach(async () => void (world = await createWorld(fixture)));
    afterEach(() => world.end());
    const rowOf = (seed: string) => ({
      fingerprint: 'print',
      seed,
      begunAt: world.now,
      expiresAt: world.now + REQUEST_KEPT_MS,
    });
    const request = {
      name: ['to do', 'ann', 'key'],
      content: { word: 'one' },
      secret: { text: 'secret', share: 'signIn' },
    } as const;
    type Work = Parameters<World['identity']['requests']['once']>[1];
    const done: Work = async ({ draw }) => ({
      answer: { drawn: Buffer.from(draw('id')(16)).toString('hex') },
      about: 'ann',
    });
    const once = (asked: Partial<typeof request> = {}, work: Work = done) =>
      world.identity.requests.once({ ...request, ...asked }, work);

    test('a secret is what was drawn first, also after a restart', async () => {
      const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
      expect(Buffer.from(await world.store.secret('one', first))).toEqual(first);
      expect(Buffer.from(await world.store.secret('two', second))).toEqual(second);
      await world.restart();
      expect(Buffer.from(await world.store.secret('one', second))).toEqual(first);
    });

    test('one of two that begin at once is kept, until it is over', async () => {
      const { store } = world;
      const begun = await Promise.all(['a', 'b'].map((seed) => store.beginRequest('id', rowOf(seed))));
      expect(begun.filter((one) => one === undefined)).toHaveLength(1);
      const kept = await store.keptRequest('id', world.now);
      expect(begun.find((one) => one !== undefined)).toEqual(kept);
      world.now += REQUEST_KEPT_MS;
      expect(await store.keptRequest('id', world.now)).toBeUndefined();
      expect(await store.beginRequest('id', rowOf('c'))).toBeUndefined();
      expect(await store.keptRequest('id', world.now)).toEqual(rowOf('c'));
    });

    test('an answer is that of the request it was given for, and is let go of with the person', async () => {
      const { store } = world;
      const ann = await register(world);
      await store.beginRequest('id', rowOf('a'));
      await store.answerRequest('id', 'b', { about: ann.userId, answer: 'wrong' });
      await store.answerRequest('none', 'a', { about: ann.userId, answer: 'wrong' });
      expect(await store.keptRequest('id', world.now)).toEqual(rowOf('a'));
      await store.answerRequest('id', 'a', { about: ann.userId, answer: 'right' });
      await store.forgetRequest('id', 'a');
      expect(await store.keptRequest('id', world.now)).toEqual({ ...rowOf('a'), answer: 'right' });
      await store.beginRequest('other', rowOf('a'));
      await store.answerRequest('other', 'a', { about: 'bob', answer: 'his' });
      await world.identity.credentials.erase(ann.userId);
      expect(await store.keptRequest('id', world.now)).toBeUndefined();
      expect(await store.keptRequest('other', world.now)).toMatchObject({ answer: 'his' });
    });

    test('one without an answer is let go of by whoever began it, and those that are over are pruned', async () => {
      const { store } = world;
      await store.beginRequest('id', rowOf('a'));
      await store.forgetRequest('id', 'b');
      expect(await store.keptRequest('id', world.now)).toEqual(rowOf('a'));
      await store.forgetRequest('id', 'a');
      expect(await store.keptRequest('id', world.now)).toBeUndefined();
      await store.beginRequest('id', rowOf('a'));
      expect(await store.prune(world.now)).toBe(0);
      expect(await store.prune(world.now + REQUEST_KEPT_MS + 1)).toBe(1);
    });

    test('a repeat is answered as before, after a restart too, for a day', async () => {
      const first = await once();
      await world.restart();
      const again = await once();
      expect([first.replayed, again.replayed]).toEqual([false, true]);
      expect(again.answer('drawn')).toBe(first.answer('drawn'));
      expect(again.draw('token')(32)).toEqual(first.draw('token')(32));
      world.now += REQUEST_KEPT_MS;
      const other = await once();
      expect(other.replayed).toBe(false);
      expect(other.answer('drawn')).not.toBe(first.answer('drawn'));
    });

    test('a repeat is known by the key from outside that it was begun with, whichever is first by now', async () => {
      const [old, newer] = ['old', 'new'].map((id, n) => ({ id, bytes: new Uint8Array(32).fill(n + 1) }));
      const under = async (keys: KeyRing, word = 'one') => {
        const { store } = world;
        const identity = await createIdentity({
          store,
          keys,
          isOpen: async () => true,
          clock: () => world.now,
        });
        const { replayed, answer, draw } = await identity.requests.once(
          { ...request, content: { word } },
          done,
        );
        return { replayed, drawn: answer('drawn'), token: Buffer.from(draw('token')(32)).toString('hex') };
      };
      for (const [before, after] of [
        [[], [old!]],
        [[old!], [newer!, old!]],
        [[], [newer!, old!]],
      ] as const) {
        const first = await under(before);
        expect(await under(after)).toEqual({ ...first, replayed: true });
        await expect(under(after, 'two')).rejects.toMatchObject({ code: 'idempotency_key_reused' });
        world.now += REQUEST_KEPT_MS;
        expect((await under(after)).replayed).toBe(false);
        world.now += REQUEST_KEPT_MS;
      }
    });

    test('another request of the same name is refused, and one of another name is another', async () => {
      const first = await once();
      for (const other of [
        { content: { word: 'two' } },
        { secret: { text: 'other', share: 'signIn' } },
      ] as const)
        await expect(once(other as object)).rejects.toMatchObject({ code: 'idempotency_key_reused' });
      const elsewhere = await world.identity.requests.once(
        { ...request, name: ['to do', 'bob', 'key'] },
        done,
      );
      expect(elsewhere.replayed).toBe(false);
      expect(elsewhere.answer('drawn')).not.toBe(first.answer('drawn'));
    });

    test('one that was cut off is done again, with the same draws; one that was refused is forgotten', async () => {
      const drawn: string[] = [];
      const failing =
        (code: 'unavailable' | 'email_exists'): Work =>
        async ({ draw, isAgain }) => {
          drawn.push(`${isAgain} ${Buffer.from(draw('id')(16)).toString('hex')}`);
          throw new LodeError(code, 'No.');
        };
      await expect(once({}, failing('unavailable'))).rejects.toMatchObject({ code: 'unavailable' });
      await world.restart();
      await expect(once({}, failing('email_exists'))).rejects.toMatchObject({ code: 'email_exists' });
      const [first = '', second] = drawn;
      expect([first.split(' ')[0], second]).toEqual(['false', `true ${first.split(' ')[1]}`]);
      const { replayed, answer } = await once();
      expect(replayed).toBe(false);
      expect(first).not.toContain(answer('drawn'));
    });
  });
}
