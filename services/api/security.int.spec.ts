import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  cookieIn,
  join,
  newPerson,
  PASSWORD,
  problemIn,
  signIn,
  startLode,
  type Lode,
  type Person,
} from '../lode/testing/index.js';

const NEXT = 'another horse';

describe('a person’s password, pin and sessions', () => {
  let lode: Lode;
  beforeAll(async () => void (lode = await startLode()));
  afterAll(() => lode.stop());
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
    expect(await lode.visitor.get('passwordPolicy')).toEqual(policy);
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
});
