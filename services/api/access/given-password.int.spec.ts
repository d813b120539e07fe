import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { routes, type Route, type RouteName } from '#contracts';
import {
  join,
  newPerson,
  PASSWORD,
  problemIn,
  signIn,
  startLode,
  type Answer,
  type Given,
  type Lode,
  type Person,
} from '../../lode/testing/index.js';

const OWN = 'my own secret';
const REQUIRED = [403, 'password_change_required'];

let lode: Lode;
/** Signed in with the password that an admin chose. */
let cleo: Person;

beforeAll(async () => {
  lode = await startLode({ identityToolkit: true });
  cleo = await registered('Cleo');
});
afterAll(() => lode.stop());

/** A customer whom an admin registered, signed in. */
async function registered(firstname: string): Promise<Person> {
  const body = newPerson(firstname);
  await lode.admin.api.get('createAccount', { body });
  return signIn(lode.visitor, body);
}

const atDoor = (email: string, password: string) =>
  fetch(`${lode.visitor.address}/v1/accounts:signInWithPassword?key=x`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
const refusalIn = (answer: Answer) => {
  const { status, code } = problemIn(answer);
  return [status, code];
};
const names = Object.keys(routes) as readonly RouteName[];
const routeOf = (name: RouteName): Route => routes[name];
/** What a customer may call who has a token. */
const forCustomers = names.filter((name) => !['visitor', 'admin'].includes(routeOf(name).access));
const isOpen = (name: RouteName) => routeOf(name).beforeOwnPassword === true;
const choose = (by: Person, newPassword: string, oldPassword = PASSWORD) =>
  by.api.call('changePassword', { body: { oldPassword, newPassword } });
const sessionFrom = (answer: Answer) => (answer.json as Given<'refresh'>).mustChoosePassword;

describe('a password that an admin chose', () => {
  test('opens nothing but the choice of another one, and the way out', () => {
    expect(forCustomers.filter(isOpen).toSorted()).toEqual([
      'changePassword',
      'secondFactor',
      'signOutEverywhere',
    ]);
  });

  test.each(forCustomers.filter((name) => !isOpen(name)))('is refused by %s', async (name) => {
    const params = { userId: cleo.userId };
    const answer = await cleo.api.call(name, { params });
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(refusalIn(answer)).toEqual(REQUIRED);
  });

  test('is told of at the sign-in and with each refresh', async () => {
    const { email, cookie } = await signIn(lode.visitor, cleo);
    const body = { email, password: PASSWORD };
    expect(sessionFrom(await lode.visitor.call('signIn', { body }))).toBe(true);
    expect(sessionFrom(await lode.visitor.call('refresh', { headers: { Cookie: cookie } }))).toBe(true);
    const ann = await join(lode.visitor, 'Ann');
    expect(
      sessionFrom(await lode.visitor.call('signIn', { body: { email: ann.email, password: PASSWORD } })),
    ).toBeUndefined();
  });

  test('lets nobody in at the identity door, and begins no session there', async () => {
    const sessions = () => lode.admin.api.get('sessionsOf', { params: { userId: cleo.userId } });
    const before = await sessions();
    const answer = await atDoor(cleo.email, PASSWORD);
    expect(await sessions()).toEqual(before);
    expect([answer.status, await answer.text()]).toEqual([
      400,
      expect.stringContaining('OPERATION_NOT_ALLOWED'),
    ]);
    const dora = await registered('Dora');
    expect((await choose(dora, OWN)).status).toBe(200);
    expect((await atDoor(dora.email, OWN)).status).toBe(200);
  });

  test('is not chosen again, and once another one is the session goes on with everything', async () => {
    const dan = await registered('Dan');
    const other = await signIn(lode.visitor, dan);
    expect(refusalIn(await choose(dan, PASSWORD))).toEqual([422, 'password_policy']);
    expect(refusalIn(await choose(dan, OWN, 'wrong'))).toEqual([401, 'invalid_credentials']);
    expect(refusalIn(await dan.api.call('me'))).toEqual(REQUIRED);
    expect((await choose(dan, OWN)).status).toBe(200);
    expect((await dan.api.get('me')).userId).toBe(dan.userId);
    expect((await dan.api.call('ownSessions')).status).toBe(200);
    expect((await other.api.call('me')).status).toBe(401);
    const refreshed = await lode.visitor.call('refresh', { headers: { Cookie: dan.cookie } });
    expect([refreshed.status, sessionFrom(refreshed)]).toEqual([200, undefined]);
    expect((await (await signIn(lode.visitor, { ...dan, password: OWN })).api.call('me')).status).toBe(200);
  });

  test('is left by signing out everywhere', async () => {
    const eve = await registered('Eve');
    expect((await eve.api.call('signOutEverywhere')).status).toBe(200);
    expect((await eve.api.call('me')).status).toBe(401);
  });
});
