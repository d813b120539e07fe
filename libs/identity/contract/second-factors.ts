import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { RECOVERY_CODES, SECOND_FACTOR_SETUP_MS, STEP_MS } from '#identity';
import { totpAt } from '#identity/testing';
import { CLIENT, createWorld, register, type IdentityStoreFixture, type World } from './world.js';

const WRONG = { code: 'second_factor_wrong' };
const MISSING = { code: 'second_factor_missing' };
const ROW = { isOn: true, sealed: 'v1.sealed', stamp: 'one' };

/** What people show beside the password. */
export function secondFactorsContract(fixture: () => Promise<IdentityStoreFixture>): void {
  describe('second factors', () => {
    let world: World;
    let userId: string;
    beforeEach(async () => {
      world = await createWorld(fixture);
      ({ userId } = await register(world));
    });
    afterEach(() => world.end());
    const factors = () => world.identity.secondFactors;
    const codeNow = (secret: string) => totpAt(secret, world.now);
    const enrolled = async () => {
      const secret = await factors().begin(userId);
      return { secret, codes: await factors().confirm(userId, codeNow(secret)) };
    };

    test('are on once a code of the last secret confirmed it, and stay so', async () => {
      const first = await factors().begin(userId);
      const secret = await factors().begin(userId);
      expect(await factors().isOn(userId)).toBe(false);
      await expect(factors().verify(userId, codeNow(secret))).rejects.toMatchObject(MISSING);
      await expect(factors().confirm(userId, codeNow(first))).rejects.toMatchObject(WRONG);
      // As apps show it.
      const codes = await factors().confirm(userId, codeNow(secret).replace(/^.../, '$& '));
      await world.restart();
      expect(await factors().stateOf(userId)).toMatchObject({
        isOn: true,
        recoveryCodesLeft: RECOVERY_CODES,
      });
      expect(new Set(codes).size).toBe(RECOVERY_CODES);
      for (const again of [factors().begin(userId), factors().confirm(userId, codeNow(secret))])
        await expect(again).rejects.toMatchObject({ code: 'second_factor_on' });
    });

    test('are set up within ten minutes and with the password of then, or begun again', async () => {
      const late = await factors().begin(userId);
      world.now += SECOND_FACTOR_SETUP_MS;
      await expect(factors().confirm(userId, codeNow(late))).rejects.toMatchObject(MISSING);
      const old = await factors().begin(userId);
      await world.identity.credentials.replacePassword(userId, 'another password');
      await expect(factors().confirm(userId, codeNow(old))).rejects.toMatchObject(MISSING);
      expect(await factors().isOn(userId)).toBe(false);
      const secret = await factors().begin(userId);
      world.now += SECOND_FACTOR_SETUP_MS - 1;
      expect(await factors().confirm(userId, codeNow(secret))).toHaveLength(RECOVERY_CODES);
    });

    test('take each code once, of many at once and of two programs', async () => {
      const { secret, codes } = await enrolled();
      await expect(factors().verify(userId, codeNow(secret))).rejects.toMatchObject(WRONG);
      world.now += STEP_MS;
      const other = (await world.other('b')).secondFactors;
      for (const code of [codeNow(secret), codes[0] ?? '']) {
        const asked = [factors(), other, other].map((one) => one.verify(userId, code));
        const outcomes = await Promise.allSettled(asked);
        expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      }
      await world.restart();
      for (const code of [codeNow(secret), codes[0] ?? '', '000', 'aaaa-aaaa-aaaa-aaaa'])
        await expect(factors().verify(userId, code)).rejects.toMatchObject(WRONG);
      expect(await factors().verify(userId, ` ${(codes[1] ?? '').toUpperCase()} `)).toBe('recovery code');
      expect((await factors().stateOf(userId)).recoveryCodesLeft).toBe(RECOVERY_CODES - 2);
      const next = await factors().renewCodes(userId);
      await expect(factors().verify(userId, codes[2] ?? '')).rejects.toMatchObject(WRONG);
      expect(await factors().verify(userId, next[0] ?? '')).toBe('recovery code');
    });

    test('take no recovery code where only the app’s are taken, and use none up', async () => {
      const { secret, codes } = await enrolled();
      world.now += STEP_MS;
      await expect(factors().verify(userId, codes[0] ?? '', ['code'])).rejects.toMatchObject(WRONG);
      expect((await factors().stateOf(userId)).recoveryCodesLeft).toBe(RECOVERY_CODES);
      expect(await factors().verify(userId, codeNow(secret), ['code'])).toBe('code');
      expect(await factors().verify(userId, codes[0] ?? '')).toBe('recovery code');
    });

    test('are taken away, and another one has nothing of it', async () => {
      const { secret, codes } = await enrolled();
      expect(await factors().remove(userId)).toBe(true);
      expect(await factors().remove(userId)).toBe(false);
      await world.restart();
      expect(await factors().isOn(userId)).toBe(false);
      await expect(factors().verify(userId, codes[0] ?? '')).rejects.toMatchObject(MISSING);
      const again = await enrolled();
      expect(again.secret).not.toBe(secret);
      await expect(factors().verify(userId, codes[0] ?? '')).rejects.toMatchObject(WRONG);
    });

    test('are changed only as they were read, and kept of nobody who is not there', async () => {
      const { store } = world;
      const { session } = await world.identity.sessions.start({ userId, role: 'user' }, CLIENT);
      const ends = {};
      expect(await store.changeSecondFactor(userId, 'none', ROW, ends)).toBeUndefined();
      expect(await store.changeSecondFactor(userId, undefined, undefined, ends)).toBeUndefined();
      expect(await store.changeSecondFactor(userId, undefined, ROW)).toEqual([]);
      expect(
        await store.changeSecondFactor(userId, undefined, { ...ROW, stamp: 'two' }, ends),
      ).toBeUndefined();
      expect(await store.changeSecondFactor(userId, 'other', undefined, ends)).toBeUndefined();
      expect(await store.secondFactorOf(userId)).toEqual(ROW);
      expect(await store.changeSecondFactor('nobody', undefined, ROW)).toBeUndefined();
      expect(await world.identity.sessions.list(userId)).toMatchObject([{ sessionId: session.sessionId }]);
      expect(await store.changeSecondFactor(userId, ROW.stamp, undefined, ends)).toEqual([session.sessionId]);
    });

    test('end all sessions but one by the very write that puts the app in use', async () => {
      const begin = () => world.identity.sessions.start({ userId, role: 'user' }, CLIENT);
      const [own, other] = [await begin(), await begin()];
      const { authenticate } = world.identity.sessions;
      for (const { accessToken } of [own, other]) await authenticate(accessToken);
      const secret = await factors().begin(userId);
      await expect(factors().confirm(userId, '000000', own.session.sessionId)).rejects.toMatchObject(WRONG);
      expect(await world.identity.sessions.list(userId)).toHaveLength(2);
      await factors().confirm(userId, codeNow(secret), own.session.sessionId);
      expect(await authenticate(own.accessToken)).toEqual(own.session);
      await expect(authenticate(other.accessToken)).rejects.toMatchObject({ code: 'token_invalid' });
      await world.restart();
      expect(await world.identity.sessions.list(userId)).toMatchObject([
        { sessionId: own.session.sessionId },
      ]);
    });

    test('hold with the password of before and after, and fall with the person', async () => {
      const { secret } = await enrolled();
      await world.identity.credentials.replacePassword(userId, 'another password');
      expect(await factors().isOn(userId)).toBe(true);
      await world.identity.personKeys.destroyKey(userId);
      // Without the key nobody can show a code any more, and nobody is let in without one.
      expect(await factors().isOn(userId)).toBe(true);
      await expect(factors().verify(userId, codeNow(secret))).rejects.toMatchObject({
        code: 'account_not_found',
      });
      await world.identity.credentials.erase(userId);
      expect(await world.store.secondFactorOf(userId)).toBeUndefined();
      await expect(factors().begin(userId)).rejects.toMatchObject({ code: 'account_not_found' });
    });
  });
}
