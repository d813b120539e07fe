import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { routes, type Route, type RouteName } from '#contracts';
import { createAuthenticator } from '#identity/testing';
import {
  challengeFor,
  enrol,
  follow,
  join,
  keyed,
  PASSWORD,
  problemIn,
  signIn,
  startLode,
  totpOf,
  type Answer,
  type Client,
  type Enrolled,
  type Lode,
  type Person,
} from '../../lode/testing/index.js';

/** Browsers give passkeys to it. */
const ORIGIN = 'https://lode.example';

let lode: Lode;
/** Has a second factor, and says whether admins need one. */
let ada: Enrolled;
/** An admin who has none. */
let ivy: Person;
let ann: Person;

beforeAll(async () => {
  lode = await startLode({ identityToolkit: true, publicUrl: ORIGIN });
  [ivy, ann] = [await joinAdmin('Ivy', lode.admin), await join(lode.visitor, 'Ann')];
});
afterAll(() => lode.stop());

async function joinAdmin(firstname: string, by: Person): Promise<Person> {
  return join(lode.visitor, firstname, (await by.api.get('inviteAdmin')).token);
}

const say = (by: Pick<Person, 'api'>, needsSecondFactor: boolean, more: object = {}) =>
  by.api.call('setAdminAccess', { body: { needsSecondFactor, ...more }, headers: keyed() });
/** What the log has of such types. */
const idsOf = async ({ api }: Pick<Person, 'api'>, ...types: readonly string[]) => {
  const pages = types.map((type) => api.get('events', { query: { type, limit: '100' } }));
  return (await Promise.all(pages)).flatMap(({ items }) => items.map(({ id }) => id));
};
const refusalIn = (answer: Answer) => {
  const { status, code } = problemIn(answer);
  return [status, code];
};
const DUE = [403, 'second_factor_required'];
const stateOf = async ({ api }: Pick<Person, 'api'>) => {
  const { isOn, isDue } = await api.get('secondFactor');
  return { isOn, isDue };
};

describe('whether admins need a second factor', () => {
  test('they do not at first, and no admin without one can say that they do', async () => {
    expect((await lode.admin.api.get('settings')).adminAccess).toEqual({ needsSecondFactor: false });
    expect(refusalIn(await say(lode.admin, true))).toEqual([409, 'second_factor_missing']);
    expect(refusalIn(await say(ann, true))).toEqual([403, 'not_permitted']);
    expect(refusalIn(await say({ api: lode.visitor }, true))).toEqual([401, 'token_missing']);
    expect((await say(lode.admin, false)).status).toBe(200);
    expect((await lode.admin.api.get('settingsHistory')).items).toEqual([]);
    expect(await stateOf(lode.admin)).toEqual({ isOn: false, isDue: false });
  });

  test('is said by an admin who has one, is noted once, and is in the history with who and why', async () => {
    ada = await enrol(lode.admin);
    const ask = { body: { needsSecondFactor: true, reason: 'As agreed.' }, headers: keyed() };
    const said = await ada.api.call('setAdminAccess', ask);
    expect([said.status, said.json]).toEqual([
      200,
      expect.objectContaining({ message: 'Admins need a second factor from now on.' }),
    ]);
    const again = await ada.api.call('setAdminAccess', ask);
    expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([said.text, 'true']);
    expect((await say(ada, true)).status).toBe(200);

    const { position } = said.json as { readonly position: string };
    const view = await ada.api.get('settings', { headers: { 'Lode-Position': position } });
    expect(view.adminAccess).toEqual({ needsSecondFactor: true });
    expect(view.lastChanges['admin-access']).toMatchObject({ by: 'Ada Miller', reason: 'As agreed.' });
    expect((await ada.api.get('settingsHistory')).items).toEqual([
      expect.objectContaining({
        type: 'AdminAccessSet',
        actor: { id: ada.userId, role: 'admin', name: 'Ada Miller' },
        reason: 'As agreed.',
        data: { needsSecondFactor: true },
      }),
    ]);
  });
});

describe('an admin who has none while admins need one', () => {
  const names = Object.keys(routes) as RouteName[];
  const isOpen = (name: RouteName) => (routes[name] as Route).beforeSecondFactor === true;

  test('may call these routes beside those of visitors', () => {
    expect(names.filter(isOpen).toSorted()).toEqual([
      'addPasskey',
      'beginPasskey',
      'beginSecondFactor',
      'confirmSecondFactor',
      'secondFactor',
      'signOutEverywhere',
    ]);
  });

  const closed = names.filter((name) => routes[name].access !== 'visitor' && !isOpen(name));
  test.each(closed)('is refused by %s, with an access token of before', async (name) => {
    const answer = await ivy.api.call(name, { params: { userId: ivy.userId } });
    expect(refusalIn(answer)).toEqual(routes[name].access === 'user' ? [403, 'not_permitted'] : DUE);
  });

  test.each(['metrics', 'healthReady'] as const)('is shown by %s no more than a visitor is', async (name) => {
    const headers = { 'X-Forwarded-For': '198.51.100.7' };
    expect((await ada.api.call(name, { headers })).status).toBe(200);
    const [mine, visitors] = [
      await ivy.api.call(name, { headers }),
      await lode.visitor.call(name, { headers }),
    ];
    if (name === 'metrics') expect(refusalIn(mine)).toEqual(DUE);
    else expect(mine.json).toEqual(visitors.json);
  });

  test('changes nothing by that, and is noted with nothing', async () => {
    const written = () => idsOf(ada, 'AdminAccessSet', 'PersonRead', 'ListExported');
    const before = await written();
    expect(refusalIn(await say(ivy, false))).toEqual(DUE);
    expect(refusalIn(await ivy.api.call('account', { params: { userId: ann.userId } }))).toEqual(DUE);
    expect(refusalIn(await ivy.api.call('people', { query: { format: 'csv' } }))).toEqual(DUE);
    expect(await written()).toEqual(before);
  });

  test('signs in and renews the session, and can do nothing but set one up; then everything', async () => {
    const back = await signIn(lode.visitor, ivy);
    const renewed = await lode.visitor.get('refresh', { headers: { Cookie: back.cookie } });
    const now: Person = { ...back, api: lode.visitor.as(renewed.accessToken) };
    expect(refusalIn(await now.api.call('people'))).toEqual(DUE);
    expect(await stateOf(now)).toEqual({ isOn: false, isDue: true });
    // Begun and not confirmed is none yet.
    await now.api.get('beginSecondFactor', { body: { password: PASSWORD } });
    expect(refusalIn(await now.api.call('people'))).toEqual(DUE);
    await enrol(now);
    expect(await stateOf(now)).toEqual({ isOn: true, isDue: false });
    expect((await now.api.call('people')).status).toBe(200);
    expect(refusalIn(await ivy.api.call('people'))).toEqual([401, 'token_invalid']);
    expect(await challengeFor(lode.visitor, ivy)).toEqual(expect.any(String));
  });

  test('who has just come by an invitation sets one up first, too, or signs out everywhere', async () => {
    const zoe = await joinAdmin('Zoe', ada);
    expect(refusalIn(await zoe.api.call('people'))).toEqual(DUE);
    expect((await zoe.api.call('signOutEverywhere', { body: {} })).status).toBe(200);
    expect(refusalIn(await zoe.api.call('secondFactor'))).toEqual([401, 'token_invalid']);
    const back = await enrol(await signIn(lode.visitor, zoe));
    expect((await back.api.call('people')).status).toBe(200);
  });

  test('a passkey alone is one, too', async () => {
    const pat = await joinAdmin('Pat', ada);
    const options = await pat.api.get('beginPasskey', { body: { password: PASSWORD } });
    expect(refusalIn(await pat.api.call('people'))).toEqual(DUE);
    const passkey = createAuthenticator(ORIGIN).make(options);
    await pat.api.get('addPasskey', { body: { name: 'Telephone', passkey } });
    expect(await stateOf(pat)).toEqual({ isOn: true, isDue: false });
    expect((await pat.api.call('people')).status).toBe(200);
  });

  test('who takes their own off is back at its set-up, and nobody is locked out', async () => {
    const one = await enrol(await joinAdmin('Tom', ada));
    const [code = ''] = one.recoveryCodes;
    await one.api.get('removeSecondFactor', { body: { password: PASSWORD, code } });
    expect(await stateOf(one)).toEqual({ isOn: false, isDue: true });
    expect(refusalIn(await one.api.call('people'))).toEqual(DUE);
    expect(refusalIn(await say(one, false))).toEqual(DUE);
    await enrol(one);
    expect((await one.api.call('people')).status).toBe(200);
  });

  test('is not let in at the identity door', async () => {
    const { email } = await joinAdmin('Una', ada);
    const answer = await fetch(`${lode.visitor.address}/v1/accounts:signInWithPassword`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email, password: PASSWORD }),
    });
    expect([answer.status, await answer.text()]).toEqual([
      400,
      expect.stringContaining('OPERATION_NOT_ALLOWED : Admins need a second factor.'),
    ]);
  });

  test('customers are asked for nothing', async () => {
    expect(await stateOf(ann)).toEqual({ isOn: false, isDue: false });
    expect((await ann.api.call('me')).status).toBe(200);
  });
});

describe('saying it while admins are at work', () => {
  /** What an admin without one is answered by and by. */
  const people = (api: Client) => api.call('people').then(({ status }) => status);

  test('ends the live streams of those who have none, and of nobody else', async () => {
    expect((await say(ada, false)).json).toMatchObject({ message: 'Admins need no second factor any more.' });
    const eve = await joinAdmin('Eve', ada);
    expect(await people(eve.api)).toBe(200);
    const [hers, adas] = [await follow(eve.api), await follow(ada.api)];
    await hers.until((frames) => frames.length > 0);
    expect((await say(ada, true)).status).toBe(200);
    await hers.ended;
    await adas.until((frames) => frames.some(({ data }) => JSON.stringify(data).includes('settings')));
    adas.close();
    expect(refusalIn(await eve.api.call('live'))).toEqual(DUE);

    // And back: whoever was kept out goes on with the session that there was.
    expect((await say(ada, false)).status).toBe(200);
    expect(await people(eve.api)).toBe(200);
  });

  test('does not get in the way of a set-up that is under way', async () => {
    const max = await joinAdmin('Max', ada);
    const { secret } = await max.api.get('beginSecondFactor', { body: { password: PASSWORD } });
    const [said, confirmed] = await Promise.all([
      say(ada, true),
      max.api.call('confirmSecondFactor', { body: { code: totpOf(secret) } }),
    ]);
    expect([said.status, confirmed.status]).toEqual([200, 200]);
    expect(await people(max.api)).toBe(200);
  });
});
