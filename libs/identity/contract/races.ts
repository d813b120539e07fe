import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { systemRandom, type LodeError, type Random } from '#kernel';
import {
  createIdentity,
  FORGOTTEN,
  RESERVATION_MS,
  SHARED_TRUST_MS,
  type IdentityStore,
  type Registration,
} from '#identity';
import { CLIENT, createWorld, register, START, type IdentityStoreFixture, type World } from './world.js';

const RACERS = 12;

export function raceContract(fixture: () => Promise<IdentityStoreFixture>): void {
  describe('races', () => {
    let world: World;
    beforeEach(async () => void (world = await createWorld(fixture)));
    afterEach(() => world.end());

    const registration = (n: number): Registration => ({
      email: n % 2 === 0 ? 'ann@example.org' : 'ANN@example.org ',
      password: `password ${n}`,
      role: 'user',
    });
    const reserveAtOnce = async () => {
      const tries = await Promise.allSettled(
        Array.from({ length: RACERS }, (_, n) => world.identity.credentials.reserve(registration(n))),
      );
      const winner = tries.findIndex((one) => one.status === 'fulfilled');
      const lost = tries.flatMap((one) =>
        one.status === 'rejected' ? [(one.reason as LodeError).code] : [],
      );
      return { winner, lost };
    };

    test('of many registrations of one e-mail exactly one wins, with its own password', async () => {
      const { winner, lost } = await reserveAtOnce();
      expect(lost).toEqual(Array.from({ length: RACERS - 1 }, () => 'email_exists'));
      const row = await world.store.credentialByEmail('ann@example.org');
      await world.identity.credentials.activate({ userId: row?.userId ?? '', reservedAt: START });
      expect(
        await world.identity.credentials.verifyPassword('ann@example.org', `password ${winner}`),
      ).toMatchObject({ userId: row?.userId });
    });

    test('of many who take over one old reservation exactly one wins', async () => {
      const first = await world.identity.credentials.reserve({
        ...registration(0),
        password: 'lost password',
      });
      world.now += RESERVATION_MS;
      const { winner, lost } = await reserveAtOnce();
      expect(lost).toEqual(Array.from({ length: RACERS - 1 }, () => 'email_exists'));
      await world.identity.credentials.activate({ ...first, reservedAt: world.now });
      expect(
        await world.identity.credentials.verifyPassword('ann@example.org', `password ${winner}`),
      ).toMatchObject({ userId: first.userId, accountNumber: first.accountNumber });
    });

    test('the clock that programs have in common, where there is one, goes on', async () => {
      const { now } = world.store;
      const [first, second] = [await now?.(), await now?.()];
      expect(second ?? 0).toBeGreaterThanOrEqual(first ?? 0);
      expect(now === undefined || Number.isSafeInteger(first)).toBe(true);
    });

    test('an account number is one person’s: who draws a taken one draws again', async () => {
      const taken = await register(world);
      const row = { userId: 'other', email: 'other@example.org', passwordHash: 'x', role: 'user' } as const;
      const reservation = { ...row, reservedAt: START, owner: '', personKey: new Uint8Array(32) };
      const outcomes = await Promise.all([
        world.store.reserve({ ...reservation, accountNumber: taken.accountNumber }),
        world.store.reserve({ ...reservation, accountNumber: '3000000000' }),
        world.store.reserve({ ...reservation, userId: 'third', email: 'x', accountNumber: '3000000000' }),
      ]);
      expect(outcomes).toEqual(['account_number_taken', 'reserved', 'account_number_taken']);
    });

    test('a registration gives up when every number it draws is taken, and leaves nothing', async () => {
      const random: Random = (bytes) => (bytes === 8 ? new Uint8Array(8) : systemRandom(bytes));
      const { credentials } = await createIdentity({ store: world.store, isOpen: async () => false, random });
      const first = await credentials.reserve(registration(0));
      expect(first.accountNumber).toBe('3000000000');
      const other = { ...registration(1), email: 'bob@example.org' };
      await expect(credentials.reserve(other)).rejects.toMatchObject({ code: 'unavailable' });
      expect(await world.store.credentialByEmail(other.email)).toBeUndefined();
      expect((await world.identity.credentials.reserve(other)).accountNumber).not.toBe(first.accountNumber);
    });

    test('activation, release and take-over of one reservation: only one of them happens', async () => {
      const { userId } = await world.identity.credentials.reserve(registration(0));
      const next = { passwordHash: 'next', role: 'user', reservedAt: START + 1, owner: '' } as const;
      const outcomes = await Promise.all([
        world.store.takeOver(userId, START, next),
        world.store.release(userId, START),
        world.store.takeOver(userId, START, { ...next, passwordHash: 'other' }),
      ]);
      expect(outcomes.filter(Boolean)).toHaveLength(1);
      const row = await world.store.credentialOf(userId);
      expect(row?.passwordHash).toBe(outcomes[0] ? 'next' : outcomes[2] ? 'other' : undefined);
      const active = await register(world);
      expect(await world.store.release(active.userId, START)).toBe(false);
      expect(await world.store.takeOver(active.userId, START, next)).toBe(false);
    });

    test('of many password changes that know the old one exactly one wins', async () => {
      const { userId, email, password } = await register(world);
      const tries = await Promise.allSettled(
        Array.from({ length: 4 }, (_, n) =>
          world.identity.credentials.changePassword(userId, { old: password, new: `next password ${n}` }),
        ),
      );
      const winners = tries.flatMap((one, n) => (one.status === 'fulfilled' ? [n] : []));
      expect(winners).toHaveLength(1);
      await world.identity.credentials.verifyPassword(email, `next password ${winners[0]}`);
    });

    test('many refreshes with one token at once are all answered, and no answer is a reuse', async () => {
      const { sessions } = world.identity;
      const first = await sessions.start({ userId: 'ann', role: 'user' }, CLIENT);
      const answers = await Promise.all(
        Array.from({ length: RACERS }, () => sessions.refresh(first.refreshToken, CLIENT)),
      );
      expect(new Set(answers.map((one) => one.refreshToken)).size).toBe(RACERS);
      for (const { accessToken, session } of answers)
        expect(await sessions.authenticate(accessToken)).toEqual(session);
      expect(world.reuses).toEqual([]);
    });

    test('a refresh that loses every race gives up, and the token is still good', async () => {
      const store: IdentityStore = { ...world.store, rotate: async () => 'conflict' };
      const losing = await createIdentity({ store, isOpen: async () => true, clock: () => world.now });
      const { sessions } = world.identity;
      const { refreshToken } = await sessions.start({ userId: 'ann', role: 'user' }, CLIENT);
      await expect(losing.sessions.refresh(refreshToken, CLIENT)).rejects.toMatchObject({
        code: 'overloaded',
      });
      expect((await sessions.refresh(refreshToken, CLIENT)).session.userId).toBe('ann');
    });

    test('a session that ends while it is being refreshed stays ended', async () => {
      const { sessions } = world.identity;
      const first = await sessions.start({ userId: 'ann', role: 'user' }, CLIENT);
      const [refreshed] = await Promise.allSettled([
        sessions.refresh(first.refreshToken, CLIENT),
        sessions.endAllSessions('ann'),
      ]);
      const tokens = [first, ...(refreshed.status === 'fulfilled' ? [refreshed.value] : [])];
      for (const { accessToken } of tokens)
        await expect((async () => sessions.authenticate(accessToken))()).rejects.toMatchObject({
          code: 'token_invalid',
        });
    });

    /** A store whose answers to one question come only when the gate opens. */
    const gated = () => {
      const gate = Promise.withResolvers<void>();
      const late = async <T>(answer: T): Promise<T> => gate.promise.then(() => answer);
      const store: IdentityStore = {
        ...world.store,
        sessionByAccess: async (hash) => late(await world.store.sessionByAccess(hash)),
        personKey: async (userId) => late(await world.store.personKey(userId)),
      };
      return { gate, identity: createIdentity({ store, isOpen: async () => true, clock: () => world.now }) };
    };

    test('an access token that is read while its session ends is not remembered', async () => {
      const { gate, identity } = gated();
      const { sessions } = await identity;
      const { accessToken, session } = await sessions.start({ userId: 'ann', role: 'user' }, CLIENT);
      const reading = (async () => sessions.authenticate(accessToken))();
      await sessions.endSession(session.sessionId);
      gate.resolve();
      await reading;
      await expect((async () => sessions.authenticate(accessToken))()).rejects.toMatchObject({
        code: 'token_invalid',
      });
    });

    test('a key that is read while it is destroyed is not remembered', async () => {
      const { gate, identity } = gated();
      const { personKeys } = await identity;
      const { userId } = await register(world);
      const text = await world.identity.personKeys.encryptFor(userId, { firstname: 'Ann' });
      const reading = personKeys.decryptFor(userId, text);
      await personKeys.destroyKey(userId);
      gate.resolve();
      await reading;
      expect(await personKeys.decryptFor(userId, text)).toBe(FORGOTTEN);
    });

    test('a process that shares the store sees an ending once it may not trust its memory any more', async () => {
      const { sessions } = await world.other('two');
      const { accessToken, session } = await sessions.start({ userId: 'ann', role: 'user' }, CLIENT);
      expect(await sessions.authenticate(accessToken)).toEqual(session);
      await world.identity.sessions.endAllSessions('ann');
      world.now += SHARED_TRUST_MS;
      await expect((async () => sessions.authenticate(accessToken))()).rejects.toMatchObject({
        code: 'token_invalid',
      });
    });

    test('what is remembered of a session is trusted from when it was asked for, however late the answer came', async () => {
      const [one, gate] = [await world.other('one'), Promise.withResolvers<void>()];
      const late: IdentityStore = {
        ...world.store,
        sessionByAccess: async (hash) => {
          const answer = await world.store.sessionByAccess(hash);
          await gate.promise;
          return answer;
        },
      };
      const clock = () => world.now;
      const options = { store: late, isOpen: async () => true, clock, monotonic: clock };
      const two = await createIdentity({ ...options, trustMs: SHARED_TRUST_MS });
      const { accessToken } = await one.sessions.start({ userId: 'ann', role: 'user' }, CLIENT);
      const reading = (async () => two.sessions.authenticate(accessToken))();
      await one.sessions.endAllSessions('ann');
      world.now += SHARED_TRUST_MS;
      gate.resolve();
      await reading;
      await expect((async () => two.sessions.authenticate(accessToken))()).rejects.toMatchObject({
        code: 'token_invalid',
      });
    });

    test('a clock that is put back makes nobody trust what is remembered for longer', async () => {
      let passed = 0;
      const options = { store: world.store, isOpen: async () => true, clock: () => world.now };
      const two = await createIdentity({
        ...options,
        monotonic: () => passed,
        trustMs: SHARED_TRUST_MS,
      });
      const { accessToken, session } = await world.identity.sessions.start(
        { userId: 'ann', role: 'user' },
        CLIENT,
      );
      expect(await two.sessions.authenticate(accessToken)).toEqual(session);
      await world.identity.sessions.endAllSessions('ann');
      world.now -= SHARED_TRUST_MS;
      passed += SHARED_TRUST_MS;
      await expect((async () => two.sessions.authenticate(accessToken))()).rejects.toMatchObject({
        code: 'token_invalid',
      });
    });

    test('a session that is found to have ended is remembered no longer', async () => {
      const [one, two] = [await world.other('one'), await world.other('two')];
      const { accessToken, session } = await one.sessions.start({ userId: 'ann', role: 'user' }, CLIENT);
      expect(await two.sessions.authenticate(accessToken)).toEqual(session);
      await one.sessions.endAllSessions('ann');
      const invalid = { code: 'token_invalid' };
      await expect(two.sessions.authenticate(accessToken, 'as stored')).rejects.toMatchObject(invalid);
      await expect((async () => two.sessions.authenticate(accessToken))()).rejects.toMatchObject(invalid);
    });

    test('what may not wait goes by the row, whatever is remembered', async () => {
      const [one, two] = [await world.other('one'), await world.other('two')];
      const { accessToken, session } = await one.sessions.start({ userId: 'ann', role: 'user' }, CLIENT);
      expect(await two.sessions.authenticate(accessToken)).toEqual(session);
      await one.sessions.endAllSessions('ann');
      expect(await two.sessions.authenticate(accessToken)).toEqual(session);
      await expect((async () => two.sessions.authenticate(accessToken, 'as stored'))()).rejects.toMatchObject(
        { code: 'token_invalid' },
      );
    });

    test('a compare-and-set on a session lets one generation through', async () => {
      const { sessions } = world.identity;
      const { session } = await sessions.start({ userId: 'ann', role: 'user' }, CLIENT);
      const rotation = (n: number) =>
        world.store.rotate({
          sessionId: session.sessionId,
          expectedGeneration: 0,
          generation: 1,
          rotatedAt: START,
          lastUsedAt: START,
          idleEndsAt: START + 1,
          ...CLIENT,
          access: { hash: `access ${n}`, expiresAt: START + 1 },
          refreshHash: `refresh ${n}`,
        });
      const outcomes = await Promise.all(Array.from({ length: RACERS }, (_, n) => rotation(n)));
      expect(outcomes.filter((one) => one === 'rotated')).toHaveLength(1);
      expect(outcomes.filter((one) => one === 'conflict')).toHaveLength(RACERS - 1);
      const kept = await Promise.all(outcomes.map((_, n) => world.store.sessionByRefresh(`refresh ${n}`)));
      expect(kept.filter((one) => one !== undefined)).toHaveLength(1);
    });
  });
}
