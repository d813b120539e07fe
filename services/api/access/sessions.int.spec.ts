import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { routes, type RouteName } from '#contracts';
import {
  cookieIn,
  join,
  PASSWORD,
  problemIn,
  signIn,
  startLode,
  TIME_OF_DAY_ALONE,
  type Answer,
  type Lode,
  type Person,
} from '../../lode/testing/index.js';

let lode: Lode;
let ann: Person;

beforeAll(async () => {
  // What comes back by time, such as room for guesses, stays away however long a test takes.
  jest.useFakeTimers(TIME_OF_DAY_ALONE);
  lode = await startLode();
  ann = await join(lode.visitor, 'Ann');
});
afterAll(async () => {
  jest.useRealTimers();
  await lode.stop();
});

const refresh = (cookie: string) => lode.visitor.call('refresh', { headers: { Cookie: cookie } });
const tokenIn = (answer: Answer) => (answer.json as { readonly accessToken: string }).accessToken;
/** The account itself may be shown a moment later. */
const isSignedIn = async (token: string) => (await lode.visitor.as(token).call('me')).status !== 401;

/** The attributes of the only cookie that an answer sets. */
function cookieOf({ headers }: Answer): Readonly<Record<string, string>> {
  const [cookie = '', ...others] = headers.getSetCookie();
  expect(others).toEqual([]);
  return Object.fromEntries(
    cookie.split('; ').map((part): [string, string] => {
      const [name = '', ...value] = part.split('=');
      return [name.toLowerCase(), value.join('=')];
    }),
  );
}

describe('the refresh cookie', () => {
  const attributes = { httponly: '', samesite: 'Strict', path: '/api/auth' };

  test('is for no script, no other site and no other path, and is not in the body', async () => {
    const answer = await lode.visitor.call('signIn', { body: { email: ann.email, password: PASSWORD } });
    const { lode_refresh: secret, expires, ...rest } = cookieOf(answer);
    expect(rest).toEqual(attributes);
    expect(Date.parse(expires ?? '')).toBeGreaterThan(Date.now());
    expect(answer.text).not.toContain(secret);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('is rotated: each refresh gives another one and another access token', async () => {
    const { cookie, api } = await signIn(lode.visitor, ann);
    const answer = await refresh(cookie);
    expect(answer).toMatchObject({
      status: 200,
      json: { user: { userId: ann.userId, role: 'user', firstname: 'Ann' } },
    });
    expect(cookieIn(answer.headers)).not.toBe(cookie);
    expect(tokenIn(answer)).not.toBe(api.token);
    expect(await isSignedIn(tokenIn(answer))).toBe(true);
  });

  test('that comes back after it was used ends the session for whoever has it', async () => {
    const { cookie, api } = await signIn(lode.visitor, ann);
    const other = await signIn(lode.visitor, ann);
    const second = await refresh(cookie);
    const third = await refresh(cookieIn(second.headers));
    const stolen = await refresh(cookie);
    expect(problemIn(stolen)).toMatchObject({ status: 401, code: 'token_invalid' });
    expect(cookieOf(stolen)).toMatchObject({
      ...attributes,
      lode_refresh: '',
      expires: 'Thu, 01 Jan 1970 00:00:00 GMT',
    });
    for (const token of [api.token ?? '', tokenIn(second), tokenIn(third)])
      expect(await isSignedIn(token)).toBe(false);
    expect(problemIn(await refresh(cookieIn(third.headers)))).toMatchObject({ code: 'token_invalid' });
    expect(await isSignedIn(other.api.token ?? '')).toBe(true);
  });

  test.each([
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['another part of the site', { 'Sec-Fetch-Site': 'same-site' }],
    ['another site, by a browser that says where it is alone', { Origin: 'https://elsewhere.example' }],
    ['another port', { Origin: 'http://127.0.0.1:1' }],
    ['a page of no site', { Origin: 'null' }],
  ])('is not taken from a page of %s, and stays good', async (_, headers: Record<string, string>) => {
    const { cookie } = await signIn(lode.visitor, ann);
    for (const route of ['refresh', 'signOut'] as const) {
      const refused = await lode.visitor.call(route, { headers: { Cookie: cookie, ...headers } });
      expect(problemIn(refused)).toMatchObject({ status: 403, code: 'not_permitted' });
      expect(refused.headers.getSetCookie()).toEqual([]);
    }
    expect((await refresh(cookie)).status).toBe(200);
  });

  test.each([
    ['its own pages', { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://elsewhere.example' }],
    ['an address that was typed', { 'Sec-Fetch-Site': 'none' }],
    ['its own pages, by a browser that says where they are alone', { Origin: 'here' }],
  ])('is taken from %s', async (_, given: Record<string, string>) => {
    const { cookie } = await signIn(lode.visitor, ann);
    const headers = given['Origin'] === 'here' ? { Origin: lode.visitor.address } : given;
    expect((await lode.visitor.call('refresh', { headers: { Cookie: cookie, ...headers } })).status).toBe(
      200,
    );
  });

  test('serves two tabs that refresh at once', async () => {
    const { cookie } = await signIn(lode.visitor, ann);
    const answers = await Promise.all([refresh(cookie), refresh(cookie)]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200]);
    for (const answer of answers) expect(await isSignedIn(tokenIn(answer))).toBe(true);
  });

  test.each([
    ['no cookie', '', 'token_missing'],
    ['an empty cookie', 'lode_refresh=', 'token_missing'],
    ['another cookie', 'session=1', 'token_missing'],
    ['a cookie of the right form', `lode_refresh=lr_${'A'.repeat(43)}`, 'token_invalid'],
    ['nonsense', 'lode_refresh=%00%zz', 'token_invalid'],
  ])('with %s is refused', async (_, cookie, code) => {
    expect(problemIn(await refresh(cookie))).toMatchObject({ status: 401, code });
  });

  test('gives nothing where an access token is asked for, nor the other way round', async () => {
    const { cookie, api } = await signIn(lode.visitor, ann);
    const secret = cookie.split('=')[1] ?? '';
    expect(problemIn(await lode.visitor.as(secret).call('me'))).toMatchObject({
      status: 401,
      code: 'token_invalid',
    });
    expect(problemIn(await lode.visitor.call('me', { headers: { Cookie: cookie } }))).toMatchObject({
      code: 'token_missing',
    });
    expect(problemIn(await refresh(`lode_refresh=${api.token ?? ''}`))).toMatchObject({
      code: 'token_invalid',
    });
  });
});

describe('over https alone', () => {
  const bound =
    /^__Host-lode_refresh=(lr_[\w-]+); Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$/;
  const gone =
    /^lode_refresh=; Max-Age=0; Path=\/api\/auth; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Strict$/;
  let secured: Lode;
  let bob: Person;
  beforeAll(async () => {
    secured = await startLode({ secure: true });
    bob = await join(secured.visitor, 'Bob');
  });
  afterAll(() => secured.stop());

  test('the cookie is one that browsers take from this very host alone', async () => {
    const { visitor } = secured;
    const answer = await visitor.call('signIn', { body: { email: bob.email, password: PASSWORD } });
    const [secret] = answer.headers.getSetCookie();
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(bound),
      expect.stringMatching(gone),
    ]);
    const [, token = ''] = bound.exec(secret ?? '') ?? [];
    const headers = { Cookie: `__Host-lode_refresh=${token}` };
    expect((await visitor.call('refresh', { headers })).status).toBe(200);
    const out = await visitor.call('signOut', { headers });
    expect(out.headers.getSetCookie().map((cookie) => cookie.split(';')[0])).toEqual([
      'lode_refresh=',
      '__Host-lode_refresh=',
    ]);
  });

  test('the cookie of before is taken once more, and exchanged', async () => {
    const { visitor } = secured;
    const signedIn = await visitor.call('signIn', { body: { email: bob.email, password: PASSWORD } });
    const [, token = ''] = bound.exec(signedIn.headers.getSetCookie()[0] ?? '') ?? [];
    const answer = await visitor.call('refresh', { headers: { Cookie: `lode_refresh=${token}` } });
    expect(answer.status).toBe(200);
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(bound),
      expect.stringMatching(gone),
    ]);
  });
});

describe('signing out', () => {
  test('ends the session at once, takes the cookie away, and may be repeated', async () => {
    const { cookie, api } = await signIn(lode.visitor, ann);
    const stays = await signIn(lode.visitor, ann);
    for (const _ of ['once', 'twice']) {
      const answer = await lode.visitor.call('signOut', { headers: { Cookie: cookie } });
      expect(answer.status).toBe(200);
      expect(cookieOf(answer)).toMatchObject({ lode_refresh: '', expires: 'Thu, 01 Jan 1970 00:00:00 GMT' });
      expect(problemIn(await api.call('me'))).toMatchObject({ status: 401, code: 'token_invalid' });
      expect(problemIn(await refresh(cookie))).toMatchObject({ status: 401, code: 'token_invalid' });
    }
    expect(await isSignedIn(stays.api.token ?? '')).toBe(true);
  });

  test('ends the session of the access token as well', async () => {
    const { cookie, api } = await signIn(lode.visitor, ann);
    const other = await signIn(lode.visitor, ann);
    expect((await api.call('signOut', { headers: { Cookie: other.cookie } })).status).toBe(200);
    for (const one of [api, other.api])
      expect(problemIn(await one.call('me'))).toMatchObject({ status: 401, code: 'token_invalid' });
    expect(problemIn(await refresh(cookie))).toMatchObject({ status: 401, code: 'token_invalid' });
  });

  test('with no session, or one that is over, is fine', async () => {
    const { api } = await signIn(lode.visitor, ann);
    for (const client of [lode.visitor, api, api, lode.visitor.as('nonsense')])
      expect((await client.call('signOut')).status).toBe(200);
  });
});

describe('signing in', () => {
  test('says so, and who it is', async () => {
    const answer = await lode.visitor.get('signIn', {
      body: { email: ` ${ann.email.toUpperCase()} `, password: PASSWORD },
    });
    expect(answer).toMatchObject({
      message: 'Login successful',
      user: { userId: ann.userId, role: 'user', firstname: 'Ann' },
    });
  });

  test.each([
    {},
    { email: '' },
    { email: 'ann@example.org' },
    { password: 'x' },
    { email: ' ', password: 'x' },
    { email: 1, password: 2 },
  ])('with %j says what is missing', async (body) => {
    expect(problemIn(await lode.visitor.call('signIn', { body }))).toMatchObject({
      status: 400,
      code: 'validation_failed',
      detail: 'Email and password are required',
    });
  });

  test('says the same of a wrong password as of nobody', async () => {
    const wrong = await lode.visitor.call('signIn', { body: { email: ann.email, password: 'wrong' } });
    const nobody = await lode.visitor.call('signIn', {
      body: { email: `${randomUUID()}@example.org`, password: 'wrong' },
    });
    expect(problemIn(wrong)).toMatchObject({ status: 401, code: 'invalid_credentials' });
    expect(problemIn(wrong)).toEqual(problemIn(nobody));
    expect([wrong, nobody].flatMap(({ headers }) => headers.getSetCookie())).toEqual([]);
  });

  test('after too many guesses is refused for a while, also with the right password, and for this account only', async () => {
    const [bob, carl] = [await join(lode.visitor, 'Bob'), await join(lode.visitor, 'Carl')];
    const guess = (password: string) => lode.visitor.call('signIn', { body: { email: bob.email, password } });
    for (let n = 0; n < 5; n += 1)
      expect(problemIn(await guess(`guess ${n}`))).toMatchObject({ status: 401 });
    for (const password of ['guess again', PASSWORD]) {
      const answer = await guess(password);
      expect(problemIn(answer)).toMatchObject({ status: 429, code: 'too_many_attempts' });
      const wait = Number(answer.headers.get('retry-after'));
      expect(wait).toBe(60);
    }
    expect(await isSignedIn(bob.api.token ?? '')).toBe(true);
    expect((await signIn(lode.visitor, carl)).userId).toBe(carl.userId);
  });

  test('many times at once counts every guess', async () => {
    const dora = await join(lode.visitor, 'Dora');
    const body = { email: dora.email, password: 'guess' };
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => lode.visitor.call('signIn', { body })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(5).fill(401),
      ...Array<number>(7).fill(429),
    ]);
  });
});

describe('registering', () => {
  test('says so and does not sign in', async () => {
    const email = `${randomUUID()}@example.org`;
    const body = {
      firstname: 'Eve',
      lastname: 'Miller',
      email,
      phone: '1',
      password: 'a secret of hers',
      confirmPassword: 'a secret of hers',
    };
    const answer = await lode.visitor.call('register', { body });
    expect(answer.json).toMatchObject({
      role: 'user',
      message: 'Registration successful. Redirecting to login...',
    });
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  test('eight times at once with one e-mail makes one person', async () => {
    const body = {
      firstname: 'Eve',
      lastname: 'Miller',
      email: `${randomUUID()}@example.org`,
      phone: '1',
      password: 'a secret of hers',
    };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => lode.visitor.call('register', { body })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(409)]);
    expect((await signIn(lode.visitor, body)).email).toBe(body.email);
  });

  test('with one invitation eight times at once makes one admin', async () => {
    const { token } = await lode.admin.api.get('inviteAdmin');
    const body = () => ({
      firstname: 'Flo',
      lastname: 'Miller',
      email: `${randomUUID()}@example.org`,
      phone: '1',
      password: 'a secret of hers',
      invitation: token,
    });
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => lode.visitor.call('register', { body: body() })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(403)]);
    expect(answers.find(({ status }) => status === 201)?.json).toMatchObject({ role: 'admin' });
    const again = await lode.visitor.call('register', { body: body() });
    expect(problemIn(again)).toMatchObject({ status: 403, code: 'invitation_invalid' });
  });
});

test('an address that asks too often is told to wait', async () => {
  const busy = await startLode({ requestsPerMinute: 10 });
  const answers = await Promise.all(Array.from({ length: 20 }, () => busy.visitor.call('prices')));
  const refused = answers.filter(({ status }) => status !== 200);
  // The admin has registered and signed in.
  expect(refused).toHaveLength(12);
  for (const answer of refused) {
    expect(problemIn(answer)).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  await busy.stop();
});

test('health and metrics are answered when an address may ask for nothing else, and take nothing from it', async () => {
  const busy = await startLode({ requestsPerMinute: 10 });
  const statusOf = async (name: RouteName) => (await busy.visitor.call(name)).status;
  const watch = async () => {
    for (const name of ['healthLive', 'healthReady', 'metrics'] as const) {
      expect([name, await statusOf(name)]).toEqual([name, 200]);
      const { status } = await fetch(busy.visitor.address + routes[name].path, { method: 'HEAD' });
      expect([name, status]).toEqual([name, 200]);
    }
  };
  // The read models of a new folder are being built at first.
  while ((await statusOf('healthReady')) === 503) await setImmediate();
  for (let n = 0; n < 3; n += 1) await watch();
  const statuses: number[] = [];
  for (let n = 0; n < 11; n += 1) statuses.push(await statusOf('prices'));
  expect([statuses.at(0), statuses.at(-1)]).toEqual([200, 429]);
  await watch();
  expect(await statusOf('prices')).toBe(429);
  await busy.stop();
});

test('a flood of questions for health is refused, for each network by itself, and a probe each second is not', async () => {
  const lode = await startLode();
  const ask = async (network: string) => {
    const from = { 'X-Forwarded-For': network };
    const answer = await fetch(lode.visitor.address + routes.healthLive.path, { headers: from });
    await answer.text();
    return answer.status;
  };
  const statuses: number[] = [];
  for (let n = 0; n < 610; n += 1) statuses.push(await ask('203.0.113.7'));
  expect(statuses.indexOf(429)).toBe(600);
  // This machine is not counted, and what was refused took nothing from anything else.
  expect((await lode.visitor.call('healthLive')).status).toBe(200);
  expect((await lode.visitor.call('prices')).status).toBe(200);
  await lode.stop();
});
