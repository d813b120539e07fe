import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  join,
  keyed,
  newPerson,
  PASSWORD,
  problemIn,
  signIn,
  startLode,
  type Lode,
  type Person,
} from '../../lode/testing/index.js';

let lode: Lode;
beforeAll(async () => void (lode = await startLode()));
afterAll(() => lode.stop());

const NEXT = 'another horse';
const isReplayed = ({ headers }: { readonly headers: Headers }) => headers.get('idempotency-replayed');
const eventsOf = async (stream: string) =>
  (await lode.admin.api.get('stream', { params: { stream } })).events.map(({ type }) => type);

describe('a request that is sent again with its key', () => {
  test('registers nobody twice, and is answered as before', async () => {
    const [body, headers] = [newPerson('Ann'), keyed()];
    const first = await lode.visitor.call('register', { body, headers });
    const again = await lode.visitor.call('register', { body, headers });
    expect([first.status, isReplayed(first)]).toEqual([201, null]);
    expect([again.status, isReplayed(again), again.json]).toEqual([201, 'true', first.json]);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));

    for (const other of [
      { ...body, lastname: 'Other' },
      { ...body, password: NEXT },
    ]) {
      const refused = await lode.visitor.call('register', { body: other, headers });
      expect(problemIn(refused)).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
    }
    const { status } = await lode.visitor.call('register', { body, headers: keyed() });
    expect(status).toBe(409);
  });

  test('is a visitor’s for one e-mail: another’s with the same key is another request', async () => {
    const headers = keyed();
    const people = [newPerson('Ann'), newPerson('Bob')];
    const answers = await Promise.all(people.map((body) => lode.visitor.call('register', { body, headers })));
    expect(answers.map((answer) => [answer.status, isReplayed(answer)])).toEqual([
      [201, null],
      [201, null],
    ]);
  });

  test('creates an account once, however many come at once', async () => {
    const ask = { body: newPerson('Carl'), headers: keyed() };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => lode.admin.api.call('createAccount', ask)),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter((answer) => isReplayed(answer) === null)).toHaveLength(1);
    const other = { ...ask, body: newPerson('Dora') };
    expect(problemIn(await lode.admin.api.call('createAccount', other)).status).toBe(422);
  });

  test('issues one invitation, with the same link', async () => {
    const headers = keyed();
    const first = await lode.admin.api.call('inviteAdmin', { headers });
    const again = await lode.admin.api.call('inviteAdmin', { headers });
    expect([again.status, isReplayed(again), again.json]).toEqual([201, 'true', first.json]);
    const { invitationId, token } = await lode.admin.api.get('inviteAdmin', { headers });
    expect(await eventsOf(`invitation-${invitationId}`)).toHaveLength(1);
    const other = await lode.admin.api.get('inviteAdmin', { headers: keyed() });
    expect(other.invitationId).not.toBe(invitationId);
    expect(other.token).not.toBe(token);
    const eve = await join(lode.visitor, 'Eve', token);
    const [hers] = [await eve.api.get('inviteAdmin', { headers })];
    expect(hers.invitationId).not.toBe(invitationId);
  });

  test('changes a password once, and is no wrong try of the old one', async () => {
    const fay = await join(lode.visitor, 'Fay');
    const ask = { body: { oldPassword: PASSWORD, newPassword: NEXT }, headers: keyed() };
    for (const replayed of [null, 'true', 'true', 'true', 'true', 'true', 'true']) {
      const answer = await fay.api.call('changePassword', ask);
      expect([answer.status, isReplayed(answer)]).toEqual([200, replayed]);
    }
    const trail = await eventsOf(`access-${fay.userId}`);
    expect(trail.filter((type) => type === 'PasswordChanged')).toHaveLength(1);
    const other = { ...ask, body: { ...ask.body, newPassword: 'a third horse' } };
    expect(problemIn(await fay.api.call('changePassword', other)).status).toBe(422);
    await signIn(lode.visitor, { ...fay, password: NEXT });
  });

  test('that was refused is not kept: put right, it is done', async () => {
    const gus = await join(lode.visitor, 'Gus');
    const headers = keyed();
    const change = (oldPassword: string) =>
      gus.api.call('changePassword', { body: { oldPassword, newPassword: NEXT }, headers });
    expect((await change('wrong')).status).toBe(401);
    expect((await change(PASSWORD)).status).toBe(200);
  });

  test('sets a transfer pin once: one that was set since stays', async () => {
    const ida = await join(lode.visitor, 'Ida');
    const set = (pin: string, headers: ReturnType<typeof keyed>) =>
      ida.api.call('setTransferPin', { body: { pin, password: PASSWORD }, headers });
    const [one, two] = [keyed(), keyed()];
    expect((await set('1234', one)).status).toBe(200);
    expect((await set('5678', two)).status).toBe(200);
    const again = await set('1234', one);
    expect([again.status, isReplayed(again)]).toEqual([200, 'true']);
    expect(problemIn(await set('9999', one)).status).toBe(422);
    expect(await pinOf(ida)).toEqual(['PinSet', 'PinSet']);
  });

  const pinOf = async ({ userId }: Person) =>
    (await eventsOf(`access-${userId}`)).filter((type) => type === 'TransferPinSet').map(() => 'PinSet');

  test.each(['x'.repeat(256), ''])('has a key that is one, not %j', async (key) => {
    const headers = { 'Idempotency-Key': key };
    const answer = await lode.visitor.call('register', { body: newPerson('Jan'), headers });
    expect(problemIn(answer)).toMatchObject({ status: 400, code: 'validation_failed' });
  });
});

test('neither the content of such a request nor its key is in the log', async () => {
  const key = randomUUID();
  const { userId } = await lode.visitor.get('register', { body: newPerson('Kim'), headers: keyed(key) });
  const { events } = await lode.admin.api.get('stream', { params: { stream: `account-${userId}` } });
  expect(JSON.stringify(events)).not.toContain(key);
});
