import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { PIN_TRIES_MAX, storeLimits, type Tokens } from '#identity';
import { CLIENT, createWorld, register, type IdentityStoreFixture, type World } from './world.js';

const GUESSES_AT_ONCE = 20;
const PEOPLE = ['ann', 'bob', 'carl', 'dora'] as const;
const PIN = '4821';

export function peopleContract(fixture: () => Promise<IdentityStoreFixture>): void {
  describe('the networks of a person', () => {
    let world: World;
    beforeEach(async () => void (world = await createWorld(fixture)));
    afterEach(() => world.end());
    const networks = () => world.identity.ownNetworks;
    const at = (n: number) => `198.51.100.${n}`;

    test('are known after a restart, as many as are kept, and nobody else’s', async () => {
      const [ann, bob] = [await register(world), await register(world)];
      const most = storeLimits.networksPerPerson;
      for (let n = 0; n <= most; n += 1) await networks().remember(ann.userId, at(n));
      await networks().remember(ann.userId, at(1));
      await networks().remember(ann.userId, at(most + 1));
      await world.restart();
      const known = await Promise.all(
        Array.from({ length: most + 3 }, (_, n) => networks().has(ann.userId, at(n))),
      );
      // The first one and, since the second was used again, the third had to go.
      expect(known.map((is, n) => (is ? n : -1)).filter((n) => n >= 0)).toEqual([1, 3, 4, 5, 6, 7, 8, 9]);
      expect(await networks().has(bob.userId, at(1))).toBe(false);
      expect(await world.store.networksOf(ann.userId)).toHaveLength(most);
    });

    test('are kept as digests that two people’s have nothing in common of', async () => {
      const [ann, bob] = [await register(world), await register(world)];
      for (const { userId } of [ann, bob]) await networks().remember(userId, at(1));
      const digests = await Promise.all([ann, bob].map(({ userId }) => world.store.networksOf(userId)));
      expect(new Set(digests.flat()).size).toBe(2);
      expect(digests.flat().join()).not.toContain(at(1));
    });

    test('are gone with the person, and nothing of nobody is kept', async () => {
      const ann = await register(world);
      await networks().remember(ann.userId, at(1));
      await world.identity.credentials.erase(ann.userId);
      expect(await world.store.networksOf(ann.userId)).toEqual([]);
      for (const nobody of [ann.userId, 'nobody']) {
        await world.store.putNetwork(nobody, 'digest');
        expect(await world.store.networksOf(nobody)).toEqual([]);
      }
    });
  });

  describe('what ends a person’s sessions', () => {
    let world: World;
    beforeEach(async () => void (world = await createWorld(fixture)));
    afterEach(() => world.end());
    const credentials = () => world.identity.credentials;
    const sessions = () => world.identity.sessions;
    const isSignedIn = async ({ accessToken }: Tokens): Promise<boolean> =>
      (async () => sessions().authenticate(accessToken))().then(
        () => true,
        () => false,
      );
    const signIn = async ({ email, password }: { readonly email: string; readonly password: string }) =>
      sessions().start(await credentials().verifyPassword(email, password), CLIENT);

    test('a suspension ends them all at once, and none begins until it is over', async () => {
      const [ann, bob] = [await register(world), await register(world)];
      const [one, two, bobs] = [await signIn(ann), await signIn(ann), await signIn(bob)];
      await credentials().suspend(ann.userId);
      await credentials().suspend(ann.userId);
      expect(await Promise.all([one, two, bobs].map(isSignedIn))).toEqual([false, false, true]);
      const refused = async (token: string, code: string) =>
        expect(sessions().refresh(token, CLIENT)).rejects.toMatchObject({ code });
      // Whoever has a token of theirs is told why, again and again; nobody else is told anything.
      for (const _ of ['once', 'twice']) await refused(one.refreshToken, 'account_suspended');
      await refused('lr_'.padEnd(one.refreshToken.length, 'x'), 'token_invalid');
      expect(await sessions().list(ann.userId)).toEqual([]);
      expect(await sessions().endSessionOf(two.refreshToken)).toBeUndefined();
      await world.restart();
      await refused(two.refreshToken, 'account_suspended');
      await expect(signIn(ann)).rejects.toMatchObject({
        code: 'account_suspended',
        message: 'Account suspended. Please contact admin.',
      });
      await expect(signIn({ ...ann, password: 'wrong' })).rejects.toMatchObject({
        code: 'invalid_credentials',
      });
      expect(await credentials().known(ann.userId)).toMatchObject({ email: ann.email, suspended: true });
      await credentials().reinstate(ann.userId);
      await credentials().reinstate(ann.userId);
      expect(await isSignedIn(await signIn(ann))).toBe(true);
      expect(await isSignedIn(one)).toBe(false);
      for (const { refreshToken } of [one, two]) await refused(refreshToken, 'token_invalid');
      await credentials().suspend(ann.userId);
      await refused(one.refreshToken, 'token_invalid');
      await credentials().erase(ann.userId);
    });

    test('a sign-in that a suspension overtakes opens no session', async () => {
      const ann = await register(world);
      const person = await credentials().verifyPassword(ann.email, ann.password);
      await credentials().suspend(ann.userId);
      await expect(sessions().start(person, CLIENT)).rejects.toMatchObject({ code: 'account_suspended' });
      await credentials().reinstate(ann.userId);
      await expect(sessions().start(person, CLIENT)).rejects.toMatchObject({ code: 'invalid_credentials' });
      expect(await sessions().list(ann.userId)).toEqual([]);
    });

    test('nobody unknown is suspended, reinstated or erased', async () => {
      await credentials().suspend('nobody');
      await credentials().reinstate('nobody');
      await credentials().erase('nobody');
      expect(await credentials().known('nobody')).toBeUndefined();
      expect(await credentials().knownByEmail('nobody@example.org')).toBeUndefined();
    });

    test('a new password ends them, but for the one that is kept', async () => {
      const ann = await register(world);
      const [one, two, three] = [await signIn(ann), await signIn(ann), await signIn(ann)];
      const stale = await credentials().verifyPassword(ann.email, ann.password);
      const next = 'another password';
      await credentials().changePassword(ann.userId, { old: ann.password, new: next }, two.session.sessionId);
      expect(await Promise.all([one, two, three].map(isSignedIn))).toEqual([false, true, false]);
      await expect(sessions().start(stale, CLIENT)).rejects.toMatchObject({ code: 'invalid_credentials' });
      await credentials().confirmPassword(ann.userId, next);
      await expect(credentials().confirmPassword(ann.userId, ann.password)).rejects.toMatchObject({
        code: 'invalid_credentials',
      });
      await credentials().replacePassword(ann.userId, ann.password);
      expect(await isSignedIn(two)).toBe(false);
      expect(await isSignedIn(await signIn(ann))).toBe(true);
      await expect(credentials().replacePassword('nobody', next)).rejects.toMatchObject({
        code: 'account_not_found',
      });
    });

    test('a password that breaks the policy changes nothing', async () => {
      const ann = await register(world);
      const tokens = await signIn(ann);
      const short = { old: ann.password, new: '12345' };
      for (const refused of [
        credentials().changePassword(ann.userId, short),
        credentials().replacePassword(ann.userId, '12345'),
        credentials().reserve({ email: 'new@example.org', password: '12345', role: 'user' }),
      ])
        await expect(refused).rejects.toMatchObject({
          code: 'password_policy',
          message: 'Password should be at least 8 characters',
        });
      expect(await isSignedIn(tokens)).toBe(true);
      expect(await credentials().knownByEmail('new@example.org')).toBeUndefined();
    });

    test('neither the password of before nor the e-mail is a new password, however it is written', async () => {
      const ann = await register(world);
      const tokens = await signIn(ann);
      const change = (password: string, old = ann.password) =>
        credentials().changePassword(ann.userId, { old, new: password });
      const accented = 'caf\u00e9 au lait';
      await credentials().replacePassword(ann.userId, accented);
      for (const [refused, missing] of [
        [change('cafe\u0301 au lait', accented), 'unchanged'],
        [credentials().replacePassword(ann.userId, 'cafe\u0301 au lait'), 'unchanged'],
        [change(ann.email.toUpperCase(), accented), 'personal'],
        [credentials().replacePassword(ann.userId, ann.email), 'personal'],
        [
          credentials().reserve({ email: 'who.is.this@example.org', password: 'Who Is This', role: 'user' }),
          'personal',
        ],
      ] as const)
        await expect(refused).rejects.toMatchObject({
          code: 'password_policy',
          details: { missing: [missing] },
        });
      expect(await isSignedIn(tokens)).toBe(false);
      await signIn({ ...ann, password: accented });
    });

    test('an erasure ends them and the transfer pin, and no sign-in that it overtakes gets through', async () => {
      const ann = await register(world);
      const tokens = await signIn(ann);
      const person = await credentials().verifyPassword(ann.email, ann.password);
      await world.identity.transferPins.set(ann.userId, PIN);
      await credentials().erase(ann.userId);
      expect(await isSignedIn(tokens)).toBe(false);
      expect(await world.identity.transferPins.stateOf(ann.userId)).toBe('missing');
      await expect(sessions().start(person, CLIENT)).rejects.toMatchObject({ code: 'invalid_credentials' });
      await credentials().suspend(ann.userId);
      expect(await credentials().known(ann.userId)).toBeUndefined();
    });

    test('a session is known to be alive from memory, and to be over at once', async () => {
      const ann = await register(world);
      const { accessToken } = await signIn(ann);
      const session = await sessions().authenticate(accessToken);
      expect(sessions().isAlive(session)).toBe(true);
      await world.restart();
      expect(await sessions().isAlive(session)).toBe(true);
      await sessions().endSession(session.sessionId);
      expect(await sessions().isAlive(session)).toBe(false);
      const next = await signIn(ann);
      world.now = next.accessExpiresAt;
      expect(sessions().isAlive(next.session)).toBe(false);
    });
  });

  describe('transfer pins', () => {
    let world: World;
    beforeEach(async () => void (world = await createWorld(fixture)));
    afterEach(() => world.end());
    const pins = () => world.identity.transferPins;

    test('of a person are missing until set, and then right or wrong', async () => {
      await expect(pins().verify('ann', PIN)).rejects.toMatchObject({ code: 'pin_missing' });
      await pins().set('ann', PIN);
      await world.restart();
      await pins().verify('ann', PIN);
      await expect(pins().verify('ann', '4820')).rejects.toMatchObject({
        code: 'pin_wrong',
        details: { triesLeft: PIN_TRIES_MAX - 1 },
      });
      await expect(pins().verify('bob', PIN)).rejects.toMatchObject({ code: 'pin_missing' });
      await pins().verify('ann', PIN);
      await expect(pins().verify('ann', '4820')).rejects.toMatchObject({
        details: { triesLeft: PIN_TRIES_MAX - 1 },
      });
      expect(await pins().stateOf('ann')).toBe('set');
    });

    test.each(['', '123', '12345', '12 4', '١٢٣٤', 'abcd', '1234\n'])(
      'are no such thing as “%s”',
      async (pin) => {
        await expect(pins().set('ann', pin)).rejects.toMatchObject({ code: 'pin_invalid' });
        expect(await pins().stateOf('ann')).toBe('missing');
      },
    );

    test('are locked after so many wrong tries, until set anew', async () => {
      await pins().set('ann', PIN);
      for (let left = PIN_TRIES_MAX - 1; left >= 0; left -= 1)
        await expect(pins().verify('ann', '0000')).rejects.toMatchObject({
          code: left === 0 ? 'pin_locked' : 'pin_wrong',
          details: { triesLeft: left },
        });
      await world.restart();
      await expect(pins().verify('ann', PIN)).rejects.toMatchObject({ code: 'pin_locked' });
      expect(await pins().stateOf('ann')).toBe('locked');
      await pins().set('ann', PIN);
      await pins().verify('ann', PIN);
    });

    test('can’t be guessed by many tries at once', async () => {
      await pins().set('ann', PIN);
      const guesses = Array.from({ length: GUESSES_AT_ONCE }, (_, n) => `000${n % 10}`);
      const codes = (await Promise.allSettled(guesses.map((guess) => pins().verify('ann', guess)))).map(
        (one) => (one.status === 'rejected' ? (one.reason as { readonly code: string }).code : 'right'),
      );
      expect(codes.filter((code) => code === 'pin_wrong')).toHaveLength(PIN_TRIES_MAX - 1);
      expect(codes.filter((code) => code === 'pin_locked')).toHaveLength(GUESSES_AT_ONCE - PIN_TRIES_MAX + 1);
      await expect(pins().verify('ann', PIN)).rejects.toMatchObject({ code: 'pin_locked' });
    });

    test('that are right all pass, however many come at once', async () => {
      await pins().set('ann', PIN);
      await pins().set('bob', PIN);
      const right = Array.from({ length: GUESSES_AT_ONCE }, (_, n) =>
        pins().verify(n % 2 === 0 ? 'ann' : 'bob', PIN),
      );
      await Promise.all(right);
      expect(await world.store.pinTriesOf('ann')).toBe(0);
      await expect(pins().verify('ann', '0000')).rejects.toMatchObject({
        details: { triesLeft: PIN_TRIES_MAX - 1 },
      });
    });

    test('that were changed meanwhile keep the tries of the new one', async () => {
      await pins().set('ann', '0000');
      const old = await world.store.takePinTry('ann', PIN_TRIES_MAX);
      await pins().set('ann', PIN);
      await expect(pins().verify('ann', '0000')).rejects.toMatchObject({ code: 'pin_wrong' });
      await world.store.restorePinTries('ann', old.kind === 'taken' ? old.hash : '');
      expect(await world.store.pinTriesOf('ann')).toBe(1);
    });

    test('are hashed: no two people’s same pin looks the same', async () => {
      const rows = [];
      for (const userId of PEOPLE) {
        await pins().set(userId, PIN);
        rows.push(await world.store.takePinTry(userId, PIN_TRIES_MAX));
      }
      const hashes = rows.map((row) => (row.kind === 'taken' ? row.hash : ''));
      expect(new Set(hashes).size).toBe(PEOPLE.length);
      for (const hash of hashes) expect(hash).toMatch(/^\$argon2id\$/);
    });
  });
}
