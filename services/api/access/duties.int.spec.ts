import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { duties, routes, secondAnswer, type Duty, type RouteName } from '#contracts';
import {
  join,
  keyed,
  problemIn,
  seconded,
  startLode,
  type Ask,
  type Lode,
  type Person,
} from '../../lode/testing/index.js';
import { accessTable } from '../testing/access-table.js';

const names = Object.keys(routes) as RouteName[];
const walked = names.flatMap((name) => {
  const [, roles] = accessTable[name];
  return roles === undefined ? [] : duties.map((duty) => ({ name, duty, may: roles.includes(duty) }));
});

let lode: Lode;
let ann: Person;
let admins: Readonly<Record<Duty, Person>>;
const give = (by: Person, { userId }: Person, duty: Duty) =>
  by.api.call('changeDuty', { params: { userId }, body: { duty, reason: 'a test' }, headers: keyed() });
const joinAdmin = async (firstname: string, duty: Duty) => {
  const { token } = await lode.admin.api.get('inviteAdmin', { body: { duty } });
  return join(lode.visitor, firstname, token);
};
const refusalOf = async (answer: ReturnType<typeof give>) => {
  const { status, code } = problemIn(await answer);
  return [status, code];
};

beforeAll(async () => {
  lode = await startLode();
  ann = await join(lode.visitor, 'Ann');
  admins = {
    owner: lode.admin,
    finance: await joinAdmin('Fin', 'finance'),
    support: await joinAdmin('Sue', 'support'),
    auditor: await joinAdmin('Aud', 'auditor'),
  };
});
afterAll(() => lode.stop());

/** Asks for something that is refused for what it names, if not before. */
const askOf = (name: RouteName): Ask => ({
  params: { userId: ann.userId },
  ...(routes[name].method === 'GET' ? {} : { body: { none: true }, headers: keyed() }),
});

describe('a duty', () => {
  test.each(walked)('of $duty: $name is among it: $may', async ({ name, duty, may }) => {
    const answer = await admins[duty].api.call(name, askOf(name));
    const isRefused = answer.status === 403 && problemIn(answer).code === 'duty_missing';
    expect(isRefused).toBe(!may);
  });

  test('is told to its admin, and of everybody to every admin', async () => {
    for (const duty of duties) expect((await admins[duty].api.get('me')).duty).toBe(duty);
    const { admins: listed } = await admins.auditor.api.get('admins');
    expect(listed.map(({ duty }) => duty).sort()).toEqual([...duties].sort());
    expect(listed.every(({ hasSecondFactor, signedInAt }) => !hasSecondFactor && signedInAt !== null)).toBe(
      true,
    );
    expect(await ann.api.get('me')).not.toHaveProperty('duty');
  });

  test('is an owner’s to give, and holds from the next request', async () => {
    const ivy = await joinAdmin('Ivy', 'auditor');
    expect(await refusalOf(give(admins.support, ivy, 'owner'))).toEqual([403, 'duty_missing']);
    expect(await refusalOf(give(lode.admin, ann, 'owner'))).toEqual([404, 'account_not_found']);
    expect((await give(lode.admin, ivy, 'owner')).status).toBe(200);
    expect((await give(ivy, admins.finance, 'finance')).status).toBe(200);
    const asked = secondAnswer.parse((await give(lode.admin, ivy, 'support')).json);
    expect(asked.message).toBe('Approval recorded, 1 of 2.');
    expect((await ivy.api.get('me')).duty).toBe('owner');
    await seconded(ivy, asked);
    expect(await refusalOf(give(ivy, admins.finance, 'owner'))).toEqual([403, 'duty_missing']);
  });

  test('has nothing to do with one’s own name', async () => {
    const { api, userId } = admins.auditor;
    const rename = (of: string) =>
      api.call('changeProfile', { params: { userId: of }, body: { firstname: 'Audrey' }, headers: keyed() });
    expect((await rename(userId)).status).toBe(200);
    expect(problemIn(await rename(ann.userId)).code).toBe('duty_missing');
  });

  test('to look after people takes in no other admin', async () => {
    const support = await joinAdmin('Sam', 'support');
    const finance = await joinAdmin('Fay', 'finance');
    const endAll = (by: Person, { userId }: Person) => by.api.call('endSessionsOf', { params: { userId } });
    const endOne = (by: Person, { userId }: Person) =>
      by.api.call('endSessionOf', { params: { userId, sessionId: 'none' } });
    const rename = (by: Person, { userId }: Person) =>
      by.api.call('changeProfile', { params: { userId }, body: { firstname: 'Olga' }, headers: keyed() });
    for (const act of [endAll, endOne, rename]) {
      for (const admin of [lode.admin, finance])
        expect(await refusalOf(act(support, admin))).toEqual([403, 'duty_missing']);
      expect((await act(support, await join(lode.visitor, 'Eve'))).status).toBe(200);
      expect((await act(lode.admin, finance)).status).toBe(200);
    }
    expect((await rename(support, support)).status).toBe(200);
    expect((await endAll(support, support)).status).toBe(200);
  });

  test('of the last owner stays, and nobody else keeps an admin out', async () => {
    expect(await refusalOf(give(lode.admin, lode.admin, 'support'))).toEqual([403, 'not_permitted']);
    const suspended = admins.support.api.call('suspend', {
      params: { userId: lode.admin.userId },
      body: {},
      headers: keyed(),
    });
    expect(await refusalOf(suspended)).toEqual([403, 'not_permitted']);
  });
});
