import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { REFUSALS_PER_HOUR_MAX } from '#ledger';
import { pricesOf } from '#ledger/testing';
import { FORGOTTEN } from '#identity';
import { LodeError } from '#kernel';
import { createEntrance } from './entrance.js';
import { reconcileAccess } from './standing.js';
import { CLIENT, openHouse, registered, type House } from './testing/index.js';

const WRONG = 'a wrong password';

describe('the way in', () => {
  let house: House;
  let ann: Awaited<ReturnType<typeof registered>>;
  beforeEach(async () => {
    house = await openHouse();
    ann = await registered(house);
  });
  afterEach(() => house.close());

  const signIn = (password = ann.password, address = CLIENT.address) =>
    house.entrance.signIn({ email: ann.email, password }, { ...CLIENT, address });
  const isSignedIn = async (accessToken: string) =>
    (async () => house.identity.sessions.authenticate(accessToken))().then(
      () => true,
      () => false,
    );

  test('writes down who came in, from where, and who went', async () => {
    const { tokens, firstname } = await signIn();
    expect(firstname).toBe('Ann');
    await house.entrance.signOut([tokens.refreshToken], CLIENT);
    await house.entrance.signOut([tokens.refreshToken], CLIENT);
    expect(await house.trailOf(ann.userId)).toEqual(['SignedIn', 'SessionEnded signed_out']);
    const { state } = await house.ledger.access.load(`access-${ann.userId}`);
    expect(state.sessions).toEqual([]);
  });

  test('lets nobody in whose sign-in can’t be written down', async () => {
    const trail = {
      ...house.trail,
      signedIn: () => Promise.reject(new LodeError('storage_failed', 'The disk failed.')),
    };
    const entrance = createEntrance({ ...house, trail });
    await expect(entrance.signIn(ann, CLIENT)).rejects.toMatchObject({ code: 'storage_failed' });
    expect(await house.identity.sessions.list(ann.userId)).toEqual([]);
  });

  test('writes down refusals of people there are, so many an hour, and nobody else’s', async () => {
    for (let n = 0; n < REFUSALS_PER_HOUR_MAX + 5; n += 1)
      await expect(signIn(WRONG, `198.51.100.${n}`)).rejects.toMatchObject({ code: 'invalid_credentials' });
    const nobody = { email: 'nobody@example.org', password: WRONG };
    await expect(house.entrance.signIn(nobody, CLIENT)).rejects.toMatchObject({
      code: 'invalid_credentials',
    });
    const trail = await house.trailOf(ann.userId);
    expect(trail).toEqual(Array.from({ length: REFUSALS_PER_HOUR_MAX }, () => 'SignInRefused password'));
  });

  test('writes down that a used refresh token came back', async () => {
    const { tokens } = await signIn();
    const next = (token: string) => house.entrance.refresh(token, CLIENT, () => undefined);
    const second = await next(tokens.refreshToken);
    await next(second.tokens.refreshToken);
    await expect(next(tokens.refreshToken)).rejects.toMatchObject({ code: 'token_invalid' });
    expect(await house.trailOf(ann.userId)).toEqual(['SignedIn', 'SessionEnded reuse']);
  });

  describe('of a suspended person', () => {
    test('is closed by what the log says, also when identity has not heard of it', async () => {
      const { tokens } = await signIn();
      await house.tell(ann.userId, { type: 'Suspend' });
      await expect(signIn()).rejects.toMatchObject({
        code: 'account_suspended',
        message: 'Account suspended. Please contact admin.',
      });
      expect(await isSignedIn(tokens.accessToken)).toBe(false);
      expect(await house.trailOf(ann.userId)).toEqual([
        'SignedIn',
        'SessionsEnded suspended',
        'SignInRefused suspended',
      ]);
    });

    test('is closed to whoever wants to go on with a session', async () => {
      const { tokens } = await signIn();
      await house.tell(ann.userId, { type: 'Suspend' });
      const handed: unknown[] = [];
      const going = house.entrance.refresh(tokens.refreshToken, CLIENT, (next) => handed.push(next));
      await expect(going).rejects.toMatchObject({ code: 'account_suspended' });
      expect(handed).toHaveLength(1);
      expect(await house.identity.sessions.list(ann.userId)).toEqual([]);
    });

    test('is closed and opened by a reconciliation, however often', async () => {
      const { tokens } = await signIn();
      await reconcileAccess(house, ann.userId);
      expect(await isSignedIn(tokens.accessToken)).toBe(true);
      await house.tell(ann.userId, { type: 'Suspend' });
      for (const _ of ['once', 'twice']) await reconcileAccess(house, ann.userId);
      expect(await isSignedIn(tokens.accessToken)).toBe(false);
      expect(await house.trailOf(ann.userId)).toEqual(['SignedIn', 'SessionsEnded suspended']);
      await house.tell(ann.userId, { type: 'Activate' });
      for (const _ of ['once', 'twice']) await reconcileAccess(house, ann.userId);
      expect((await signIn()).firstname).toBe('Ann');
    });

    test('opens again once the log says so, also when identity has not heard of it', async () => {
      await house.tell(ann.userId, { type: 'Suspend' });
      await reconcileAccess(house, ann.userId);
      await house.tell(ann.userId, { type: 'Activate' });
      expect((await signIn()).firstname).toBe('Ann');
    });
  });

  test('is closed for ever to somebody who was forgotten, and nothing of them can be read', async () => {
    const { tokens } = await signIn();
    const sealed = await house.identity.personKeys.encryptFor(ann.userId, { a: 1 });
    await house.tell(ann.userId, { type: 'ForgetPerson', prices: pricesOf() });
    for (const _ of ['once', 'twice']) await reconcileAccess(house, ann.userId);
    await expect(signIn()).rejects.toMatchObject({ code: 'invalid_credentials' });
    expect(await isSignedIn(tokens.accessToken)).toBe(false);
    expect(await house.identity.personKeys.decryptFor(ann.userId, sealed)).toBe(FORGOTTEN);
    expect(await house.trailOf(ann.userId)).toEqual(['SignedIn', 'SessionsEnded forgotten']);
  });

  test('asks for a password again within the limits of guessing it', async () => {
    const { tokens } = await signIn();
    const { session } = tokens;
    await house.entrance.confirm(session, ann.password, CLIENT);
    for (let n = 0; n < 5; n += 1)
      await expect(house.entrance.confirm(session, WRONG, CLIENT)).rejects.toMatchObject({
        code: 'invalid_credentials',
      });
    await expect(house.entrance.confirm(session, ann.password, CLIENT)).rejects.toMatchObject({
      code: 'too_many_attempts',
    });
    await expect(signIn()).rejects.toMatchObject({ code: 'too_many_attempts' });
    expect(await house.trailOf(ann.userId)).toHaveLength(6);
  });

  test('asks for the transfer pin, and writes down the wrong ones until it is locked', async () => {
    const { session } = (await signIn()).tokens;
    const ask = (pin: string) => house.entrance.confirmPin(session, pin, CLIENT);
    await expect(ask('0000')).rejects.toMatchObject({ code: 'pin_missing' });
    await house.identity.transferPins.set(ann.userId, '4821');
    await ask('4821');
    for (let n = 0; n < 7; n += 1)
      await expect(ask('0000')).rejects.toMatchObject({ code: n < 4 ? 'pin_wrong' : 'pin_locked' });
    const wrong = Array.from({ length: 5 }, () => 'TransferPinRefused');
    expect(await house.trailOf(ann.userId)).toEqual(['SignedIn', ...wrong]);
  });

  test('reconciles nobody unknown', async () => {
    await reconcileAccess(house, 'nobody');
    expect(await house.trailOf('nobody')).toEqual([]);
  });
});
