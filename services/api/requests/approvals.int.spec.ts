import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { accepted, approvalAnswer, secondAnswer } from '#contracts';
import { until } from '#kernel/testing';
import {
  credit,
  join,
  keyed,
  passTime,
  PASSWORD,
  problemIn,
  requestWithdrawal,
  saveWalletAddress,
  seconded,
  signIn,
  startLode,
  TIME_OF_DAY_ALONE,
  type Given,
  type Lode,
  type Person,
  upload,
} from '../../lode/testing/index.js';

let lode: Lode;
/** Admins besides the first. */
let ivy: Person;
let ann: Person;

beforeAll(async () => {
  lode = await startLode();
  [ivy, ann] = [await joinAdmin('Ivy'), await join(lode.visitor, 'Ann')];
});
afterAll(() => lode.stop());

async function joinAdmin(firstname: string): Promise<Person> {
  return join(lode.visitor, firstname, (await lode.admin.api.get('inviteAdmin')).token);
}

/** Says above which dollars of BTC how many approve; another admin approves that. */
const limit = async (
  tiers: readonly (readonly [above: string, approvals: number])[],
  by: Pick<Person, 'api'> = lode.admin,
) => {
  const answer = await by.api.call('setApprovalLimits', {
    body: { tiers: { BTC: tiers.map(([above, approvals]) => ({ above, approvals })) }, reason: 'As agreed.' },
    headers: keyed(),
  });
  if (answer.status === 200) await seconded(ivy, secondAnswer.parse(answer.json));
  return answer;
};

describe('limits of approvals', () => {
  test('are none until an admin sets them, with a reason', async () => {
    expect((await lode.admin.api.get('settings')).approvalLimits).toEqual({
      tiers: { BTC: [], PI: [], USDT: [] },
      expireHours: 72,
    });
    expect(problemIn(await limit([['1000', 2]], ann)).code).toBe('not_permitted');
    expect((await limit([['1000', 2]])).status).toBe(200);
    const { approvalLimits } = await lode.admin.api.get('settings');
    expect(approvalLimits.tiers.BTC).toEqual([{ above: '1000.00', approvals: 2 }]);
    const last = async () => (await lode.admin.api.get('settings')).lastChanges['approval-limits'];
    await until(async () => (await last()) !== null);
    const lastChanges = { 'approval-limits': await last() };
    expect(lastChanges['approval-limits']).toMatchObject({ reason: 'As agreed.' });
  });

  test('ask for no more admins than may decide', async () => {
    const refused = problemIn(await limit([['5', 3]]));
    expect([refused.status, refused.code]).toEqual([422, 'setting_invalid']);
    expect(refused.detail).toContain('there are 2');
    await lode.admin.api.get('suspend', { params: { userId: ivy.userId }, headers: keyed() });
    expect(problemIn(await limit([['5', 2]])).detail).toContain('there is 1');
    await lode.admin.api.get('activate', { params: { userId: ivy.userId }, headers: keyed() });
    ivy = await signIn(lode.visitor, ivy);
    expect((await limit([['5', 2]])).status).toBe(200);
    expect((await limit([])).status).toBe(200);
  });
});

type Named = { readonly userId: string; readonly requestId: string };

const confirm = (by: Pick<Person, 'api'>, params: Named, headers = keyed()) =>
  by.api.call('confirmFunding', { params, body: { reason: 'It arrived.' }, headers });
const wait = async (by: Person, dollars: string, currency = 'BTC'): Promise<Named> => {
  const body = { amount: dollars, currency, evidenceId: await upload(by) };
  const { requestId } = await by.api.get('requestFunding', { body, headers: keyed() });
  return { userId: by.userId, requestId };
};
const codeOf = (answer: Awaited<ReturnType<typeof confirm>>) => problemIn(answer).code;
const messageOf = (answer: Awaited<ReturnType<typeof confirm>>) =>
  answer.status === 200 ? approvalAnswer.parse(answer.json).message : codeOf(answer);
const walletOf = async (position: string) =>
  (await ann.api.get('me', { headers: { 'Lode-Position': position } })).wallet.balance;

describe('above a limit', () => {
  /** Admins of whom nobody has moved anything yet, so that each test is about its own amounts. */
  let [a, b, c]: Person[] = [];
  beforeEach(async () => {
    [a, b, c] = [await joinAdmin('Ada'), await joinAdmin('Ben'), await joinAdmin('Cleo')];
    expect((await limit([['1000', 2]])).status).toBe(200);
  });
  afterEach(() => limit([]));

  test('the first approval leaves a request Pending, the same admin gives no second, and the next confirms', async () => {
    const request = await wait(ann, '1000.01');
    const first = approvalAnswer.parse((await confirm(a!, request)).json);
    expect(first).toMatchObject({
      status: 'Pending',
      message: 'Approval recorded, 1 of 2.',
      approvals: { given: 1, needed: 2 },
    });
    const seen = { params: request, headers: { 'Lode-Position': first.position } };
    expect(await lode.admin.api.get('fundRequest', seen)).toMatchObject({
      status: 'Pending',
      closed: false,
      approvals: { given: 1, needed: 2 },
    });
    expect(problemIn(await confirm(a!, request))).toMatchObject({ status: 409, code: 'already_approved' });
    const waiting = await b!.api.get('approvals', { query: { userId: ann.userId } });
    expect(waiting.items).toMatchObject([
      {
        id: request.requestId,
        kind: 'funding',
        isOwn: false,
        by: [{ userId: a!.userId, counts: true, reason: 'It arrived.' }],
      },
    ]);
    expect((await a!.api.get('approvals', { query: { userId: ann.userId } })).items[0]?.isOwn).toBe(true);
    const last = approvalAnswer.parse((await confirm(b!, request)).json);
    expect(last).toEqual({
      requestId: request.requestId,
      status: 'confirmed',
      message: 'Transaction approved successfully!',
      position: last.position,
    });
    expect(codeOf(await confirm(c!, request))).toBe('request_already_confirmed');
    const after = await b!.api.get('approvals', {
      query: { userId: ann.userId },
      headers: { 'Lode-Position': last.position },
    });
    expect(after.items).toEqual([]);
  });

  test('at the limit one admin decides, and a repeated approval is answered as the first time', async () => {
    expect(messageOf(await confirm(a!, await wait(ann, '1000.00')))).toBe(
      'Transaction approved successfully!',
    );
    const [request, headers] = [await wait(ann, '5.00'), keyed()];
    const first = await confirm(a!, request, headers);
    const again = await confirm(a!, request, headers);
    expect(messageOf(first)).toBe('Approval recorded, 1 of 2.');
    expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([first.text, 'true']);
  });

  test('three who race approve once each, and it is confirmed once', async () => {
    const request = await wait(ann, '2000.00');
    const answers = await Promise.all([a!, b!, c!].map((one) => confirm(one, request)));
    expect(answers.map(messageOf).toSorted()).toEqual([
      'Approval recorded, 1 of 2.',
      'Transaction approved successfully!',
      'request_already_confirmed',
    ]);
  });

  test('one admin who races oneself approves once', async () => {
    const request = await wait(ann, '2000.00');
    const answers = await Promise.all([1, 2, 3].map(() => confirm(a!, request)));
    expect(answers.map(messageOf).toSorted()).toEqual([
      'Approval recorded, 1 of 2.',
      'already_approved',
      'already_approved',
    ]);
  });

  test('one rejection closes', async () => {
    const request = await wait(ann, '2000.00');
    await confirm(a!, request);
    await b!.api.get('rejectFunding', { params: request, body: {}, headers: keyed() });
    expect(codeOf(await confirm(c!, request))).toBe('request_closed');
  });

  test('what is split over requests takes as many as the whole, one after the other and at once', async () => {
    const some = await Promise.all(['400.00', '400.00', '400.00'].map((dollars) => wait(ann, dollars)));
    const answers = await Promise.all(some.map((request) => confirm(a!, request)));
    expect(answers.map(messageOf).toSorted()).toEqual([
      'Approval recorded, 1 of 2.',
      'Transaction approved successfully!',
      'Transaction approved successfully!',
    ]);
    expect(messageOf(await confirm(a!, await wait(ann, '200.01')))).toBe('Approval recorded, 1 of 2.');
    expect(messageOf(await confirm(b!, await wait(ann, '200.00')))).toBe(
      'Transaction approved successfully!',
    );
    const query = { currency: 'BTC', amount: '200.01' };
    expect((await a!.api.get('approvalsNeeded', { query })).approvals).toBe(2);
    expect((await c!.api.get('approvalsNeeded', { query })).approvals).toBe(1);
  });

  test('what was refused anyhow does not count', async () => {
    const request = await wait(ann, '1000.00');
    await confirm(b!, request);
    for (let n = 0; n < 3; n += 1)
      expect(codeOf(await confirm(a!, request))).toBe('request_already_confirmed');
    expect(
      (await a!.api.get('approvalsNeeded', { query: { currency: 'BTC', amount: '1000' } })).approvals,
    ).toBe(1);
  });

  test('an approval of somebody who was suspended since does not count', async () => {
    const request = await wait(ann, '2000.00');
    await confirm(a!, request);
    await lode.admin.api.get('suspend', { params: { userId: a!.userId }, body: {}, headers: keyed() });
    expect(messageOf(await confirm(b!, request))).toBe('Approval recorded, 1 of 2.');
    expect(messageOf(await confirm(c!, request))).toBe('Transaction approved successfully!');
  });

  test('an approval of somebody who has another duty since does not count', async () => {
    const request = await wait(ann, '2000.00');
    await confirm(a!, request);
    const support = { duty: 'support', reason: 'Helps people now.' } as const;
    const params = { userId: a!.userId };
    await seconded(ivy, await lode.admin.api.get('changeDuty', { params, body: support, headers: keyed() }));
    expect(codeOf(await confirm(a!, request))).toBe('duty_missing');
    const listed = async () => {
      const { items } = await b!.api.get('approvals', { query: { userId: ann.userId } });
      return items.find(({ id }) => id === request.requestId);
    };
    await until(async () => (await listed()) !== undefined);
    expect(await listed()).toMatchObject({ approvals: { given: 0, needed: 2 }, by: [{ counts: false }] });
    expect(messageOf(await confirm(b!, request))).toBe('Approval recorded, 1 of 2.');
    expect(messageOf(await confirm(c!, request))).toBe('Transaction approved successfully!');
  });

  test('what is split over one bulk takes as many as the whole', async () => {
    const some = await Promise.all(['400.00', '400.00', '400.00'].map((dollars) => wait(ann, dollars)));
    const items = some.map((of) => ({ ...of, key: `bulk-${of.requestId}`, kind: 'Funding' as const }));
    const answer = await a!.api.get('decideRequests', { body: { items, verdict: 'confirm' } });
    expect(answer).toMatchObject({ decided: 2, waiting: 1, refused: 0 });
    for (const of of some) await b!.api.call('confirmFunding', { params: of, body: {}, headers: keyed() });
  });

  test('a withdrawal goes the same way, and its hold stays meanwhile', async () => {
    await credit(lode.admin, ann, { PI: '3000.00' });
    await saveWalletAddress(ann);
    await limitOf('PI', '1000', 2);
    const { requestId } = await requestWithdrawal(ann, '1500.00', 'PI');
    const params = { userId: ann.userId, requestId };
    const decide = (by: Person) => by.api.call('confirmWithdrawal', { params, body: {}, headers: keyed() });
    expect(messageOf(await decide(a!))).toBe('Approval recorded, 1 of 2.');
    expect(messageOf(await decide(b!))).toBe('Transaction approved successfully!');
    await limitOf('PI');
  });
});

/** Says above which dollars of a currency how many approve; without any, one does. Answers with where in the log it is so. */
const limitOf = async (currency: 'PI' | 'USDT', above?: string, approvals = 2) =>
  seconded(
    ivy,
    await lode.admin.api.get('setApprovalLimits', {
      body: {
        tiers: { [currency]: above === undefined ? [] : [{ above, approvals }] },
        reason: 'As agreed.',
      },
      headers: keyed(),
    }),
  );

describe('an adjustment above a limit', () => {
  let [a, b, c]: Person[] = [];
  let before: string;
  beforeEach(async () => {
    [a, b, c] = [await joinAdmin('Ada'), await joinAdmin('Ben'), await joinAdmin('Cleo')];
    before = await walletOf(await limitOf('USDT', '1000', 2));
  });
  afterEach(() => limitOf('USDT'));

  const adjust = async (by: Person, dollars: string): Promise<Given<'adjustWallet'>> =>
    by.api.get('adjustWallet', {
      params: { userId: ann.userId },
      body: { amounts: { USDT: dollars }, reason: 'Paid twice.' },
      headers: keyed(),
    });
  const decide = (route: 'approveAdjustment' | 'rejectAdjustment', by: Person, requestId: string) =>
    by.api.call(route, { params: { userId: ann.userId, requestId }, body: {}, headers: keyed() });

  test('waits and moves nothing until another admin approves it', async () => {
    const asked = await adjust(a!, '1500.00');
    expect(asked).toMatchObject({
      message: 'Approval recorded, 1 of 2.',
      waiting: { given: 1, needed: 2 },
    });
    expect(await walletOf(asked.position)).toBe(before);
    const { requestId } = asked.waiting!;
    expect(problemIn(await decide('approveAdjustment', a!, requestId))).toMatchObject({
      status: 403,
      code: 'own_request',
    });
    const done = approvalAnswer.parse((await decide('approveAdjustment', b!, requestId)).json);
    expect(done).toMatchObject({ status: 'confirmed', message: 'Transaction approved successfully!' });
    expect(Number(await walletOf(done.position)) - Number(before)).toBe(1500);
    expect(codeOf(await decide('approveAdjustment', c!, requestId))).toBe('request_closed');
    expect(codeOf(await decide('rejectAdjustment', c!, requestId))).toBe('request_closed');
  });

  test('is closed by a rejection', async () => {
    const { waiting, position } = await adjust(a!, '1500.00');
    const listed = await b!.api.get('approvals', {
      query: { userId: ann.userId },
      headers: { 'Lode-Position': position },
    });
    const found = listed.items.find(({ id }) => id === waiting!.requestId);
    expect(found).toMatchObject({ kind: 'adjustment', isOwn: false });
    const rejected = await decide('rejectAdjustment', b!, waiting!.requestId);
    expect(rejected.status).toBe(200);
    expect(codeOf(await decide('approveAdjustment', c!, waiting!.requestId))).toBe('request_closed');
    expect(await walletOf(accepted.parse(rejected.json).position)).toBe(before);
  });

  test('is not got around by a bulk: what its items add up to counts', async () => {
    const items = Array.from({ length: 5 }, (_, n) => ({
      key: `bulk-${a!.userId}-${n}`,
      userId: ann.userId,
      amounts: { USDT: '300.00' },
    }));
    const ask = { body: { items, reason: 'Paid twice.' } };
    const answer = await a!.api.get('adjustWallets', ask);
    expect(answer).toMatchObject({ applied: 3, waiting: 2, refused: 0 });
    expect(Number(await walletOf(answer.position)) - Number(before)).toBe(900);
    expect(await a!.api.get('adjustWallets', ask)).toMatchObject({ applied: 3, waiting: 2, replayed: 5 });
    const waits = answer.results.filter((one) => one.status === 'waiting');
    let { position } = answer;
    for (const one of waits) {
      const done = approvalAnswer.parse((await decide('approveAdjustment', b!, one.requestId)).json);
      expect(done).toMatchObject({ status: 'confirmed', message: 'Transaction approved successfully!' });
      ({ position } = done);
    }
    expect(Number(await walletOf(position)) - Number(before)).toBe(1500);
  });

  test('is not got around by sums of requests and adjustments', async () => {
    expect((await adjust(a!, '600.00')).waiting).toBeUndefined();
    expect((await adjust(a!, '-300.00')).waiting).toBeUndefined();
    const answer = await confirm(a!, await wait(ann, '200.00', 'USDT'));
    expect(messageOf(answer)).toBe('Approval recorded, 1 of 2.');
  });

  test('ends with the account that it is about', async () => {
    const eve = await join(lode.visitor, 'Eve');
    const params = { userId: eve.userId };
    const body = { amounts: { USDT: '1500.00' }, reason: 'Paid twice.' };
    const { position, waiting } = await a!.api.get('adjustWallet', { params, body, headers: keyed() });
    const listed = async () =>
      (await b!.api.get('approvals', { query: params, headers: { 'Lode-Position': position } })).items.length;
    expect(await listed()).toBe(1);
    expect(
      (await eve.api.call('closeAccount', { body: { proof: { password: PASSWORD } } })).status,
    ).toBeLessThan(300);
    // The answer says no position, and what lists it may be behind.
    await until(async () => (await listed()) === 0);
    const late = { params: { ...params, requestId: waiting!.requestId }, body: {}, headers: keyed() };
    expect(codeOf(await b!.api.call('approveAdjustment', late))).toBe('account_closed');
  });

  test('is for admins alone, and none is found that nobody asked for', async () => {
    const { waiting } = await adjust(a!, '1500.00');
    expect(codeOf(await decide('approveAdjustment', ann, waiting!.requestId))).toBe('not_permitted');
    expect(codeOf(await decide('approveAdjustment', b!, 'A'.repeat(34)))).toBe('request_not_found');
  });
});

const HOUR_MS = 3_600_000;

describe('once an hour is over for which approvals count', () => {
  beforeAll(() => {
    jest.useFakeTimers(TIME_OF_DAY_ALONE);
  });
  afterAll(() => {
    jest.useRealTimers();
  });

  test('an approval is given again, and an adjustment is asked for again', async () => {
    const [a, b] = [await joinAdmin('Ada'), await joinAdmin('Ben')];
    const tiers = { BTC: [{ above: '1000', approvals: 2 }] };
    const body = { tiers, expireHours: 1, reason: 'As agreed.' };
    await seconded(a, await lode.admin.api.get('setApprovalLimits', { body, headers: keyed() }));
    const { changeId = 'none' } = await a.api.get('setPrices', {
      body: { prices: { PI: '2' }, reason: 'The market moved.' },
      headers: keyed(),
    });
    const request = await wait(ann, '2000.00');
    expect(messageOf(await confirm(a, request))).toBe('Approval recorded, 1 of 2.');
    const { waiting } = await a.api.get('adjustWallet', {
      params: { userId: ann.userId },
      body: { amounts: { BTC: '1500.00' }, reason: 'Paid twice.' },
      headers: keyed(),
    });
    const waits = async () =>
      (await b.api.get('approvals', { query: { userId: ann.userId } })).items.map(({ id }) => id);
    const changes = async () => (await b.api.get('changes')).items.map(({ id }) => id);
    const ids = [request.requestId, waiting!.requestId];
    await until(async () => {
      const shown = [...(await waits()), ...(await changes())];
      return [...ids, changeId].every((id) => shown.includes(id));
    });
    const began = Date.now();
    await passTime(lode.visitor, HOUR_MS + 1_000, (ahead) => jest.setSystemTime(began + ahead));
    const [ada, ben] = [await signIn(lode.visitor, a), await signIn(lode.visitor, b)];
    expect((await waits()).filter((id) => ids.includes(id))).toEqual([]);
    expect(messageOf(await confirm(ben, request))).toBe('Approval recorded, 1 of 2.');
    const late = {
      params: { userId: ann.userId, requestId: waiting!.requestId },
      body: {},
      headers: keyed(),
    };
    expect(codeOf(await ben.api.call('approveAdjustment', late))).toBe('approval_expired');
    const change = { params: { changeId }, body: {}, headers: keyed() };
    expect(await changes()).not.toContain(changeId);
    expect(codeOf(await ben.api.call('approveChange', change))).toBe('approval_expired');
    expect(messageOf(await confirm(ada, request))).toBe('Transaction approved successfully!');
  });
});
