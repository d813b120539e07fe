import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { STEP_UP_MS } from '#application';
import { routes, type RouteName } from '#contracts';
import { ADMIN_SESSION_MS } from '#identity';
import { createAuthenticator } from '#identity/testing';
import {
  enrol,
  join,
  keyed,
  notOn,
  passTime,
  PASSWORD,
  problemIn,
  signIn,
  startLode,
  totpOf,
  TIME_OF_DAY_ALONE,
  type Ask,
  type Client,
  type Lode,
  type Person,
} from '../../lode/testing/index.js';
import { accessTable } from '../testing/access-table.js';

/** Browsers give passkeys to it. */
const ORIGIN = 'https://lode.example';
const HOUR_MS = 3_600_000;
const names = Object.keys(routes) as RouteName[];
const guarded = names
  .filter((name) => (accessTable[name][2] ?? 'never') !== 'never')
  .map((name) => ({ name }));

let lode: Lode;
let ann: Person;
let began: number;
beforeAll(async () => {
  jest.useFakeTimers(TIME_OF_DAY_ALONE);
  lode = await startLode({ publicUrl: ORIGIN });
  ann = await join(lode.visitor, 'Ann');
});
afterAll(async () => {
  jest.useRealTimers();
  await lode.stop();
});

const pass = async (ms: number, visitor = lode.visitor) => {
  began = Date.now();
  await passTime(visitor, ms, (ahead) => jest.setSystemTime(began + ahead));
};
/** An admin’s own session, which proves nothing by itself. */
const bare = ({ api }: Person): Client => lode.visitor.as(api.token);
/** Asks for something of Ann's: what is refused before the body is looked at needs none. */
const askOf = (name: RouteName): Ask => ({
  params: { userId: ann.userId, requestId: 'A'.repeat(34) },
  ...(routes[name].method === 'GET' ? { query: { format: 'csv' } } : { body: {}, headers: keyed() }),
});
const codeOf = async (client: Client, name: RouteName, ask = askOf(name)) => {
  const answer = await client.call(name, ask);
  return answer.status < 400 ? answer.status : problemIn(answer).code;
};
const stepUp = (client: Client, proof: object) => codeOf(client, 'stepUp', { body: { proof } });
const price = () => ({ body: { prices: { PI: '1' }, reason: 'a test' }, headers: keyed() });

describe('what moves money, exports or guards the platform', () => {
  test('is more than a few routes', () => expect(guarded.length).toBeGreaterThan(20));

  test.each(guarded)('$name asks an admin for a proof of the last five minutes', async ({ name }) => {
    const admin = bare(await signIn(lode.visitor, lode.admin));
    await pass(STEP_UP_MS);
    expect(await codeOf(admin, name)).not.toBe('step_up_required');
    await pass(1_000);
    expect(await codeOf(admin, name)).toBe('step_up_required');
    expect(await stepUp(admin, { password: PASSWORD })).toBe(200);
    expect(await codeOf(admin, name)).not.toBe('step_up_required');
  });

  test('is refused before anything is done, and done when it is asked again with the same key', async () => {
    const admin = bare(await signIn(lode.visitor, lode.admin));
    await pass(STEP_UP_MS + 1_000);
    const ask = price();
    expect(await codeOf(admin, 'setPrices', ask)).toBe('step_up_required');
    expect(problemIn(await admin.call('setPrices', ask))).toMatchObject({ status: 403 });
    expect(await stepUp(admin, { password: PASSWORD })).toBe(200);
    const done = await admin.call('setPrices', ask);
    expect([done.status, done.headers.get('idempotency-replayed')]).toEqual([200, null]);
  });

  test('is read page by page without, and a customer takes their own away without', async () => {
    const [admin, customer] = [bare(await signIn(lode.visitor, lode.admin)), await signIn(lode.visitor, ann)];
    await pass(STEP_UP_MS + 1_000);
    expect(await codeOf(admin, 'people', {})).toBe(200);
    expect(await codeOf(customer.api, 'ownTransactions')).toBe(200);
  });
});

describe('a proof', () => {
  /** An admin whose proof is too old. */
  async function stale(person: Person): Promise<Client> {
    await pass(STEP_UP_MS + 1_000);
    return bare(person);
  }
  const joinAdmin = async (firstname: string) => {
    const admin = await signIn(lode.visitor, lode.admin);
    return join(lode.visitor, firstname, (await admin.api.get('inviteAdmin')).token);
  };

  test('is of the session that gave it, and of no other', async () => {
    const [one, two] = [await signIn(lode.visitor, lode.admin), await signIn(lode.visitor, lode.admin)];
    const [first, second] = [await stale(one), bare(two)];
    expect(await stepUp(first, { password: PASSWORD })).toBe(200);
    expect(await codeOf(first, 'setPrices', price())).toBe(200);
    expect(await codeOf(second, 'setPrices', price())).toBe('step_up_required');
  });

  test('says until when it is good', async () => {
    const admin = await stale(await signIn(lode.visitor, lode.admin));
    const { provedUntil } = await admin.get('stepUp', { body: { proof: { password: PASSWORD } } });
    expect(Date.parse(provedUntil)).toBe(Date.now() + STEP_UP_MS);
  });

  test('is not nothing, and not a wrong password, which is counted', async () => {
    const ivy = await stale(await joinAdmin('Ivy'));
    expect(await stepUp(ivy, {})).toBe('proof_missing');
    for (const code of [...Array<string>(5).fill('invalid_credentials'), 'too_many_attempts'])
      expect(await stepUp(ivy, { password: 'wrong' })).toBe(code);
    expect(await codeOf(ivy, 'setPrices', price())).toBe('step_up_required');
  });

  test('is a code where there is an app, and then never the password alone', async () => {
    const { api, secret, ...person } = await enrol(await joinAdmin('Mia'));
    const mia = await stale({ ...person, api });
    expect(await stepUp(mia, { password: PASSWORD })).toBe('proof_missing');
    expect(await stepUp(mia, { code: totpOf(secret) })).toBe(200);
    expect(await codeOf(mia, 'setPrices', price())).toBe(200);
    expect(await stepUp(mia, { code: totpOf(secret) })).toBe('second_factor_wrong');
  });

  test('is what a passkey signed for it, and not what it signed for something else', async () => {
    const gia = await joinAdmin('Gia');
    const device = createAuthenticator(ORIGIN);
    const options = await gia.api.get('beginPasskey', { body: { password: PASSWORD } });
    await gia.api.get('addPasskey', { body: { name: 'Telephone', passkey: device.make(options) } });
    const api = await stale(gia);
    const signed = async (purpose: string) =>
      device.sign(await api.get('askPasskey', { body: { for: purpose } }));
    expect(await stepUp(api, { password: PASSWORD })).toBe('proof_missing');
    expect(await stepUp(api, { passkey: await signed('security') })).toBe('challenge_invalid');
    expect(await stepUp(api, { passkey: await signed('step-up') })).toBe(200);
    expect(await codeOf(api, 'setPrices', price())).toBe(200);
  });
});

test('a session of an admin ends hours after the sign-in, however busy it is, and a customer’s goes on', async () => {
  const [admin, customer] = [await signIn(lode.visitor, lode.admin), await signIn(lode.visitor, ann)];
  await pass(ADMIN_SESSION_MS - 1_000);
  const refresh = (cookie: string) => lode.visitor.call('refresh', { headers: { Cookie: cookie } });
  const going = await refresh(admin.cookie);
  expect(going.status).toBe(200);
  await pass(1_000);
  const cookie = going.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  expect(problemIn(await refresh(cookie))).toMatchObject({ status: 401, code: 'token_expired' });
  expect((await refresh(customer.cookie)).status).toBe(200);
});

// There the second program of a test runs in another process, whose clock nobody sets.
const withOneClock = notOn(['eventstore'], 'how long the session of an admin is') ? test.skip : test;

withOneClock('a session of an admin ends after as many hours as it is set to', async () => {
  const brief = await startLode({ adminSessionMs: HOUR_MS });
  const refresh = async (cookie: string) => brief.visitor.call('refresh', { headers: { Cookie: cookie } });
  const [one, two] = [await signIn(brief.visitor, brief.admin), await signIn(brief.visitor, brief.admin)];
  await pass(HOUR_MS - 1_000, brief.visitor);
  expect((await refresh(one.cookie)).status).toBe(200);
  await pass(1_000, brief.visitor);
  expect(problemIn(await refresh(two.cookie))).toMatchObject({ status: 401, code: 'token_expired' });
  await brief.stop();
});
