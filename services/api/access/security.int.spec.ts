import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import {
  challengeFor,
  totpOf,
  cookieIn,
  credit,
  enrol,
  join,
  joinEnrolled,
  keyed,
  newPerson,
  PASSWORD,
  problemIn,
  saveWalletAddress,
  signIn,
  startLode,
  TIME_OF_DAY_ALONE,
  type Lode,
  type Person,
} from '../../lode/testing/index.js';

const NEXT = 'another horse';

describe('a person’s password, pin and sessions', () => {
  let lode: Lode;
  beforeAll(async () => {
    // Codes stay good, and room for guesses stays away, however long a test takes.
    jest.useFakeTimers(TIME_OF_DAY_ALONE);
    lode = await startLode();
  });
  afterAll(async () => {
    jest.useRealTimers();
    await lode.stop();
  });
  // The account itself may be shown a moment later.
  const isSignedIn = async ({ api }: Person) => (await api.call('me')).status !== 401;

  test('a new password ends the other sessions, and the old one is worth nothing', async () => {
    const here = await join(lode.visitor, 'Ann');
    const there = await signIn(lode.visitor, here);
    const body = { oldPassword: PASSWORD, newPassword: NEXT };
    expect(await here.api.get('changePassword', { body })).toEqual({
      message: 'Password updated successfully!',
    });
    expect(await Promise.all([here, there].map(isSignedIn))).toEqual([true, false]);
    const old = await lode.visitor.call('signIn', { body: { email: here.email, password: PASSWORD } });
    expect(problemIn(old).code).toBe('invalid_credentials');
    await signIn(lode.visitor, { email: here.email, password: NEXT });
  });

  test('a wrong old password changes nothing, and can’t be guessed', async () => {
    const ann = await join(lode.visitor, 'Ann');
    const there = await signIn(lode.visitor, ann);
    const body = { oldPassword: 'wrong', newPassword: NEXT };
    for (let n = 0; n < 5; n += 1)
      expect(problemIn(await ann.api.call('changePassword', { body }))).toMatchObject({
        status: 401,
        code: 'invalid_credentials',
        detail: 'Failed to reset password.',
      });
    const late = { body: { ...body, oldPassword: PASSWORD } };
    expect(problemIn(await ann.api.call('changePassword', late)).code).toBe('too_many_attempts');
    expect(await Promise.all([ann, there].map(isSignedIn))).toEqual([true, true]);
  });

  test('a transfer pin is set with the password', async () => {
    const ann = await join(lode.visitor, 'Ann');
    expect(await ann.api.get('transferPin')).toEqual({ state: 'missing' });
    const wrong = await ann.api.call('setTransferPin', { body: { pin: '4821', password: 'wrong' } });
    expect(problemIn(wrong).code).toBe('invalid_credentials');
    for (const pin of ['482', '48211', 'abcd', 4821])
      expect(
        problemIn(await ann.api.call('setTransferPin', { body: { pin, password: PASSWORD } })).code,
      ).toBe('validation_failed');
    expect(await ann.api.get('transferPin')).toEqual({ state: 'missing' });
    await ann.api.get('setTransferPin', { body: { pin: '4821', password: PASSWORD } });
    expect(await ann.api.get('transferPin')).toEqual({ state: 'set' });
  });

  test('its owner reads what happened to the access: what, when, from where and with what, and of admins only that', async () => {
    const ann = await join(lode.visitor, 'Ann');
    const headers = { 'User-Agent': 'Odd Browser/1.0' };
    const wrong = { body: { email: ann.email, password: 'wrong' }, headers };
    expect((await lode.visitor.call('signIn', wrong)).status).toBe(401);
    await ann.api.get('setTransferPin', { body: { pin: '4821', password: PASSWORD } });
    await lode.admin.api.get('endSessionsOf', { params: { userId: ann.userId } });
    const { api } = await signIn(lode.visitor, ann);
    const { events } = await api.get('ownSecurityEvents', { query: { limit: '4' } });
    expect(events.map(({ description, by, agent }) => [description, by, agent])).toEqual([
      ['Signed in', 'owner', expect.any(String)],
      ['All devices were signed out', 'admin', undefined],
      ['Transfer pin set', 'owner', expect.any(String)],
      ['Wrong password', 'visitor', 'Odd Browser/1.0'],
    ]);
    expect(events.map(({ address }) => address === undefined)).toEqual([false, true, false, false]);
    const older = await api.get('ownSecurityEvents', { query: { limit: '4', from: '0' } });
    expect(older).toMatchObject({ events: [{ description: 'Signed in' }], next: null, previous: 4 });
    expect(JSON.stringify([events, older])).not.toMatch(/"v\d+\.[\w-]{16}\.|sessionId|"client"|"actor"/);
    const bob = await join(lode.visitor, 'Bob');
    expect((await bob.api.get('ownSecurityEvents')).events).toHaveLength(1);
  });

  describe('a second factor', () => {
    const stepOf = (challenge: string, code: string) =>
      lode.visitor.call('finishSignIn', { body: { challenge, code } });

    test('is asked for at sign-in once it is set up, and opens a session by one good code', async () => {
      const ann = await join(lode.visitor, 'Ann');
      const elsewhere = await signIn(lode.visitor, ann);
      const wrong = await ann.api.call('beginSecondFactor', { body: { password: 'wrong' } });
      expect(problemIn(wrong).code).toBe('invalid_credentials');
      const { secret, recoveryCodes } = await enrol(ann);
      expect(await Promise.all([ann, elsewhere].map(isSignedIn))).toEqual([true, false]);
      expect(await ann.api.get('secondFactor')).toMatchObject({ isOn: true, recoveryCodesLeft: 10 });
      const first = await lode.visitor.call('signIn', { body: { email: ann.email, password: PASSWORD } });
      expect(first.json).toEqual({
        challenge: expect.any(String),
        expiresAt: expect.any(String),
        message: 'Please enter your code',
      });
      expect(first.headers.getSetCookie()).toEqual([]);
      const challenge = await challengeFor(lode.visitor, ann);
      for (const code of [totpOf(secret, -2), totpOf(secret, 3)])
        expect(problemIn(await stepOf(challenge, code)).code).toBe('second_factor_wrong');
      const good = totpOf(secret);
      const done = await Promise.all([stepOf(challenge, good), stepOf(challenge, good)]);
      expect(done.map(({ status }) => status).sort()).toEqual([200, 403]);
      expect(done.find(({ status }) => status === 200)?.headers.getSetCookie()[0]).toContain('lode_refresh=');
      // Neither what was used nor the challenge is good again, whatever comes with it.
      expect(problemIn(await stepOf(challenge, recoveryCodes[0] ?? '')).code).toBe('challenge_invalid');
      expect(problemIn(await stepOf('A'.repeat(43), good)).code).toBe('challenge_invalid');
      const next = await challengeFor(lode.visitor, ann);
      for (const code of [good, '000', recoveryCodes[0]?.slice(1) ?? ''])
        expect(problemIn(await stepOf(next, code)).code).toBe('second_factor_wrong');
      expect((await stepOf(next, recoveryCodes[1] ?? '')).status).toBe(200);
      expect(await ann.api.get('secondFactor')).toMatchObject({ isOn: true, recoveryCodesLeft: 9 });
    });

    test('is not guessed: showing the password again takes back no wrong code', async () => {
      const eve = await joinEnrolled(lode.visitor, 'Eve');
      const codes = [];
      for (let n = 0; n < 6; n += 1) {
        const answer = await stepOf(await challengeFor(lode.visitor, eve), '000000');
        codes.push(problemIn(answer).code);
      }
      expect(codes.slice(0, 5)).toEqual(Array(5).fill('second_factor_wrong'));
      expect(codes[5]).toBe('too_many_attempts');
      const good = await stepOf(await challengeFor(lode.visitor, eve), totpOf(eve.secret));
      expect(problemIn(good).code).toBe('too_many_attempts');
      expect(good.headers.get('retry-after')).toBe('900');
    });

    test('that is lost is taken off a customer by an admin, who says why; no money leaves then for a while', async () => {
      const lou = await joinEnrolled(lode.visitor, 'Lou');
      const admin = await signIn(lode.visitor, lode.admin);
      const ask = { params: { userId: lou.userId }, body: { reason: 'Lost the telephone' } };
      for (const _ of [1, 2]) await admin.api.get('removeLostSecondFactor', ask);
      const own = { ...ask, params: { userId: lode.admin.userId } };
      expect(problemIn(await admin.api.call('removeLostSecondFactor', own)).code).toBe('not_a_customer');
      const back = await signIn(lode.visitor, lou);
      const { events } = await admin.api.get('stream', { params: { stream: `access-${lou.userId}` } });
      const removals = events.filter(({ data }) => data['change'] === 'removed');
      expect(removals.map(({ meta }) => [meta.actor.id, meta.reason])).toEqual([
        [admin.userId, 'Lost the telephone'],
      ]);
      await saveWalletAddress(back);
      await credit(admin, back, { BTC: '1000' });
      const body = { amount: '2', currency: 'BTC', proof: { password: PASSWORD } } as const;
      const waits = await back.api.call('requestWithdrawal', { body, headers: keyed() });
      expect(problemIn(waits).code).toBe('money_out_waits');
    });

    test('is taken off by password and code alone, and a challenge is void once the password is another', async () => {
      const bob = await joinEnrolled(lode.visitor, 'Bob');
      const challenge = await challengeFor(lode.visitor, bob);
      const change = { oldPassword: PASSWORD, newPassword: NEXT, code: totpOf(bob.secret) };
      await bob.api.get('changePassword', { body: change });
      expect(problemIn(await stepOf(challenge, totpOf(bob.secret))).code).toBe('challenge_invalid');
      const [first = '', second = ''] = bob.recoveryCodes;
      const refused = async (password: string, code: string) =>
        problemIn(await bob.api.call('removeSecondFactor', { body: { password, code } })).code;
      expect(await refused(PASSWORD, first)).toBe('invalid_credentials');
      expect(await refused(NEXT, '000000')).toBe('second_factor_wrong');
      const body = { password: NEXT, code: first };
      const { recoveryCodes } = await bob.api.get('renewRecoveryCodes', { body });
      expect(await refused(NEXT, second)).toBe('second_factor_wrong');
      await bob.api.get('removeSecondFactor', { body: { password: NEXT, code: recoveryCodes[0] ?? '' } });
      expect(await bob.api.get('secondFactor')).toMatchObject({ isOn: false, recoveryCodesLeft: 0 });
      expect(await refused(NEXT, recoveryCodes[1] ?? '')).toBe('second_factor_missing');
      await signIn(lode.visitor, { email: bob.email, password: NEXT });
      const admin = await signIn(lode.visitor, lode.admin);
      const { events } = await admin.api.get('stream', { params: { stream: `access-${bob.userId}` } });
      const changes = events.flatMap(({ type, data }) => (type === 'SecondFactorChanged' ? [data] : []));
      const newestFirst = [
        'removed',
        'recovery code used',
        'new recovery codes',
        'recovery code used',
        'set up',
      ];
      expect(changes).toMatchObject(newestFirst.map((change) => ({ change })));
    });
  });

  test('sessions are listed, and ended one by one, all others, or all', async () => {
    const [one, bob] = [await join(lode.visitor, 'Ann'), await join(lode.visitor, 'Bob')];
    const [two, three] = [await signIn(lode.visitor, one), await signIn(lode.visitor, one)];
    const { items } = await one.api.get('ownSessions');
    expect(items.map(({ current }) => current).sort()).toEqual([false, false, true]);
    expect(items[0]).toMatchObject({ address: '127.0.0.1', agent: 'node' });
    const current = async ({ api }: Person) =>
      (await api.get('ownSessions')).items.find((item) => item.current)?.sessionId ?? '';
    const params = { sessionId: await current(two) };
    expect(await bob.api.get('endOwnSession', { params })).toMatchObject({ ended: 0 });
    expect(await one.api.get('endOwnSession', { params })).toMatchObject({ ended: 1 });
    expect(await one.api.get('endOwnSession', { params })).toMatchObject({ ended: 0 });
    expect(await Promise.all([one, two, three].map(isSignedIn))).toEqual([true, false, true]);
    expect(await one.api.get('endOtherSessions')).toMatchObject({ ended: 1 });
    expect(await Promise.all([one, three].map(isSignedIn))).toEqual([true, false]);
    const four = await signIn(lode.visitor, one);
    const answer = await one.api.call('signOutEverywhere');
    expect(answer.headers.getSetCookie()[0]).toMatch(/^lode_refresh=;/);
    expect(await Promise.all([one, four, bob].map(isSignedIn))).toEqual([false, false, true]);
  });

  test('an admin sees a person’s sessions and ends them', async () => {
    const [one, two] = await (async () => {
      const ann = await join(lode.visitor, 'Ann');
      return [ann, await signIn(lode.visitor, ann)];
    })();
    const { userId } = one;
    const { items } = await lode.admin.api.get('sessionsOf', { params: { userId } });
    expect(items.map(({ current }) => current)).toEqual([false, false]);
    const sessionId = (await one.api.get('ownSessions')).items.find((item) => item.current)?.sessionId ?? '';
    expect(await lode.admin.api.get('endSessionOf', { params: { userId, sessionId } })).toEqual({
      message: 'Session ended',
      ended: 1,
    });
    expect(await Promise.all([one, two].map(isSignedIn))).toEqual([false, true]);
    expect(await lode.admin.api.get('endSessionsOf', { params: { userId } })).toMatchObject({ ended: 1 });
    expect(await Promise.all([two, lode.admin].map(isSignedIn))).toEqual([false, true]);
  });

  test('whatever becomes of a session or a secret is an event in the person’s own stream', async () => {
    const ann = await join(lode.visitor, 'Ann');
    const refresh = async (cookie: string) =>
      cookieIn((await lode.visitor.call('refresh', { headers: { Cookie: cookie } })).headers);
    const second = await signIn(lode.visitor, ann);
    await refresh(await refresh(second.cookie));
    await refresh(second.cookie);
    const third = await signIn(lode.visitor, ann);
    await lode.visitor.call('signOut', { headers: { Cookie: third.cookie } });
    await lode.visitor.call('signIn', { body: { email: ann.email, password: 'wrong' } });
    await ann.api.get('setTransferPin', { body: { pin: '4821', password: PASSWORD } });
    await ann.api.get('changePassword', { body: { oldPassword: PASSWORD, newPassword: NEXT } });
    await ann.api.get('signOutEverywhere');
    const params = { stream: `access-${ann.userId}` };
    const { events, chainVerified } = await lode.admin.api.get('stream', { params, query: { limit: '100' } });
    expect(chainVerified).toBe(true);
    const said = events.map(({ type, data }) => [type, data['why']].filter(Boolean).join(' '));
    expect(said.toReversed()).toEqual([
      'SignedIn',
      'SignedIn',
      'SessionEnded reuse',
      'SignedIn',
      'SessionEnded signed_out',
      'SignInRefused password',
      'TransferPinSet',
      'PasswordChanged',
      'SessionsEnded ended',
    ]);
  });

  test('an admin registers a customer, who signs in', async () => {
    const body = newPerson('Carl');
    const { message, role, userId } = await lode.admin.api.get('createAccount', { body });
    expect([message, role]).toEqual(['Registration successful', 'user']);
    expect((await signIn(lode.visitor, body)).userId).toBe(userId);
    const again = await lode.admin.api.call('createAccount', { body });
    expect(problemIn(again)).toMatchObject({ code: 'email_exists', detail: 'User already exists' });
    const other = { ...newPerson('Carl'), confirmPassword: 'another' };
    expect(problemIn(await lode.admin.api.call('createAccount', { body: other })).detail).toBe(
      'Passwords do not match',
    );
  });
});

describe('a password policy', () => {
  let lode: Lode;
  const policy = { minLength: 8, maxLength: 20, requires: ['lowercase'] } as const;
  const GOOD = 'Correct Horse 1';

  beforeAll(async () => {
    lode = await startLode({ passwordPolicy: policy });
  });
  afterAll(() => lode.stop());

  test('is told before anybody chooses', async () => {
    expect(await lode.visitor.get('passwordPolicy')).toEqual({
      ...policy,
      refuses: ['common', 'personal', 'unchanged'],
    });
  });

  test('is kept by whoever registers, is registered, or changes theirs', async () => {
    const ann = await join(lode.visitor, 'Ann');
    const short = { ...newPerson('Bob'), password: 'horse 1' };
    const answers = [
      await lode.visitor.call('register', { body: short }),
      await lode.admin.api.call('createAccount', { body: short }),
      await ann.api.call('changePassword', { body: { oldPassword: PASSWORD, newPassword: short.password } }),
    ];
    for (const answer of answers)
      expect(problemIn(answer)).toMatchObject({
        status: 422,
        code: 'password_policy',
        detail: 'Password should be at least 8 characters',
      });
    await lode.visitor.get('register', { body: { ...short, password: GOOD } });
  });

  test('refuses what is common, one’s own and unchanged, to whoever chooses it', async () => {
    const ann = await join(lode.visitor, 'Ann');
    const registering = (password: string) =>
      ['register' as const, { body: { ...newPerson('Bob'), password } }] as const;
    const creating = (password: string) =>
      ['createAccount' as const, { body: { ...newPerson('Bob'), password } }] as const;
    const { api } = ann;
    const change = (newPassword: string) =>
      api.call('changePassword', { body: { oldPassword: PASSWORD, newPassword } });
    for (const [answer, detail] of [
      [await lode.visitor.call(...registering('Password1')), /^Password should not be one that many/],
      [await lode.visitor.call(...registering('Bob-Miller')), /^Password should not be your name/],
      [await lode.admin.api.call(...creating('Password1')), /^Password should not be one that many/],
      [await lode.admin.api.call(...creating('miller, bob')), /^Password should not be your name/],
      [await change('Password1'), /^Password should not be one that many/],
      [await change('ann miller'), /^Password should not be your name/],
      [await change(PASSWORD), /^Password should not be the one that you have/],
    ] as const) {
      expect(problemIn(answer)).toMatchObject({ status: 422, code: 'password_policy' });
      expect(problemIn(answer).detail).toMatch(detail);
    }
  });
});
