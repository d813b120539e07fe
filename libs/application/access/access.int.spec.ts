import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { accountStream, REFUSALS_PER_HOUR_MAX } from '#ledger';
import { pricesOf } from '#ledger/testing';
import type { CommandContext } from '#commands';
import { FORGOTTEN, type IdentityStore, type Tokens } from '#identity';
import { LodeError, sha256 } from '#kernel';
import {
  CHANGE_WAIT_MS,
  CLIENT,
  openAccessWorld,
  registered,
  signIn,
  type AccessWorld,
} from '../testing/index.js';
import type { Notice } from '../mail/mailing.js';
import { createAccessAudit } from './audit.js';
import { callerContext, sessionContext, visitorContext } from './context.js';
import {
  EndSession,
  EndSessionHandler,
  EndSessions,
  EndSessionsHandler,
  SignOut,
  SignOutHandler,
} from './end-sessions.js';
import { confirmPassword, confirmTransferPin } from './guessing.js';
import {
  ChangePassword,
  ChangePasswordHandler,
  ReplacePassword,
  ReplacePasswordHandler,
} from './passwords.js';
import { ReconcileAccess, ReconcileAccessHandler, reconcileAccess, type HeldStreams } from './reconcile.js';
import { RefreshSession, RefreshSessionHandler } from './refresh-session.js';
import { ResetPassword, ResetPasswordHandler } from './reset-password.js';
import { RemoveLostSecondFactor, RemoveLostSecondFactorHandler } from './second-factors.js';
import { SignIn, SignInHandler } from './sign-in.js';
import { SetTransferPin, SetTransferPinHandler } from './transfer-pins.js';

const WRONG = 'a wrong password';

describe('the auth service', () => {
  let world: AccessWorld;
  let store: IdentityStore;
  let ann: Awaited<ReturnType<typeof registered>>;
  beforeEach(async () => {
    world = await openAccessWorld({ over: (opened) => (store = opened) });
    ann = await registered(world);
  });
  afterEach(() => world.close());

  /** A second factor, of which no code is known. */
  const switchOn = () =>
    store.changeSecondFactor(ann.userId, undefined, { isOn: true, sealed: 'v1.sealed', stamp: 'one' });
  const enter = (password = ann.password, address = CLIENT.address) =>
    signIn(world, { email: ann.email, password }, { ...CLIENT, address });
  const isSignedIn = async (accessToken: string) =>
    (async () => world.identity.sessions.authenticate(accessToken))().then(
      () => true,
      () => false,
    );
  const signOut = (token: string) =>
    new SignOutHandler(world).execute(new SignOut(visitorContext(CLIENT), [token]));
  const refresh = (token: string, handOver: (tokens: Tokens) => void = () => undefined) =>
    new RefreshSessionHandler(world).execute(new RefreshSession(visitorContext(CLIENT), token, handOver));

  /** What read models that held something were told to fold again. */
  const replayed: (readonly [model: string, stream: string | undefined])[] = [];
  beforeEach(() => void replayed.splice(0));
  const projections: HeldStreams['projections'] = {
    status: async () => [
      { name: 'accounts', parked: 2 },
      { name: 'requests', parked: 0 },
    ],
    replay: async (model, stream) => {
      replayed.push([model, stream]);
      return { replayed: 2, left: 0 };
    },
  };
  const reconcileBecause = (because: CommandContext) =>
    new ReconcileAccessHandler({ ...world, projections }).execute(new ReconcileAccess(because, ann.userId));

  test('writes down who came in, from where, and who went', async () => {
    const { tokens, firstname } = await enter();
    expect(firstname).toBe('Ann');
    await signOut(tokens.refreshToken);
    await signOut(tokens.refreshToken);
    expect(await world.auditOf(ann.userId)).toEqual(['SignedIn', 'SessionEnded signed_out']);
    const { state } = await world.aggregates.access.load(`access-${ann.userId}`);
    expect(state.sessions).toEqual([]);
    const [entered] = await world.eventStore.readStream(`access-${ann.userId}`, { limit: 1 });
    const encrypted = entered?.data['client'];
    expect(await world.identity.personKeys.decryptFor(ann.userId, String(encrypted))).toEqual(CLIENT);
  });

  test('lets nobody in whose sign-in can’t be written down', async () => {
    const accessAudit = {
      ...world.accessAudit,
      signedIn: () => Promise.reject(new LodeError('storage_failed', 'The disk failed.')),
    };
    const handler = new SignInHandler({ ...world, accessAudit });
    const entering = handler.execute(new SignIn(visitorContext(CLIENT), ann));
    await expect(entering).rejects.toMatchObject({ code: 'storage_failed' });
    expect(await world.identity.sessions.list(ann.userId)).toEqual([]);
  });

  test('tells the owner of a new network also when a sign-in from there failed before and is made again', async () => {
    await enter();
    const elsewhere = visitorContext({
      address: '203.0.113.9',
      agent: 'Mozilla/5.0 (X11; Linux) Firefox/140.0',
    });
    const told: (readonly string[])[] = [];
    const mailing = { sendNotice: async (_: string, { facts }: Notice) => void told.push(facts) };
    const failing = () => Promise.reject(new LodeError('unavailable', 'It can’t be reached.'));
    const cutOff = [
      { ...world, mailing, accessAudit: { ...world.accessAudit, signedIn: failing } },
      { ...world, mailing: { sendNotice: failing } },
    ];
    for (const parts of cutOff)
      await expect(new SignInHandler(parts).execute(new SignIn(elsewhere, ann))).rejects.toMatchObject({
        code: 'unavailable',
      });
    expect(told).toEqual([]);
    for (let n = 0; n < 2; n += 1)
      await new SignInHandler({ ...world, mailing }).execute(new SignIn(elsewhere, ann));
    expect(told).toEqual([['Network: 203.0.113.9', 'Program: Firefox on Linux']]);
    const written = await world.eventStore.readStream(`access-${ann.userId}`, { limit: 100 });
    const networks = written.filter(({ type }) => type === 'SignedIn').map(({ data }) => data['network']);
    // The second had a session, which ended when nobody could be told of it.
    expect(networks).toEqual([undefined, 'new', 'new', undefined]);
    expect(await world.identity.sessions.list(ann.userId)).toHaveLength(3);
  });

  test('asks for the code of a second factor that was switched on while the sign-in was under way', async () => {
    const { secondFactors, sessions } = world.identity;
    // As another device of the person's does it, between the first look at it and the session.
    const isOn = async (userId: string) => {
      const was = await secondFactors.isOn(userId);
      if (!was) {
        await switchOn();
        await sessions.endAllSessions(userId);
      }
      return was;
    };
    const identity = { ...world.identity, secondFactors: { ...secondFactors, isOn } };
    const entering = new SignInHandler({ ...world, identity }).execute(
      new SignIn(visitorContext(CLIENT), ann),
    );
    expect(await entering).toEqual({ challenge: expect.any(String), expiresAt: expect.any(Number) });
    expect(await sessions.list(ann.userId)).toEqual([]);
    expect(await world.auditOf(ann.userId)).toEqual(['SignedIn', 'SessionEnded ended']);
  });

  test('tells the program’s own log what could not be written of what has happened, and it stands', async () => {
    const { tokens } = await enter();
    const problems: string[] = [];
    const access = {
      ...world.aggregates.access,
      execute: () => Promise.reject(new LodeError('storage_failed', 'The disk failed.')),
    };
    const accessAudit = createAccessAudit({
      ...world,
      aggregates: { access },
      log: { error: (_, message) => void problems.push(message) },
    });
    const command = new SignOut(visitorContext(CLIENT), [tokens.refreshToken]);
    await new SignOutHandler({ ...world, accessAudit }).execute(command);
    expect(await isSignedIn(tokens.accessToken)).toBe(false);
    expect(problems).toEqual(['the audit trail could not be written']);
  });

  test('writes down refusals of people there are, so many an hour, and nobody else’s', async () => {
    for (let n = 0; n < REFUSALS_PER_HOUR_MAX + 5; n += 1)
      await expect(enter(WRONG, `198.51.100.${n}`)).rejects.toMatchObject({ code: 'invalid_credentials' });
    const nobody = { email: 'nobody@example.org', password: WRONG };
    await expect(signIn(world, nobody)).rejects.toMatchObject({ code: 'invalid_credentials' });
    const audit = await world.auditOf(ann.userId);
    expect(audit).toEqual(Array.from({ length: REFUSALS_PER_HOUR_MAX }, () => 'SignInRefused password'));
  });

  test('writes down that a used refresh token came back', async () => {
    const { tokens } = await enter();
    const second = await refresh(tokens.refreshToken);
    await refresh(second.tokens.refreshToken);
    await expect(refresh(tokens.refreshToken)).rejects.toMatchObject({ code: 'token_invalid' });
    expect(await world.auditOf(ann.userId)).toEqual(['SignedIn', 'SessionEnded reuse']);
  });

  describe('of a suspended person', () => {
    test('is closed by what the log says, also when identity has not heard of it', async () => {
      const { tokens } = await enter();
      await world.tell(ann.userId, { type: 'Suspend' });
      await expect(enter()).rejects.toMatchObject({
        code: 'account_suspended',
        message: 'Account suspended. Please contact admin.',
      });
      expect(await isSignedIn(tokens.accessToken)).toBe(false);
      expect(await world.auditOf(ann.userId)).toEqual([
        'SignedIn',
        'SessionsEnded suspended',
        'SignInRefused suspended',
      ]);
    });

    test('is closed to whoever wants to go on with a session', async () => {
      const { tokens } = await enter();
      await world.tell(ann.userId, { type: 'Suspend' });
      const handed: unknown[] = [];
      const going = refresh(tokens.refreshToken, (next) => handed.push(next));
      await expect(going).rejects.toMatchObject({ code: 'account_suspended' });
      expect(handed).toHaveLength(1);
      expect(await world.identity.sessions.list(ann.userId)).toEqual([]);
    });

    test('is closed and opened by a reconciliation, however often', async () => {
      const { tokens } = await enter();
      await reconcileAccess(world, ann.userId);
      expect(await isSignedIn(tokens.accessToken)).toBe(true);
      await world.tell(ann.userId, { type: 'Suspend' });
      for (const _ of ['once', 'twice']) await reconcileAccess(world, ann.userId);
      expect(await isSignedIn(tokens.accessToken)).toBe(false);
      expect(await world.auditOf(ann.userId)).toEqual(['SignedIn', 'SessionsEnded suspended']);
      await world.tell(ann.userId, { type: 'Activate' });
      for (const _ of ['once', 'twice']) await reconcileAccess(world, ann.userId);
      expect((await enter()).firstname).toBe('Ann');
    });

    test('opens again once the log says so, also when identity has not heard of it', async () => {
      await world.tell(ann.userId, { type: 'Suspend' });
      await reconcileAccess(world, ann.userId);
      await world.tell(ann.userId, { type: 'Activate' });
      expect((await enter()).firstname).toBe('Ann');
    });

    test('is reconciled because of an event as a command of that context, once', async () => {
      await enter();
      await world.tell(ann.userId, { type: 'Suspend' });
      const id = '00000000-0000-5000-8000-000000000001';
      const actor = { kind: 'system', id: 'access', role: 'system' } as const;
      const because = {
        actor,
        commandId: id,
        requestHash: sha256(id),
        correlationId: id,
        causationId: id,
      };
      for (const _ of ['once', 'twice']) await reconcileBecause(because);
      expect(await world.auditOf(ann.userId)).toEqual(['SignedIn', 'SessionsEnded suspended']);
      expect(replayed).toEqual([]);
      const [, ended] = await world.eventStore.readStream(`access-${ann.userId}`, { limit: 2 });
      expect(ended?.meta).toMatchObject({ commandId: id, actor });
    });
  });

  test('has read models fold what they held of somebody who was forgotten', async () => {
    await world.tell(ann.userId, { type: 'ForgetPerson', prices: pricesOf() });
    const id = '00000000-0000-5000-8000-000000000002';
    const actor = { kind: 'system', id: 'access', role: 'system' } as const;
    await reconcileBecause({
      ...{ actor, commandId: id, requestHash: sha256(id) },
      ...{ correlationId: id, causationId: id },
    });
    expect(replayed).toEqual([['accounts', `account-${ann.userId}`]]);
  });

  test('is closed for ever to somebody who was forgotten, and nothing of them can be read', async () => {
    const { tokens } = await enter();
    const encrypted = await world.identity.personKeys.encryptFor(ann.userId, { a: 1 });
    await world.tell(ann.userId, { type: 'ForgetPerson', prices: pricesOf() });
    for (const _ of ['once', 'twice']) await reconcileAccess(world, ann.userId);
    await expect(enter()).rejects.toMatchObject({ code: 'invalid_credentials' });
    expect(await isSignedIn(tokens.accessToken)).toBe(false);
    expect(await world.identity.personKeys.decryptFor(ann.userId, encrypted)).toBe(FORGOTTEN);
    expect(await world.auditOf(ann.userId)).toEqual(['SignedIn', 'SessionsEnded forgotten']);
  });

  test('asks for a password again within the limits of guessing it', async () => {
    const { tokens } = await enter();
    const caller = callerContext(tokens.session, CLIENT);
    await confirmPassword(world, caller, ann.password);
    for (let n = 0; n < 5; n += 1)
      await expect(confirmPassword(world, caller, WRONG)).rejects.toMatchObject({
        code: 'invalid_credentials',
      });
    await expect(confirmPassword(world, caller, ann.password)).rejects.toMatchObject({
      code: 'too_many_attempts',
    });
    await expect(enter()).rejects.toMatchObject({ code: 'too_many_attempts' });
    expect(await world.auditOf(ann.userId)).toHaveLength(6);
  });

  test('asks for the transfer pin, and writes down the wrong ones until it is locked', async () => {
    const caller = callerContext((await enter()).tokens.session, CLIENT);
    const ask = (pin: string) => confirmTransferPin(world, caller, pin);
    await expect(ask('0000')).rejects.toMatchObject({ code: 'pin_missing' });
    await world.identity.transferPins.set(ann.userId, '4821');
    await ask('4821');
    for (let n = 0; n < 7; n += 1)
      await expect(ask('0000')).rejects.toMatchObject({ code: n < 4 ? 'pin_wrong' : 'pin_locked' });
    const wrong = Array.from({ length: 5 }, () => 'TransferPinRefused');
    expect(await world.auditOf(ann.userId)).toEqual(['SignedIn', ...wrong]);
  });

  test('sets a transfer pin for whoever knows the password, and for nobody else', async () => {
    const caller = callerContext((await enter()).tokens.session, CLIENT);
    const set = (password: string) =>
      new SetTransferPinHandler(world).execute(new SetTransferPin(caller, '4821', { password }));
    await expect(set(WRONG)).rejects.toMatchObject({ code: 'invalid_credentials' });
    expect(await world.identity.transferPins.stateOf(ann.userId)).toBe('missing');
    await set(ann.password);
    expect(await world.identity.transferPins.stateOf(ann.userId)).toBe('set');
    expect(await world.auditOf(ann.userId)).toEqual(['SignedIn', 'SignInRefused password', 'TransferPinSet']);
  });

  test('changes a password: the caller’s session goes on and the others end', async () => {
    const [mine, other] = [(await enter()).tokens, (await enter()).tokens];
    const passwords = { old: ann.password, new: 'a new password' };
    const command = new ChangePassword(callerContext(mine.session, CLIENT), passwords);
    await new ChangePasswordHandler(world).execute(command);
    expect([await isSignedIn(mine.accessToken), await isSignedIn(other.accessToken)]).toEqual([true, false]);
    await expect(enter()).rejects.toMatchObject({ code: 'invalid_credentials' });
    expect((await enter(passwords.new)).firstname).toBe('Ann');
    expect((await world.auditOf(ann.userId)).slice(2, 4)).toEqual([
      'PasswordChanged',
      'SessionsEnded password',
    ]);
  });

  test('looks at a new password before it counts a try of the old one', async () => {
    const { session } = (await enter()).tokens;
    const command = new ChangePassword(callerContext(session, CLIENT), { old: WRONG, new: '1' });
    const changing = new ChangePasswordHandler(world).execute(command);
    await expect(changing).rejects.toMatchObject({ code: 'password_policy' });
    expect(await world.auditOf(ann.userId)).toEqual(['SignedIn']);
  });

  test('replaces a password: every session ends and the person goes on with a new one', async () => {
    const { session, accessToken } = (await enter()).tokens;
    const command = new ReplacePassword(callerContext(session, CLIENT), 'a new password', world.clock());
    const tokens = await new ReplacePasswordHandler(world).execute(command);
    expect([await isSignedIn(accessToken), await isSignedIn(tokens.accessToken)]).toEqual([false, true]);
    const until = new Date(world.clock() + CHANGE_WAIT_MS).toISOString();
    const [last] = await world.eventStore.readStream(accountStream(ann.userId), {
      direction: 'backwards',
      limit: 1,
    });
    expect(last).toMatchObject({ type: 'MoneyOutDelayed', data: { until, why: 'password_reset' } });
    expect(await world.auditOf(ann.userId)).toEqual([
      'SignedIn',
      'PasswordChanged',
      'SessionsEnded password',
      'SignedIn',
    ]);
  });

  describe('money out', () => {
    const NEXT = 'a new password';
    /** Until when it was kept from leaving, each time. */
    const waits = async () =>
      (await world.eventStore.readStream(accountStream(ann.userId), { limit: 100 })).flatMap(
        ({ type, data }) => (type === 'MoneyOutDelayed' ? [data['until']] : []),
      );
    const fromNow = () => new Date(world.clock() + CHANGE_WAIT_MS).toISOString();
    const failing = () => Promise.reject(new LodeError('storage_failed', 'The disk failed.'));
    /** Where no change is made after money was told to wait. */
    const cutOff = (): AccessWorld => {
      const { identity } = world;
      const credentials = { ...identity.credentials, resetPassword: failing, replacePassword: failing };
      const secondFactors = { ...identity.secondFactors, remove: failing };
      return { ...world, identity: { ...identity, credentials, secondFactors } };
    };
    const reset = async (parts: AccessWorld, password: string, older = 0) => {
      const { userId } = ann;
      const { epoch } = (await world.identity.credentials.known(userId)) ?? { epoch: 0 };
      const { token } = await world.identity.links.issue('reset-password', { userId, epoch: epoch - older });
      const mailing = { ...world.mailing, pretendLink: async () => undefined };
      const command = new ResetPassword(visitorContext(CLIENT), { token, password });
      await new ResetPasswordHandler({ ...parts, mailing }).execute(command);
    };
    const replace = async (parts: AccessWorld, password: string) => {
      const { session } = (await enter()).tokens;
      const command = new ReplacePassword(callerContext(session, CLIENT), password, world.clock());
      await new ReplacePasswordHandler(parts).execute(command);
    };
    const remove = async (parts: AccessWorld) => {
      await switchOn();
      const admin = sessionContext({ userId: 'ada', role: 'admin', sessionId: 'hers' });
      const command = new RemoveLostSecondFactor(admin, ann.userId, 'Lost the telephone');
      await new RemoveLostSecondFactorHandler(parts).execute(command);
    };

    test.each([
      ['a reset', reset],
      ['a new password at the identity door', replace],
      ['a second factor that is taken off', remove],
    ] as const)('waits after %s, also where one before, which failed, made it wait', async (_, change) => {
      await expect(change(cutOff(), NEXT)).rejects.toMatchObject({ code: 'storage_failed' });
      const first = fromNow();
      expect(await waits()).toEqual([first]);
      world.waitLong(CHANGE_WAIT_MS);
      await change(world, NEXT);
      expect(await waits()).toEqual([first, fromNow()]);
    });

    test('waits for no password that is refused, and for no link that is void', async () => {
      for (const change of [reset, replace])
        await expect(change(world, ann.password)).rejects.toMatchObject({ code: 'password_policy' });
      await expect(reset(world, NEXT, 1)).rejects.toMatchObject({ code: 'link_invalid' });
      expect(await waits()).toEqual([]);
    });
  });

  test('ends one session of a person, and none of anybody else’s', async () => {
    const { session } = (await enter()).tokens;
    const end = (userId: string) =>
      new EndSessionHandler(world).execute(
        new EndSession(sessionContext(session), userId, session.sessionId),
      );
    expect(await end('bob')).toBe(0);
    expect(await end(ann.userId)).toBe(1);
    expect(await world.auditOf(ann.userId)).toEqual(['SignedIn', 'SessionEnded ended']);
    expect(await world.auditOf('bob')).toEqual([]);
  });

  test('ends all sessions but the one that asks', async () => {
    const [mine, other] = [(await enter()).tokens, (await enter()).tokens];
    const caller = callerContext(mine.session, CLIENT);
    const ended = await new EndSessionsHandler(world).execute(
      new EndSessions(caller, ann.userId, caller.session),
    );
    expect(ended).toBe(1);
    expect([await isSignedIn(mine.accessToken), await isSignedIn(other.accessToken)]).toEqual([true, false]);
  });

  test('reconciles nobody unknown', async () => {
    await reconcileAccess(world, 'nobody');
    expect(await world.auditOf('nobody')).toEqual([]);
  });
});
