import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { deleteApp, initializeApp, type FirebaseApp } from 'firebase/app';
import {
  applyActionCode,
  checkActionCode,
  confirmPasswordReset,
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  deleteUser,
  EmailAuthProvider,
  GoogleAuthProvider,
  inMemoryPersistence,
  initializeAuth,
  reauthenticateWithCredential,
  revokeAccessToken,
  signInAnonymously,
  signInWithCredential,
  signInWithEmailAndPassword,
  signInWithEmailLink,
  signOut,
  updateEmail,
  updatePassword,
  validatePassword,
  type Auth,
} from 'firebase/auth';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join as pathOf } from 'node:path';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { createIdentity } from '#identity';
import { until } from '#kernel/testing';
import { RECENT_MS } from './accounts.js';
import {
  enrol,
  formOf,
  keyed,
  newPerson,
  PASSWORD,
  PDF,
  PNG,
  notOn,
  openIdentityOf,
  passTime,
  signIn,
  startLode,
  type Lode,
  type Given,
} from '../../lode/testing/index.js';

const NEXT = 'another horse';
const policy = { minLength: 6, maxLength: 40, requires: ['lowercase'] } as const;

/** Tests that look into the folder of uploaded files. */
const testInFolder = notOn(['s3'], 'an upload that comes while its account is deleted') ? test.skip : test;

describe('the client of Google’s Identity Toolkit', () => {
  let lode: Lode;
  const apps: FirebaseApp[] = [];
  let auth: Auth;

  beforeAll(async () => void (lode = await startLode({ identityToolkit: true, passwordPolicy: policy })));
  afterAll(() => lode.stop());
  beforeEach(() => void (auth = client()));
  afterEach(() => Promise.all(apps.splice(0).map((app) => deleteApp(app))));

  /** A client of its own, as it would run in somebody's browser. */
  function client(): Auth {
    const app = initializeApp({ apiKey: 'any', projectId: 'lode' }, `app ${crypto.randomUUID()}`);
    apps.push(app);
    const made = initializeAuth(app, { persistence: inMemoryPersistence });
    connectAuthEmulator(made, lode.visitor.address, { disableWarnings: true });
    return made;
  }

  const refused = (code: string) => ({ code: `auth/${code}` });
  const newEmail = () => newPerson('Ann').email;
  const signUp = (email = newEmail()) => createUserWithEmailAndPassword(auth, email, PASSWORD);

  test('signs up, and the account is one of Lode’s', async () => {
    const email = newEmail();
    const { user } = await signUp(email);
    expect(user).toMatchObject({ email, emailVerified: true, isAnonymous: false, displayName: null });
    expect(user.providerData).toMatchObject([{ providerId: 'password', email }]);
    expect(Date.parse(user.metadata.creationTime ?? '')).toBeGreaterThan(Date.parse('2020-01-01'));
    const { claims, signInProvider } = await user.getIdTokenResult();
    expect([claims.sub, signInProvider, claims['role']]).toEqual([user.uid, 'password', 'user']);
    const { head } = await lode.admin.api.get('projections');
    const current = { headers: { 'Lode-Position': head } };
    const me = await lode.visitor.as(String(claims['token'])).get('me', current);
    expect(me).toMatchObject({ userId: user.uid, email, firstname: '', lastname: '' });
  });

  test('signs in somebody who registered with Lode, and out', async () => {
    const body = newPerson('Ann');
    const { userId } = await lode.visitor.get('register', { body });
    const { user } = await signInWithEmailAndPassword(auth, body.email.toUpperCase(), PASSWORD);
    expect([user.uid, user.email, user.displayName]).toEqual([userId, body.email, 'Ann Miller']);
    await user.reload();
    await signOut(auth);
    expect(auth.currentUser).toBeNull();
  });

  test('lets nobody in who has a second factor, also not by a session of before', async () => {
    const { user } = await signUp();
    const email = user.email ?? '';
    await enrol(await signIn(lode.visitor, { email, password: PASSWORD }));
    for (const refused of [user.getIdToken(true), signInWithEmailAndPassword(auth, email, PASSWORD)])
      await expect(refused).rejects.toThrow();
    const answer = await lode.visitor.call('signIn', { body: { email, password: PASSWORD } });
    expect(answer.json).toMatchObject({ challenge: expect.any(String) });
  });

  test('refreshes its tokens, and the one before is used up', async () => {
    const { user } = await signUp();
    const [first, refreshToken] = [await user.getIdToken(), user.refreshToken];
    const second = await user.getIdToken(true);
    expect(second).not.toBe(first);
    expect(user.refreshToken).not.toBe(refreshToken);
    await user.reload();
  });

  test('changes the password: other clients are signed out at their next request', async () => {
    const email = newEmail();
    const { user } = await signUp(email);
    const there = client();
    await signInWithEmailAndPassword(there, email, PASSWORD);
    await updatePassword(user, NEXT);
    await user.reload();
    await expect(there.currentUser?.reload()).rejects.toMatchObject(refused('user-token-expired'));
    expect(there.currentUser).toBeNull();
    await expect(signInWithEmailAndPassword(there, email, PASSWORD)).rejects.toMatchObject(
      refused('invalid-credential'),
    );
    await reauthenticateWithCredential(user, EmailAuthProvider.credential(email, NEXT));
  });

  test('is told the password policy, and kept to it', async () => {
    expect(await validatePassword(auth, 'ABCDEF')).toMatchObject({
      isValid: false,
      containsLowercaseLetter: false,
      meetsMinPasswordLength: true,
    });
    const signingUp = createUserWithEmailAndPassword(auth, newEmail(), 'ABCDEF');
    await expect(signingUp).rejects.toMatchObject(refused('password-does-not-meet-requirements'));
    const { user } = await signUp();
    await expect(updatePassword(user, 'short')).rejects.toMatchObject(
      refused('password-does-not-meet-requirements'),
    );
    for (const refusing of [
      createUserWithEmailAndPassword(auth, newEmail(), 'password'),
      createUserWithEmailAndPassword(auth, 'sigrid.undset@example.org', 'Sigrid undset'),
      updatePassword(user, 'password'),
      updatePassword(user, PASSWORD),
    ])
      await expect(refusing).rejects.toMatchObject(refused('password-does-not-meet-requirements'));
  });

  test('deletes an account that holds nothing, and not one that holds money', async () => {
    const email = newEmail();
    const { user } = await signUp(email);
    const params = { userId: user.uid };
    const adjust = (amount: string) =>
      lode.admin.api.get('adjustWallet', {
        params,
        body: { amounts: { PI: amount }, reason: 'a test' },
        headers: keyed(),
      });
    await adjust('5');
    await expect(deleteUser(user)).rejects.toMatchObject({
      ...refused('account-not-empty'),
      message: expect.stringContaining('has money'),
    });
    await user.reload();
    await adjust('-5');
    const idToken = await user.getIdToken();
    await deleteUser(user);
    expect(auth.currentUser).toBeNull();
    expect((await post('/v1/accounts:lookup', { idToken })).message).toBe('TOKEN_EXPIRED');
    await expect(signInWithEmailAndPassword(auth, email, PASSWORD)).rejects.toMatchObject(
      refused('invalid-credential'),
    );
    const { user: next } = await signUp(email);
    expect(next.uid).not.toBe(user.uid);
  });

  testInFolder(
    'deletes an account with what was uploaded and never handed in, also while that comes',
    async () => {
      const { user } = await signUp();
      const api = lode.visitor.as(String((await user.getIdTokenResult()).claims['token']));
      const { fileId } = await api.get('uploadEvidence', { form: formOf(PNG) });
      const params = { fileId };
      expect((await lode.admin.api.call('file', { params })).status).toBe(200);

      const files = pathOf(lode.folder, 'files');
      const { port } = new URL(lode.visitor.address);
      const socket = connect(Number(port), '127.0.0.1');
      const answer = text(socket);
      const pdf = PDF.toString().padEnd(200_000);
      const part = `--x\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n${pdf}`;
      const end = '\r\n--x--\r\n';
      const head = [
        'POST /api/files HTTP/1.1',
        'Host: x',
        `Authorization: Bearer ${api.token ?? ''}`,
        'Content-Type: multipart/form-data; boundary=x',
        `Content-Length: ${Buffer.byteLength(part + end)}`,
        'Connection: close',
      ];
      socket.write(`${head.join('\r\n')}\r\n\r\n${part}`);
      while ((await readdir(pathOf(files, 'unfinished'))).length === 0) await setImmediate();
      await deleteUser(user);
      socket.write(end);
      expect(await answer).toContain('This account is closed.');

      expect((await lode.admin.api.call('file', { params })).status).toBe(404);
      expect(await readdir(files)).not.toContainEqual(expect.stringMatching(/\.json$/));
    },
  );

  test('is told that no puzzle has to be solved', async () => {
    for (const host of ['', '/identitytoolkit.googleapis.com']) {
      const asked = await fetch(
        `${lode.visitor.address}${host}/v2/recaptchaConfig?key=any&clientType=CLIENT_TYPE_WEB`,
      );
      const { recaptchaEnforcementState } = (await asked.json()) as {
        readonly recaptchaEnforcementState: readonly { readonly enforcementState: string }[];
      };
      expect(recaptchaEnforcementState.map(({ enforcementState }) => enforcementState)).toEqual([
        'OFF',
        'OFF',
      ]);
    }
  });

  test('ends a session by one of its tokens', async () => {
    const { user } = await signUp();
    await revokeAccessToken(auth, await user.getIdToken());
    await expect(user.reload()).rejects.toMatchObject(refused('user-token-expired'));
    const { user: again } = await signUp();
    await revokeAccessToken(auth, again.refreshToken);
    await expect(again.getIdToken(true)).rejects.toMatchObject(refused('user-token-expired'));
  });

  describe('is refused', () => {
    test('an e-mail that exists', async () => {
      const email = newEmail();
      await signUp(email);
      await expect(signUp(email)).rejects.toMatchObject(refused('email-already-in-use'));
    });

    test('a wrong password and an unknown e-mail in the same words, and then any try', async () => {
      const email = newEmail();
      await signUp(email);
      const wrong = (address: string) => signInWithEmailAndPassword(auth, address, 'wrong');
      await expect(wrong(newEmail())).rejects.toMatchObject(refused('invalid-credential'));
      for (let n = 0; n < 5; n += 1)
        await expect(wrong(email)).rejects.toMatchObject(refused('invalid-credential'));
      await expect(wrong(email)).rejects.toMatchObject(refused('too-many-requests'));
    });

    test('a person who is suspended, and every open session of theirs', async () => {
      const email = newEmail();
      const { user } = await signUp(email);
      const params = { userId: user.uid };
      await lode.admin.api.get('suspend', { params, body: {}, headers: keyed() });
      await expect(user.reload()).rejects.toMatchObject(refused('user-token-expired'));
      await expect(signInWithEmailAndPassword(auth, email, PASSWORD)).rejects.toMatchObject(
        refused('user-disabled'),
      );
    });

    test('a credential without an account', async () => {
      const store = await openIdentityOf(lode.folder);
      const { credentials } = await createIdentity({ store, isOpen: async () => true });
      const email = newEmail();
      await credentials.activate(await credentials.reserve({ email, password: PASSWORD, role: 'user' }));
      await store.close();
      await expect(signInWithEmailAndPassword(auth, email, PASSWORD)).rejects.toMatchObject(
        refused('user-not-found'),
      );
    });

    test('a new password or a deletion long after signing in', async () => {
      const { user } = await signUp();
      const now = Date.now();
      const clock = jest.spyOn(Date, 'now');
      try {
        await passTime(lode.visitor, RECENT_MS + 1_000, (ms) => clock.mockImplementation(() => now + ms));
        for (const late of [() => updatePassword(user, NEXT), () => deleteUser(user)])
          await expect(late()).rejects.toMatchObject(refused('requires-recent-login'));
      } finally {
        // Back as it went, or the program would not take it for a clock.
        clock.mockImplementation(() => now + RECENT_MS / 2);
        await lode.visitor.call('healthReady');
        clock.mockRestore();
      }
      await until(async () => {
        const { status, json } = await lode.visitor.call('healthReady');
        return status === 200 && (json as Given<'healthReady'>).checks['clock'] === 'accepted';
      });
      await updatePassword(user, NEXT);
    });

    test('a wrong password that is asked for again, in the words of a wrong sign-in', async () => {
      const email = newEmail();
      const { user } = await signUp(email);
      const again = reauthenticateWithCredential(user, EmailAuthProvider.credential(email, 'wrong'));
      await expect(again).rejects.toMatchObject(refused('invalid-credential'));
    });

    test('by its own network, when nobody listens', async () => {
      const nowhere = initializeAuth(initializeApp({ apiKey: 'any' }, `app ${crypto.randomUUID()}`));
      apps.push(nowhere.app);
      const listener = createServer().listen(0);
      await once(listener, 'listening');
      const { port } = listener.address() as AddressInfo;
      await new Promise((closed) => listener.close(closed));
      connectAuthEmulator(nowhere, `http://127.0.0.1:${port}`, { disableWarnings: true });
      await expect(signInWithEmailAndPassword(nowhere, newEmail(), PASSWORD)).rejects.toMatchObject(
        refused('network-request-failed'),
      );
    });

    test('a deletion and a new password by an admin, who does neither this way', async () => {
      const { email, password } = lode.admin;
      const { user } = await signInWithEmailAndPassword(auth, email, password);
      await expect(deleteUser(user)).rejects.toMatchObject(refused('operation-not-allowed'));
      await expect(updatePassword(user, NEXT)).rejects.toMatchObject(refused('operation-not-allowed'));
      await signInWithEmailAndPassword(auth, email, password);
    });

    test('a code of an e-mail that Lode has never sent', async () => {
      const code = refused('invalid-action-code');
      await expect(applyActionCode(auth, 'x')).rejects.toMatchObject(code);
      await expect(checkActionCode(auth, 'x')).rejects.toMatchObject(code);
      await expect(confirmPasswordReset(auth, 'x', NEXT)).rejects.toMatchObject(code);
    });

    test('every other way in, and every other change', async () => {
      await expect(signInAnonymously(auth)).rejects.toMatchObject(refused('operation-not-allowed'));
      const link = `${lode.visitor.address}/?mode=signIn&oobCode=x&apiKey=any`;
      await expect(signInWithEmailLink(auth, newEmail(), link)).rejects.toMatchObject(
        refused('operation-not-allowed'),
      );
      const google = signInWithCredential(auth, GoogleAuthProvider.credential('x'));
      await expect(google).rejects.toMatchObject(refused('operation-not-allowed'));
      const { user } = await signUp();
      await expect(updateEmail(user, newEmail())).rejects.toMatchObject(refused('operation-not-allowed'));
    });
  });

  async function post(path: string, body: object | string) {
    const isForm = typeof body === 'string';
    const response = await fetch(lode.visitor.address + path, {
      method: 'POST',
      headers: { 'Content-Type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' },
      body: isForm ? body : JSON.stringify(body),
    });
    const answer = (await response.json()) as { readonly error?: { readonly message: string } };
    return { status: response.status, answer, message: answer.error?.message };
  }

  test('no answer of it is compressed, as long as it may be, nor has a type to guess at', async () => {
    // As long as an address may be: the token says it twice.
    const email = `${crypto.randomUUID()}@${'long.'.repeat(42)}org`;
    await signUp(email);
    const send = (path: string, body?: object) =>
      fetch(lode.visitor.address + path, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { 'Content-Type': 'application/json', 'Accept-Encoding': 'br, gzip' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const signedIn = await send('/v1/accounts:signInWithPassword', { email, password: PASSWORD });
    const text = await signedIn.text();
    expect([signedIn.status, text.length > 1_024]).toEqual([200, true]);
    const { idToken, refreshToken } = JSON.parse(text) as Readonly<Record<string, string>>;
    const answers = [
      signedIn,
      await send('/v1/accounts:lookup', { idToken }),
      await send('/v1/token', { grant_type: 'refresh_token', refresh_token: refreshToken }),
      await send('/v2/passwordPolicy'),
      await send('/v1/accounts:lookup', {}),
      await send('/v1/accounts:unknown', {}),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 400, 404]);
    for (const { headers } of answers)
      expect([headers.get('content-encoding'), headers.get('x-content-type-options')]).toEqual([
        null,
        'nosniff',
      ]);
  });

  const refusals: readonly (readonly [path: string, body: object | string, message: string])[] = [
    ['/v1/accounts:signInWithPassword', { password: 'x' }, 'MISSING_EMAIL'],
    ['/v1/accounts:signInWithPassword', { email: 'a@example.org' }, 'MISSING_PASSWORD'],
    ['/v1/accounts:signInWithPassword', { email: 'none', password: 'x' }, 'INVALID_EMAIL'],
    ['/v1/accounts:signInWithPassword', { email: 7 }, 'INVALID_ARGUMENT'],
    ['/v1/accounts:signInWithPassword', [], 'INVALID_ARGUMENT'],
    ['/v1/accounts:signUp', {}, 'OPERATION_NOT_ALLOWED'],
    ['/v1/accounts:signInWithIdp', {}, 'OPERATION_NOT_ALLOWED'],
    ['/v1/accounts:signInWithPhoneNumber', {}, 'OPERATION_NOT_ALLOWED'],
    ['/v1/accounts:lookup', {}, 'MISSING_ID_TOKEN'],
    ['/v1/accounts:lookup', { idToken: 'x' }, 'INVALID_ID_TOKEN'],
    ['/v1/accounts:lookup', { idToken: 'a.e30.' }, 'INVALID_ID_TOKEN'],
    ['/v1/accounts:lookup', { idToken: `a.${'x'.repeat(9_000)}.` }, 'INVALID_ID_TOKEN'],
    ['/v1/accounts:delete', { idToken: 'a.%.b.c' }, 'INVALID_ID_TOKEN'],
    ['/v1/token', 'grant_type=password', 'INVALID_GRANT_TYPE'],
    ['/v1/token', 'grant_type=refresh_token', 'MISSING_REFRESH_TOKEN'],
    ['/v1/token', 'grant_type=refresh_token&refresh_token=x', 'TOKEN_EXPIRED'],
  ];
  const cases = refusals.map(([path, body, message], n) => ({ n, path, body, message }));

  test.each(cases)('$path answers with $message (case $n)', async ({ path, body, message }) => {
    const hosts =
      path === '/v1/token' ? ['', '/securetoken.googleapis.com'] : ['', '/identitytoolkit.googleapis.com'];
    for (const host of hosts) {
      const { status, answer } = await post(host + path, body);
      const errors = [{ message, reason: 'invalid', domain: 'global' }];
      expect([status, answer]).toEqual([400, { error: { code: 400, message, errors } }]);
    }
  });

  test('what the token says is believed by nobody: only the secret in it counts', async () => {
    const { user } = await signUp();
    const [header, payload = ''] = (await user.getIdToken()).split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
    const forge = (change: object) =>
      `${header}.${Buffer.from(JSON.stringify({ ...claims, ...change })).toString('base64url')}.`;
    const look = async (idToken: string) => post('/v1/accounts:lookup', { idToken });
    const other = await look(forge({ sub: lode.admin.userId, user_id: lode.admin.userId, role: 'admin' }));
    expect(other.answer).toMatchObject({ users: [{ localId: user.uid }] });
    expect((await look(forge({ token: `la_${'A'.repeat(43)}` }))).message).toBe('TOKEN_EXPIRED');
  });

  test('the token of a session that began elsewhere is nobody’s, and no password is changed by it', async () => {
    const body = newPerson('Ann');
    await lode.visitor.get('register', { body });
    for (const { email, password } of [body, lode.admin]) {
      const { api, cookie } = await signIn(lode.visitor, { email, password });
      const idToken = `a.${Buffer.from(JSON.stringify({ token: api.token })).toString('base64url')}.`;
      const [, refreshToken] = cookie.split('=');
      const tries: readonly (readonly [path: string, body: object])[] = [
        ['/v1/accounts:lookup', { idToken }],
        ['/v1/accounts:update', { idToken, password: NEXT }],
        ['/v1/accounts:delete', { idToken }],
        ['/v2/accounts:revokeToken', { idToken, token: idToken }],
        ['/v1/token', { grant_type: 'refresh_token', refresh_token: refreshToken }],
      ];
      for (const [path, asked] of tries) expect((await post(path, asked)).message).toBe('TOKEN_EXPIRED');
      const { user } = await signInWithEmailAndPassword(auth, email, password);
      const own = await user.getIdToken();
      const revoked = await post('/v2/accounts:revokeToken', { idToken: own, token: refreshToken });
      expect(revoked.status).toBe(200);
      await lode.visitor.get('refresh', { headers: { Cookie: cookie } });
    }
  });

  test('neither new tokens nor a new password make a sign-in younger', async () => {
    const { user } = await signUp();
    const signedInAt = Number((await user.getIdTokenResult()).claims['auth_time']);
    const begun = Date.now();
    const clock = jest.spyOn(Date, 'now');
    try {
      const later = (ms: number) => clock.mockImplementation(() => begun + ms);
      await passTime(lode.visitor, RECENT_MS - 30_000, later);
      await user.getIdToken(true);
      await updatePassword(user, NEXT);
      expect(Number((await user.getIdTokenResult()).claims['auth_time'])).toBe(signedInAt);
      later(RECENT_MS + 1_000);
      await user.getIdToken(true);
      for (const late of [() => updatePassword(user, PASSWORD), () => deleteUser(user)])
        await expect(late()).rejects.toMatchObject(refused('requires-recent-login'));
      const { user: again } = await signInWithEmailAndPassword(auth, user.email ?? '', NEXT);
      await updatePassword(again, PASSWORD);
    } finally {
      await passTime(lode.visitor, RECENT_MS, (ms) =>
        clock.mockImplementation(() => begun + RECENT_MS + 1_000 - ms),
      );
      clock.mockRestore();
    }
    await until(async () => (await lode.visitor.get('healthReady')).checks['clock'] === 'accepted');
  });

  test('what is no JSON is refused in the same shape', async () => {
    const response = await fetch(`${lode.visitor.address}/v1/accounts:signUp`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{',
    });
    expect(await response.json()).toMatchObject({ error: { code: 400, message: 'INVALID_ARGUMENT' } });
  });
});

test('nothing of it is served unless it is asked for', async () => {
  const lode = await startLode();
  const response = await fetch(`${lode.visitor.address}/v1/accounts:lookup`, { method: 'POST' });
  await lode.stop();
  expect(response.status).toBe(404);
});

describe('a page of another origin', () => {
  const allowed = 'https://app.example.org';
  const paths = ['/v1/accounts:signUp', '/identitytoolkit.googleapis.com/v1/accounts:lookup', '/v1/token'];
  let lode: Lode;
  beforeAll(
    async () =>
      void (lode = await startLode({
        identityToolkit: true,
        identityToolkitOrigins: [allowed],
        requestsPerMinute: 60,
      })),
  );
  afterAll(() => lode.stop());

  const ask = (path: string, origin: string, init: RequestInit = {}) =>
    fetch(lode.visitor.address + path, { ...init, headers: { Origin: origin, ...init.headers } });
  const preflight = (path: string, origin: string) =>
    ask(path, origin, {
      method: 'OPTIONS',
      headers: {
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type,x-client-version,x-firebase-gmpid',
      },
    });
  const allowedOf = ({ headers }: Response) => headers.get('access-control-allow-origin');

  test('that is named may ask, and is let through', async () => {
    for (const path of paths) {
      const asked = await preflight(path, allowed);
      expect([asked.status, allowedOf(asked), asked.headers.get('vary')]).toEqual([204, allowed, 'Origin']);
      expect(asked.headers.get('access-control-allow-methods')).toContain('POST');
      const headers = asked.headers.get('access-control-allow-headers')?.toLowerCase().split(', ');
      expect(headers).toEqual(
        expect.arrayContaining(['content-type', 'x-client-version', 'x-firebase-gmpid']),
      );
      expect(asked.headers.get('access-control-allow-credentials')).toBeNull();
    }
    const policyAsked = await ask('/v2/passwordPolicy', allowed);
    expect([policyAsked.status, allowedOf(policyAsked)]).toEqual([200, allowed]);
  });

  test('that is not named is not let through', async () => {
    for (const origin of ['https://evil.example.org', 'null', `${allowed}.evil.org`]) {
      const asked = await preflight('/v1/accounts:signUp', origin);
      expect([allowedOf(asked), asked.headers.get('vary')]).toEqual([null, 'Origin']);
    }
  });

  test('gets at nothing else of Lode', async () => {
    for (const path of ['/api/auth/sign-in', '/api/me']) {
      const asked = await preflight(path, allowed);
      expect([asked.status, allowedOf(asked)]).toEqual([204, null]);
      expect(allowedOf(await ask(path, allowed))).toBeNull();
    }
    // Pages are there or not, as they are built.
    for (const asked of [await preflight('/', allowed), await ask('/', allowed)])
      expect(allowedOf(asked)).toBeNull();
  });

  test('can read that an address is not served, and with which methods one is', async () => {
    const nowhere = ['/v1/accounts:unknown', '/v2/nothing', '/securetoken.googleapis.com/v1/x/y'];
    for (const path of nowhere) {
      const asked = await preflight(path, allowed);
      expect([asked.status, allowedOf(asked)]).toEqual([204, allowed]);
      for (const method of ['GET', 'POST', 'DELETE']) {
        const refused = await ask(path, allowed, { method });
        expect([refused.status, allowedOf(refused)]).toEqual([404, allowed]);
        expect(await refused.json()).toMatchObject({
          error: { code: 404, message: expect.stringMatching(/^OPERATION_NOT_ALLOWED : /) },
        });
      }
    }
    const wrong = await ask('/v1/accounts:lookup', allowed);
    expect([wrong.status, allowedOf(wrong), wrong.headers.get('allow')]).toEqual([
      405,
      allowed,
      'OPTIONS, POST',
    ]);
    expect(await wrong.json()).toMatchObject({ error: { code: 405, message: 'METHOD_NOT_ALLOWED' } });
  });

  test('may ask whether it may ask as often as it likes', async () => {
    for (let n = 0; n < 100; n += 1) expect((await preflight('/v1/token', allowed)).status).toBe(204);
    expect((await preflight('/v1/token', allowed)).headers.get('ratelimit')).toBeNull();
  });

  test('can read what it is refused with, also when it asks too often', async () => {
    let refused = await ask('/v1/accounts:lookup', allowed, { method: 'POST' });
    expect([refused.status, allowedOf(refused)]).toEqual([400, allowed]);
    let message = '';
    while (message !== 'TOO_MANY_ATTEMPTS_TRY_LATER') {
      refused = await ask('/v1/accounts:lookup', allowed, { method: 'POST' });
      ({ message } = ((await refused.json()) as { readonly error: { readonly message: string } }).error);
    }
    expect(allowedOf(refused)).toBe(allowed);
  });
});

test('no page of another origin is let through unless its origin is named', async () => {
  const lode = await startLode({ identityToolkit: true });
  const headers = { Origin: 'https://app.example.org', 'Access-Control-Request-Method': 'POST' };
  const answers = [
    await fetch(`${lode.visitor.address}/v1/accounts:signUp`, { method: 'OPTIONS', headers }),
    await fetch(`${lode.visitor.address}/v2/passwordPolicy`, { headers }),
  ];
  await lode.stop();
  expect(answers.map(({ status }) => status)).toEqual([204, 200]);
  for (const answer of answers) expect(answer.headers.get('access-control-allow-origin')).toBeNull();
});
