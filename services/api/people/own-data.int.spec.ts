import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { ownData, type OwnData } from '#contracts';
import { plainFailure } from '#kernel';
import { startSmtp, type SmtpDouble } from '#mail/testing';
import {
  confirmFunding,
  credit,
  enrol,
  join,
  keyed,
  mailThrough,
  PASSWORD,
  PDF,
  PIN,
  PNG,
  formOf,
  problemIn,
  quietApi,
  requestFunding,
  requestTransfer,
  requestWithdrawal,
  saveWalletAddress,
  setPin,
  signIn,
  startLode,
  TIME_OF_DAY_ALONE,
  totpOf,
  WALLET_ADDRESS,
  type Lode,
  type Person,
} from '../../lode/testing/index.js';

const BANK_ACCOUNT = '9900000001';
const proof = { password: PASSWORD };
const MESSAGE = 'Where are my rigs?';
/** More events than a page of the file has. */
const MANY = 120;
/** Files that one person is given at once. */
const FILES = 3;

let smtp: SmtpDouble;
let lode: Lode;
beforeAll(async () => {
  // A slow test must get back nothing of what there is a few times an hour.
  jest.useFakeTimers(TIME_OF_DAY_ALONE);
  smtp = await startSmtp();
  lode = await startLode(mailThrough(smtp));
});
afterAll(async () => {
  jest.useRealTimers();
  await lode.stop();
  await smtp.stop();
});

const send = ({ api }: Person, message: string) =>
  api.get('sendMessage', { body: { message, subject: 'Rigs' }, headers: keyed() });
const dataOf = ({ api }: Person) => api.get('downloadOwnData', { body: { proof } });
const closing = ({ api }: Person, body: object = { proof }) => api.call('closeAccount', { body });
const eventsOf = async ({ userId }: Person) =>
  (await lode.admin.api.get('stream', { params: { stream: `account-${userId}` }, query: { limit: '100' } }))
    .events;

/** What of a file is another person's: every text that has the id, the e-mail or the name of that person. */
const saysOf = (data: OwnData, { userId, email }: Person) =>
  [userId, email].filter((text) => JSON.stringify(data).includes(text));

describe('one’s own data', () => {
  test('is a file of all that there is: what was asked for, moved, written, sent, uploaded and done', async () => {
    const ann = await join(lode.visitor, 'Ann');
    const bob = await join(lode.visitor, 'Bob');
    await signIn(lode.visitor, ann);
    await saveWalletAddress(ann);
    await setPin(ann);
    await credit(lode.admin, ann, { BTC: '1000' });
    const { requestId: funding } = await requestFunding(ann);
    const { requestId: withdrawal } = await requestWithdrawal(ann, '2');
    const { requestId: transfer } = await requestTransfer(ann, BANK_ACCOUNT, '3');
    await confirmFunding(lode.admin, ann, funding);
    await send(ann, MESSAGE);
    await send(bob, 'Mine, and nobody else’s');
    const { fileId } = await ann.api.get('uploadProfileImage', { form: formOf(PNG) });

    const answer = await ann.api.call('downloadOwnData', { body: { proof } });
    expect([
      answer.status,
      answer.headers.get('content-type'),
      answer.headers.get('content-disposition'),
    ]).toEqual([200, 'application/json; charset=utf-8', 'attachment; filename="lode-data.json"']);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const data = ownData.parse(answer.json);
    expect(data).toMatchObject({
      account: { userId: ann.userId, email: ann.email, walletAddress: WALLET_ADDRESS },
      secondFactor: { isOn: false, passkeys: [] },
      pendingEmail: null,
      fundRequests: [{ id: funding, status: 'confirmed' }],
      withdrawals: [{ id: withdrawal, walletAddress: WALLET_ADDRESS }],
      transfers: [{ id: transfer, details: { accountNumber: BANK_ACCOUNT } }],
      messages: [{ message: MESSAGE, userId: ann.userId }],
    });
    expect(data.sessions.map(({ current }) => current).toSorted()).toEqual([false, true]);
    expect(data.transactions.length).toBeGreaterThan(0);
    expect(data.notifications.length).toBeGreaterThan(0);
    expect(data.mails.length).toBeGreaterThan(0);
    expect(new Set(data.mails.map(({ to }) => to))).toEqual(new Set([ann.email]));
    const urls = Object.fromEntries(data.files.map(({ purpose, url }) => [purpose, url]));
    expect(data.files.map((file) => file.fileId)).toContain(fileId);
    expect(urls['profile-image']).toBe(`/files/user/${ann.userId}/profileImage`);
    const evidence = await fetch(lode.visitor.address + (urls['evidence'] ?? ''), {
      headers: { Authorization: `Bearer ${ann.api.token ?? ''}` },
    });
    expect([evidence.status, Buffer.from(await evidence.arrayBuffer()).equals(PDF)]).toEqual([200, true]);
    expect(data.security.map(({ type }) => type)).toContain('SignedIn');
    // What the log keeps encrypted is the person's own, and is readable here.
    const opened = (type: string) => data.events.find((event) => event.type === type)?.opened;
    expect(opened('AccountOpened')).toMatchObject({ profile: { email: ann.email, firstname: 'Ann' } });
    expect(opened('WalletAddressSaved')).toEqual({ address: { walletAddress: WALLET_ADDRESS } });
    expect(opened('TransferRequested')).toMatchObject({ details: { accountNumber: BANK_ACCOUNT } });
    expect(data.events.map(({ eventId }) => eventId)).toEqual((await eventsOf(ann)).map(({ id }) => id));
    expect(saysOf(data, bob)).toEqual([]);
    for (const secret of [PASSWORD, ann.api.token ?? '', '/reset-password#', '/verify-email#'])
      expect(answer.text).not.toContain(secret);
    // No text that is encrypted still.
    expect(answer.text).not.toMatch(/"v\d+\.[\w-]{16}\.[\w-]{22,}"/);
  });

  test('is whole where a list has more than a page', async () => {
    const { api, userId } = await join(lode.visitor, 'Max');
    for (let n = 0; n < MANY; n += 1)
      await api.get('changeProfile', { params: { userId }, body: { phone: `+41 ${n}` }, headers: keyed() });
    const { events } = await dataOf({ api, userId } as Person);
    const revisions = events.map(({ revision }) => revision);
    expect(revisions).toEqual(Array.from({ length: revisions.length }, (_, n) => revisions.length - 1 - n));
    expect(revisions.length).toBeGreaterThan(MANY);
    expect(events[0]?.opened).toMatchObject({ profile: { phone: `+41 ${MANY - 1}` } });
  });

  test('is given to an admin too, and that is the admin’s own', async () => {
    const { account, fundRequests } = await dataOf(lode.admin);
    expect([account.userId, account.role, fundRequests]).toEqual([lode.admin.userId, 'admin', []]);
  });

  test('is given to nobody who has a stolen access token alone, and that it was given is noted', async () => {
    const dan = await join(lode.visitor, 'Dan');
    await setPin(dan);
    const asked = (body: object) => dan.api.call('downloadOwnData', { body });
    const answers = [
      await asked({}),
      await asked({ proof: {} }),
      await asked({ proof: { pin: PIN } }),
      await asked({ proof: { password: 'wrong horse' } }),
      await lode.visitor.call('downloadOwnData', { body: { proof } }),
    ];
    expect(answers.map((answer) => [answer.status, problemIn(answer).code])).toEqual([
      [403, 'proof_missing'],
      [403, 'proof_missing'],
      [400, 'validation_failed'],
      [401, 'invalid_credentials'],
      [401, 'token_missing'],
    ]);
    const given = async () => {
      const headers = { 'Lode-Position': (await lode.admin.api.get('projections')).head };
      const query = { actor: dan.userId, type: 'ListExported' };
      const { items } = await lode.admin.api.get('events', { query, headers });
      return items.map(({ data }) => data['route']);
    };
    expect(await given()).toEqual([]);
    await dataOf(dan);
    expect(await given()).toEqual(['downloadOwnData']);
  });

  test('asks whoever has an app for its code as well', async () => {
    const eve = await join(lode.visitor, 'Eve');
    const { secret } = await enrol(eve);
    const asked = (body: object) => eve.api.call('downloadOwnData', { body });
    expect(problemIn(await asked({ proof })).code).toBe('proof_missing');
    expect(problemIn(await asked({ proof: { ...proof, code: '000000' } })).code).toBe('second_factor_wrong');
    const code = totpOf(secret, 1);
    expect((await asked({ proof: { ...proof, code } })).status).toBe(200);
  });

  test('is given to one person a few times, and to others still', async () => {
    const [fay, gus] = [await join(lode.visitor, 'Fay'), await join(lode.visitor, 'Gus')];
    // What proves nothing takes none of them.
    for (let n = 0; n < FILES; n += 1) await fay.api.call('downloadOwnData', { body: {} });
    for (let n = 0; n < FILES; n += 1) await dataOf(fay);
    const refused = await fay.api.call('downloadOwnData', { body: { proof } });
    expect(problemIn(refused)).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60);
    await dataOf(gus);
  });
});

test('no byte of one’s data is sent, and nothing is proven, while a list of it is built anew', async () => {
  const caller = { userId: 'ann', role: 'user', sessionId: 's1' };
  const detail = 'The read model transactions is being built.';
  const list = async () => {
    throw plainFailure('unavailable', detail);
  };
  const app = await quietApi({
    ports: {
      identity: { sessions: { authenticate: () => caller } },
      readStore: { list },
      projections: { onChanges: () => () => undefined, onRebuilt: () => () => undefined },
    },
  });
  const { statusCode, ...answer } = await app.inject({
    method: 'POST',
    url: '/api/me/data',
    headers: { authorization: 'Bearer any' },
    payload: { proof },
  });
  expect([statusCode, answer.json()]).toEqual([
    503,
    expect.objectContaining({ code: 'unavailable', detail }),
  ]);
  await app.close();
});

describe('closing one’s own account', () => {
  const subjectsTo = (email: string) =>
    smtp.received
      .filter(({ to }) => to.includes(email))
      .map(({ raw }) => /^Subject: (.+)\r$/m.exec(raw)?.[1]);

  test('ends every session and forgets its owner, who is written to one last time', async () => {
    const ida = await join(lode.visitor, 'Ida');
    const elsewhere = await signIn(lode.visitor, ida);
    await send(ida, MESSAGE);
    const answer = await closing(ida);
    expect([answer.status, answer.json]).toEqual([200, { message: 'Your account is closed.' }]);
    expect(answer.headers.getSetCookie().join()).toMatch(/lode_refresh=;/);
    for (const { api } of [ida, elsewhere])
      expect(problemIn(await api.call('me'))).toMatchObject({ status: 401, code: 'token_invalid' });
    const again = await lode.visitor.call('signIn', { body: { email: ida.email, password: PASSWORD } });
    expect(again.status).toBe(401);
    expect(problemIn(await closing(ida)).code).toBe('token_invalid');
    const [last] = await eventsOf(ida);
    expect(last).toMatchObject({
      type: 'PersonForgotten',
      meta: { actor: { id: ida.userId, role: 'user' } },
    });
    expect(await lode.admin.api.get('account', { params: { userId: ida.userId } })).toMatchObject({
      status: 'closed',
      email: 'forgotten',
      firstname: 'forgotten',
    });
    const { items } = await lode.admin.api.get('mails');
    expect(items.filter(({ userId }) => userId === ida.userId)).toEqual([]);
    expect(subjectsTo(ida.email).filter((subject) => subject === 'Your account is closed')).toHaveLength(1);
    // The address is free.
    await lode.visitor.get('register', {
      body: { firstname: 'Ida', lastname: 'Anew', email: ida.email, phone: '+41', password: PASSWORD },
    });
  });

  test('that is asked for in two tabs at once is done and told once', async () => {
    const mia = await join(lode.visitor, 'Mia');
    const answers = await Promise.all([closing(mia), closing(mia)]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toContain(200);
    for (const status of statuses) expect([200, 401, 404]).toContain(status);
    expect((await eventsOf(mia)).filter(({ type }) => type === 'PersonForgotten')).toHaveLength(1);
    expect(subjectsTo(mia.email).filter((subject) => subject === 'Your account is closed')).toHaveLength(1);
  });

  test('is not kept off by what prices left, which nobody can be paid', async () => {
    const ned = await join(lode.visitor, 'Ned');
    await credit(lode.admin, ned, { PI: '1' });
    await lode.admin.api.get('setPrices', {
      body: { prices: { PI: '0.001' }, reason: 'a test' },
      headers: keyed(),
    });
    expect((await closing(ned)).status).toBe(200);
    const [forgotten, left] = await eventsOf(ned);
    expect([forgotten?.type, left?.type]).toEqual(['PersonForgotten', 'BalanceWrittenOff']);
    expect(await lode.admin.api.get('trialBalance')).toMatchObject({ balanced: true });
  });

  test('is, as the file, not for somebody who is suspended', async () => {
    const oda = await join(lode.visitor, 'Oda');
    const body = {};
    const { position } = await lode.admin.api.get('suspend', {
      params: { userId: oda.userId },
      body,
      headers: keyed(),
    });
    const answers = [await closing(oda), await oda.api.call('downloadOwnData', { body: { proof } })];
    for (const answer of answers)
      expect(problemIn(answer)).toMatchObject({ status: 401, code: 'token_invalid' });
    const account = await lode.admin.api.get('account', {
      params: { userId: oda.userId },
      headers: { 'Lode-Position': position },
    });
    expect(account).toMatchObject({ status: 'suspended', email: oda.email });
  });

  test.each<[what: string, make: (person: Person) => Promise<unknown>]>([
    ['there is money in it', (person) => credit(lode.admin, person, { BTC: '10' })],
    ['a request waits', (person) => requestFunding(person)],
  ])('is refused while %s, costs no code, and changes nothing', async (_, make) => {
    const jim = await join(lode.visitor, 'Jim');
    const { secret } = await enrol(jim);
    await make(jim);
    const code = totpOf(secret, 1);
    const body = { proof: { ...proof, code } };
    for (let n = 0; n < 2; n += 1)
      expect(problemIn(await closing(jim, body))).toMatchObject({
        status: 409,
        code: 'account_not_empty',
        failed: 'Your account could not be closed.',
      });
    expect(await jim.api.get('me')).toMatchObject({ status: 'active', email: jim.email });
    expect(subjectsTo(jim.email)).not.toContain('Your account is closed');
    // The code was not used up.
    expect((await jim.api.call('downloadOwnData', { body })).status).toBe(200);
  });

  test('is done by nobody who has a stolen access token alone, nor by an admin, nor for somebody else', async () => {
    const [kim, lea] = [await join(lode.visitor, 'Kim'), await join(lode.visitor, 'Lea')];
    await setPin(kim);
    const answers = [
      await closing(kim, {}),
      await closing(kim, { proof: {} }),
      await closing(kim, { proof: { pin: PIN } }),
      await closing(kim, { proof: { password: 'wrong horse' } }),
      await closing(kim, { proof, userId: lea.userId }),
      await closing(lode.admin),
      await lode.visitor.call('closeAccount', { body: { proof } }),
    ];
    expect(answers.map((answer) => [answer.status, problemIn(answer).code])).toEqual([
      [403, 'proof_missing'],
      [403, 'proof_missing'],
      [400, 'validation_failed'],
      [401, 'invalid_credentials'],
      [400, 'validation_failed'],
      [403, 'not_permitted'],
      [401, 'token_missing'],
    ]);
    for (const person of [kim, lea]) expect((await person.api.get('me')).status).toBe('active');
    expect((await lode.admin.api.get('me')).status).toBe('active');
  });
});
