import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  credit,
  join,
  keyed,
  problemIn,
  requestFunding,
  startLode,
  type Lode,
  type Person,
} from '../../lode/testing/index.js';

let lode: Lode;
beforeAll(async () => void (lode = await startLode()));
afterAll(() => lode.stop());

const reason = 'Asked for by their owner, in writing.';
const erase = ({ userId }: Pick<Person, 'userId'>, by = lode.admin) =>
  by.api.call('eraseAccount', { params: { userId }, body: { reason } });
const block = ({ userId }: Pick<Person, 'userId'>) =>
  lode.admin.api.get('suspend', { params: { userId }, body: {}, headers: keyed() });
const refusalOf = async (answer: ReturnType<typeof erase>) => {
  const { status, code } = problemIn(await answer);
  return [status, code];
};

test('an owner erases somebody who is blocked, with a reason that is kept, and again what was left', async () => {
  const ann = await join(lode.visitor, 'Ann');
  expect(await refusalOf(erase(ann))).toEqual([409, 'account_active']);
  await block(ann);
  const answer = await erase(ann);
  expect([answer.status, answer.json]).toEqual([200, { message: 'The account is erased.' }]);
  const { events } = await lode.admin.api.get('stream', { params: { stream: `account-${ann.userId}` } });
  const forgotten = events.find(({ type }) => type === 'PersonForgotten');
  expect(forgotten?.meta).toMatchObject({ actor: { id: lode.admin.userId }, reason });
  expect((await erase(ann)).status).toBe(200);
  const account = await lode.admin.api.get('account', { params: { userId: ann.userId } });
  expect([account.status, account.firstname]).toEqual(['closed', 'forgotten']);
});

test('an account with money stays, and nobody is nobody', async () => {
  const bob = await join(lode.visitor, 'Bob');
  await credit(lode.admin, bob, { USDT: '10' });
  await block(bob);
  expect(await refusalOf(erase(bob))).toEqual([409, 'account_not_empty']);
  expect(await refusalOf(erase({ userId: 'nobody' }))).toEqual([404, 'account_not_found']);
});

test('an account with an open request stays', async () => {
  const dan = await join(lode.visitor, 'Dan');
  await requestFunding(dan);
  await block(dan);
  expect(await refusalOf(erase(dan))).toEqual([409, 'account_not_empty']);
});

test('who is no owner erases nobody, and an owner neither themselves nor without a reason', async () => {
  const { token } = await lode.admin.api.get('inviteAdmin', { body: { duty: 'support' } });
  const sue = await join(lode.visitor, 'Sue', token);
  const carl = await join(lode.visitor, 'Carl');
  await block(carl);
  expect(await refusalOf(erase(carl, sue))).toEqual([403, 'duty_missing']);
  expect(await refusalOf(erase(lode.admin))).toEqual([409, 'account_active']);
  const without = lode.admin.api.call('eraseAccount', { params: { userId: carl.userId }, body: {} });
  expect(await refusalOf(without)).toEqual([400, 'validation_failed']);
});

test('an admin who is blocked is erased with the reason, and is in the list no more', async () => {
  const { token } = await lode.admin.api.get('inviteAdmin', { body: { duty: 'auditor' } });
  const aud = await join(lode.visitor, 'Aud', token);
  expect(await refusalOf(erase(aud))).toEqual([409, 'account_active']);
  await block(aud);
  expect((await erase(aud)).status).toBe(200);
  const { admins } = await lode.admin.api.get('admins');
  expect(admins.map(({ userId }) => userId)).not.toContain(aud.userId);
  for (const [stream, last] of [
    ['admins', 'AdminRemoved'],
    [`account-${aud.userId}`, 'PersonForgotten'],
  ] as const) {
    const { events } = await lode.admin.api.get('stream', { params: { stream } });
    const { meta } = events.find(({ type }) => type === last)!;
    expect(meta).toMatchObject({ actor: { id: lode.admin.userId }, reason });
    expect(meta.session).toEqual(expect.any(String));
  }
});
