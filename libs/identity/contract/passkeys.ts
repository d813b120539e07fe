import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  createIdentity,
  PASSKEY_CHALLENGE_MS,
  PASSKEYS_MAX,
  RECOVERY_CODES,
  type PasskeyAssertion,
} from '#identity';
import { createAuthenticator, totpAt, type Authenticator, type Bent } from '#identity/testing';
import { CLIENT, createWorld, PUBLIC_URL, register, type IdentityStoreFixture, type World } from './world.js';

const REFUSED = { code: 'passkey_refused' };
const OVER = { code: 'challenge_invalid' };

/** What people sign with. */
export function passkeysContract(fixture: () => Promise<IdentityStoreFixture>): void {
  describe('passkeys', () => {
    let world: World;
    let userId: string;
    let email: string;
    let device: Authenticator;
    beforeEach(async () => {
      world = await createWorld(fixture);
      ({ userId, email } = await register(world));
      device = createAuthenticator(PUBLIC_URL);
    });
    afterEach(() => world.end());
    const passkeys = () => world.identity.passkeys;
    const factors = () => world.identity.secondFactors;
    const codeNow = (secret: string) => totpAt(secret, world.now);
    const added = async (on = device, name = 'Telephone') =>
      passkeys().add(userId, name, on.make(await passkeys().begin(userId, email)));
    const signed = async (bent: Bent = {}, on = device) =>
      on.sign(await passkeys().ask(userId, 'withdrawal'), bent);
    const shown = (assertion: PasskeyAssertion) => passkeys().verify(userId, 'withdrawal', assertion);

    test('are a second factor with recovery codes, and each signs for what it was asked for, once', async () => {
      const { recoveryCodes, isFirst } = await added();
      expect([recoveryCodes.length, isFirst]).toEqual([RECOVERY_CODES, true]);
      expect(await added(createAuthenticator(PUBLIC_URL), 'Key')).toEqual({
        recoveryCodes: [],
        isFirst: false,
      });
      await world.restart();
      expect(await factors().stateOf(userId)).toEqual({ isOn: true, hasApp: false, recoveryCodesLeft: 10 });
      expect(await passkeys().listOf(userId)).toMatchObject([{ name: 'Telephone' }, { name: 'Key' }]);
      const assertion = await signed();
      await expect(passkeys().verify(userId, 'security', assertion)).rejects.toMatchObject(OVER);
      world.now += 1;
      const other = (await world.other('b')).passkeys;
      const asked = [passkeys(), other, other].map((one) => one.verify(userId, 'withdrawal', assertion));
      const outcomes = await Promise.allSettled(asked);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      await expect(shown(assertion)).rejects.toMatchObject(OVER);
      expect(await passkeys().listOf(userId)).toMatchObject([{ usedAt: world.now }, { name: 'Key' }]);
      expect(await factors().verify(userId, recoveryCodes[0] ?? '')).toBe('recovery code');
    });

    test('are refused from elsewhere, of nobody verified, of others and for others', async () => {
      await added();
      const { userId: bob } = await register(world);
      const theirs = createAuthenticator(PUBLIC_URL);
      await passkeys().add(bob, 'Bob', theirs.make(await passkeys().begin(bob, 'bob@example.org')));
      const mine = (await passkeys().ask(userId, 'withdrawal')).allowCredentials[0]?.id ?? '';
      const wrong: readonly [Bent, Authenticator][] = [
        [{ origin: 'https://lode.example.evil' }, device],
        [{ origin: 'http://lode.example' }, device],
        [{ rpId: 'evil.example' }, device],
        [{ isUnverified: true }, device],
        [{ isEmbedded: true }, device],
        [{ type: 'webauthn.create' }, device],
        [{ id: 'AAAA' }, device],
        [{}, theirs],
        [{ id: mine }, theirs],
      ];
      for (const [bent, on] of wrong)
        await expect(signed(bent, on).then(shown)).rejects.toMatchObject(REFUSED);
      for (const challenge of ['A'.repeat(43), (await passkeys().ask(bob, 'withdrawal')).challenge])
        await expect(signed({ challenge }).then(shown)).rejects.toMatchObject(OVER);
      const { response, id } = await signed();
      for (const member of ['clientDataJSON', 'authenticatorData', 'signature'] as const)
        await expect(shown({ id, response: { ...response, [member]: 'AAAA' } })).rejects.toMatchObject(
          REFUSED,
        );
      await shown({ id, response });
    });

    test('end with the first factor whatever was begun without one', async () => {
      const begun = device.make(await passkeys().begin(userId, email));
      const secret = await factors().begin(userId);
      await added();
      await expect(factors().confirm(userId, codeNow(secret))).rejects.toMatchObject({
        code: 'second_factor_missing',
      });
      await expect(passkeys().add(userId, 'Begun', begun)).rejects.toMatchObject(OVER);
      expect(await factors().stateOf(userId)).toMatchObject({ isOn: true, hasApp: false });
      expect(await passkeys().listOf(userId)).toMatchObject([{ name: 'Telephone' }]);
    });

    test('end all sessions but one by the very write of the first factor, and none by another', async () => {
      const { sessions } = world.identity;
      const begin = async () => (await sessions.start({ userId, role: 'user' }, CLIENT)).session.sessionId;
      const living = async () => (await sessions.list(userId)).map(({ sessionId }) => sessionId).toSorted();
      const [own] = [await begin(), await begin()];
      const add = async (on: Authenticator) =>
        passkeys().add(userId, 'Key', on.make(await passkeys().begin(userId, email)), own);
      await add(device);
      expect(await living()).toEqual([own]);
      const other = await begin();
      await add(createAuthenticator(PUBLIC_URL));
      expect(await living()).toEqual([own, other].toSorted());
    });

    test('that were begun without a factor are none once an app is one', async () => {
      const begun = device.make(await passkeys().begin(userId, email));
      const secret = await factors().begin(userId);
      await factors().confirm(userId, codeNow(secret));
      await expect(passkeys().add(userId, 'Begun', begun)).rejects.toMatchObject(OVER);
      expect(await passkeys().listOf(userId)).toEqual([]);
      expect(await added()).toEqual({ recoveryCodes: [], isFirst: false });
    });

    test('of two people by one id are each their own', async () => {
      await added();
      const [taken = ''] = (await passkeys().ask(userId, 'withdrawal')).allowCredentials.map(({ id }) => id);
      const { userId: eve, email: hers } = await register(world);
      const copy = createAuthenticator(PUBLIC_URL);
      await passkeys().add(eve, 'Copy', copy.make(await passkeys().begin(eve, hers), { takes: taken }));
      await expect(signed({}, copy).then(shown)).rejects.toMatchObject(REFUSED);
      const asked = await passkeys().ask(eve, 'withdrawal');
      await expect(passkeys().verify(eve, 'withdrawal', device.sign(asked))).rejects.toMatchObject(REFUSED);
      await passkeys().verify(eve, 'withdrawal', copy.sign(asked));
      await shown(await signed());
    });

    test('are not taken into use from elsewhere, unverified, vouched for, twice, or too many', async () => {
      const made = async (bent: Bent) =>
        passkeys().add(userId, 'Telephone', device.make(await passkeys().begin(userId, email), bent));
      const vouched = { fmt: 'packed', attStmt: new Map<string, unknown>([['x5c', [Uint8Array.of(1)]]]) };
      for (const bent of [
        { origin: 'https://evil.example' },
        { rpId: 'evil.example' },
        { isUnverified: true },
        { isEmbedded: true },
        { type: 'webauthn.get' },
        { id: 'AAAA' },
        { attestation: vouched },
      ])
        await expect(made(bent)).rejects.toMatchObject(REFUSED);
      const { challenge } = await passkeys().ask(await withPasskey(), 'security');
      await expect(made({ challenge })).rejects.toMatchObject(OVER);
      expect(await factors().isOn(userId)).toBe(false);
      const made1 = device.make(await passkeys().begin(userId, email));
      await passkeys().add(userId, 'Telephone', made1);
      await expect(passkeys().add(userId, 'Telephone', made1)).rejects.toMatchObject(OVER);
      for (let n = 1; n < PASSKEYS_MAX; n += 1) await added();
      await expect(passkeys().begin(userId, email)).rejects.toMatchObject({ code: 'passkeys_full' });
    });
    const withPasskey = async () => {
      const other = await register(world);
      const on = createAuthenticator(PUBLIC_URL);
      const { passkeys: theirs } = world.identity;
      await theirs.add(other.userId, 'Key', on.make(await theirs.begin(other.userId, other.email)));
      return other.userId;
    };

    test('sign in time, with the password of then, and of what was asked for lately', async () => {
      await added();
      const late = await signed();
      world.now += PASSKEY_CHALLENGE_MS;
      await expect(shown(late)).rejects.toMatchObject(OVER);
      const oldest = await signed();
      for (let n = 0; n < 8; n += 1) await passkeys().ask(userId, 'transfer');
      await expect(shown(oldest)).rejects.toMatchObject(OVER);
      const before = await signed();
      const begun = device.make(await passkeys().begin(userId, email));
      await world.identity.credentials.replacePassword(userId, 'another password');
      await expect(shown(before)).rejects.toMatchObject(OVER);
      await expect(passkeys().add(userId, 'Key', begun)).rejects.toMatchObject(OVER);
      await shown(await signed());
    });

    test('that count must count on: one that goes back is a copy', async () => {
      device = createAuthenticator(PUBLIC_URL, true);
      await added();
      await shown(await signed({ counter: 7 }));
      for (const counter of [0, 6, 7])
        await expect(signed({ counter }).then(shown)).rejects.toMatchObject(REFUSED);
      const [one, two] = [await signed({ counter: 8 }), await signed({ counter: 8 })];
      const outcomes = await Promise.allSettled([shown(one), shown(two)]);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });

    test('sign for a challenge of elsewhere, and for no other', async () => {
      const challenge = 'B'.repeat(43);
      expect(await passkeys().askFor(userId, challenge)).toBeUndefined();
      await added();
      const request = await passkeys().askFor(userId, challenge);
      const assertion = device.sign(request!);
      await expect(passkeys().verifyFor(userId, 'C'.repeat(43), assertion)).rejects.toMatchObject(REFUSED);
      await passkeys().verifyFor(userId, challenge, assertion);
    });

    test('and the app are taken off one by one; the last takes the recovery codes along', async () => {
      const { recoveryCodes } = await added();
      const secret = await factors().begin(userId);
      expect(await factors().confirm(userId, codeNow(secret))).toEqual([]);
      const [{ passkeyId } = { passkeyId: '' }] = await passkeys().listOf(userId);
      expect(await passkeys().remove(userId, 'none')).toBe(false);
      expect(await passkeys().remove(userId, passkeyId)).toBe(true);
      await expect(signed()).rejects.toMatchObject({ code: 'passkey_missing' });
      expect(await factors().stateOf(userId)).toEqual({ isOn: true, hasApp: true, recoveryCodesLeft: 10 });
      await added();
      expect(await factors().removeApp(userId)).toBe(true);
      expect(await factors().removeApp(userId)).toBe(false);
      expect(await factors().verify(userId, recoveryCodes[0] ?? '')).toBe('recovery code');
      await expect(factors().verify(userId, '123456')).rejects.toMatchObject({ code: 'second_factor_wrong' });
      const [last] = await passkeys().listOf(userId);
      await passkeys().remove(userId, last?.passkeyId ?? '');
      expect(await world.store.secondFactorOf(userId)).toBeUndefined();
      expect(await added()).toMatchObject({ isFirst: true });
    });
    test.each([
      ['http://192.0.2.1:3000', 'number'],
      ['https://[2001:db8::1]', 'number'],
      ['http://lode.example', 'insecure'],
      [undefined, 'number'],
      ['http://localhost:3000', undefined],
      ['https://lode.example:8443', undefined],
    ])('at %s', async (publicUrl, refusal) => {
      const { store } = world;
      const at = publicUrl === undefined ? {} : { publicUrl };
      const { passkeys: there } = await createIdentity({ store, isOpen: async () => true, ...at });
      const host = refusal === undefined ? new URL(publicUrl ?? '').hostname : undefined;
      expect([there.refusal, there.rpId]).toEqual([refusal, host]);
      const begun = there.begin(userId, email);
      if (refusal === undefined) expect((await begun).rp.id).toBe(there.rpId);
      else await expect(begun).rejects.toMatchObject({ code: 'passkeys_unavailable' });
    });
  });
}
