import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import {
  confirmFunding,
  credit,
  join,
  keyed,
  problemIn,
  requestFunding,
  requestWithdrawal,
  saveWalletAddress,
  setPin,
  startLode,
  TIME_OF_DAY_ALONE,
  transferTo,
  upload,
  type Lode,
  type Person,
} from '../../lode/testing/index.js';

const BANK_ACCOUNT = 'DE75512108001245126199';
const OPEN = 3;
const AN_HOUR = 12;

let lode: Lode;
let ann: Person;
beforeAll(async () => {
  // What an hour allows comes back bit by bit.
  jest.useFakeTimers(TIME_OF_DAY_ALONE);
  lode = await startLode({
    budget: { openRequests: OPEN, commandsPerHour: AN_HOUR },
    proxies: ['127.0.0.1'],
  });
});
afterAll(async () => {
  jest.useRealTimers();
  await lode.stop();
});
beforeEach(async () => {
  ann = await join(lode.visitor, 'Ann');
  await credit(lode.admin, ann, { BTC: '100' });
});

const refused = (what: string) => ({ status: 429, code: 'rate_limited', detail: what });
/** Changes something each time. */
const change = (person: Person, n: number, headers = keyed()) =>
  person.api.call('changeProfile', {
    params: { userId: person.userId },
    body: { phone: `+41 ${n}` },
    headers,
  });

describe('open requests of a kind', () => {
  const funding = async (person: Person, headers = keyed()) =>
    person.api.call('requestFunding', {
      body: { amount: '10', currency: 'BTC', evidenceId: await upload(person) },
      headers,
    });

  test('have an end, until one is decided, and a repeat is no new one', async () => {
    const first = await requestFunding(ann);
    const headers = keyed();
    const body = { amount: '10', currency: 'BTC', evidenceId: await upload(ann) };
    await ann.api.get('requestFunding', { body, headers });
    await requestFunding(ann);
    const answer = await funding(ann);
    expect(problemIn(answer)).toMatchObject(
      refused('You have 3 open fund requests. Wait until some of them are decided.'),
    );
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    const again = await ann.api.call('requestFunding', { body, headers });
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    await confirmFunding(lode.admin, ann, first.requestId);
    expect((await funding(ann)).status).toBe(201);
    expect((await funding(ann)).status).toBe(429);
  });

  test('sent at once are no more', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => funding(ann)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(OPEN);
  });

  test('are counted kind by kind, and for each customer', async () => {
    await saveWalletAddress(ann);
    await setPin(ann);
    for (let n = 0; n < OPEN; n++) await requestWithdrawal(ann, '1');
    const body = { amount: '1', currency: 'BTC', proof: { password: ann.password } };
    expect(problemIn(await ann.api.call('requestWithdrawal', { body, headers: keyed() }))).toMatchObject(
      refused('You have 3 open withdrawals. Wait until some of them are decided.'),
    );
    const transfer = () =>
      ann.api.call('requestTransfer', { body: transferTo(BANK_ACCOUNT, '1'), headers: keyed() });
    for (let n = 0; n < OPEN; n++) expect((await transfer()).status).toBe(201);
    expect(problemIn(await transfer())).toMatchObject(
      refused('You have 3 open transfers. Wait until some of them are decided.'),
    );
    const bob = await join(lode.visitor, 'Bob');
    expect((await funding(bob)).status).toBe(201);
  });
});

describe('what a customer changes', () => {
  test('has an end, wherever it comes from, and neither a repeat nor a refusal counts', async () => {
    const headers = keyed();
    expect((await change(ann, 0, headers)).status).toBe(200);
    for (let n = 1; n < AN_HOUR; n++) {
      // The same again, and one that is refused.
      expect((await change(ann, 0, headers)).status).toBe(200);
      const body = { amount: '1000000', currency: 'BTC', proof: { password: ann.password } };
      expect((await ann.api.call('requestWithdrawal', { body, headers: keyed() })).status).toBe(409);
      expect((await change(ann, n, { ...keyed(), 'X-Forwarded-For': `192.0.2.${n}` })).status).toBe(200);
    }
    const answer = await change(ann, AN_HOUR);
    expect(problemIn(answer)).toMatchObject(refused('Too many changes. Wait a little and try again.'));
    // It counts down by the clock of MongoDB where programs share one.
    const wait = Number(answer.headers.get('retry-after'));
    expect(wait > 0 && wait <= 3_600 / AN_HOUR).toBe(true);
    const message = { subject: 'Help', message: 'Please' };
    expect((await ann.api.call('sendMessage', { body: message, headers: keyed() })).status).toBe(429);
    const again = await change(ann, 0, headers);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
  });

  test('leaves out marks of what was read, which have an end of their own', async () => {
    const { items } = await lode.admin.api.get('events', { query: { limit: String(AN_HOUR + 2) } });
    const positions = items.flatMap(({ position }) => position ?? []).reverse();
    const read = (position: string) =>
      ann.api.call('readNotifications', {
        params: { userId: ann.userId },
        body: { position },
        headers: keyed(),
      });
    const statuses: number[] = [];
    for (const position of positions) statuses.push((await read(position)).status);
    expect(statuses.slice(0, AN_HOUR)).toEqual(Array(AN_HOUR).fill(200));
    expect(statuses).toContain(429);
    for (let n = 0; n < AN_HOUR; n++) expect((await change(ann, n)).status).toBe(200);
    expect((await change(ann, AN_HOUR)).status).toBe(429);
  });

  test('is not what admins do, nor what others do', async () => {
    for (let n = 0; n <= AN_HOUR; n++) await credit(lode.admin, ann, { BTC: '1' });
    const params = { userId: ann.userId };
    for (let n = 0; n < AN_HOUR; n++) await change(ann, n);
    expect((await change(ann, AN_HOUR)).status).toBe(429);
    expect((await lode.admin.api.call('suspend', { params, body: {}, headers: keyed() })).status).toBe(200);
    const bob = await join(lode.visitor, 'Bob');
    expect((await change(bob, 0)).status).toBe(200);
  });

  test('sent at once is no more', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => change(ann, n)));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(AN_HOUR);
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
  });
});
