import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { changeDecision, changeParts, routes, secondAnswer, type Duty, type RouteName } from '#contracts';
import { until } from '#kernel/testing';
import {
  join,
  keyed,
  problemIn,
  seconded,
  startLode,
  type Lode,
  type Person,
} from '../../lode/testing/index.js';

let lode: Lode;
let ann: Person;
let [olga, fin, sue]: Person[] = [];

const joinAdmin = async (firstname: string, duty: Duty) => {
  const { token } = await lode.admin.api.get('inviteAdmin', { body: { duty } });
  return join(lode.visitor, firstname, token);
};
beforeAll(async () => {
  lode = await startLode();
  ann = await join(lode.visitor, 'Ann');
});
afterAll(() => lode.stop());

const setPrice = (by: Person, price: string, headers = keyed(), reason = 'The market moved.') =>
  by.api.call('setPrices', { body: { prices: { BTC: price }, reason }, headers });
const priceNow = async () => (await lode.admin.api.get('settings')).prices.BTC;
const asked = async (answer: ReturnType<typeof setPrice>) => secondAnswer.parse((await answer).json);
/** What waits, newest first, as somebody sees it. */
const waiting = async ({ api }: Person, position?: string) =>
  (await api.get('changes', position === undefined ? {} : { headers: { 'Lode-Position': position } })).items;
/** Asks for a price as somebody, and says by what id it waits. */
const waits = async (by: Person, price: string) => (await asked(setPrice(by, price))).changeId ?? 'none';
const decide = (
  route: 'approveChange' | 'rejectChange',
  { api }: Person,
  changeId: string,
  headers = keyed(),
) => api.call(route, { params: { changeId }, body: {}, headers });
const refusalOf = async (answer: ReturnType<typeof decide>) => {
  const { status, code } = problemIn(await answer);
  return [status, code];
};

describe('with one admin who may', () => {
  test('a change is made at once', async () => {
    sue = await joinAdmin('Sue', 'support');
    const answer = await asked(setPrice(lode.admin, '50000'));
    expect([answer.message, answer.approvals]).toEqual(['Prices updated successfully.', undefined]);
    expect(await priceNow()).toBe('50000.00000000');
    expect(await waiting(lode.admin)).toEqual([]);
  });
});

describe('with another admin who may', () => {
  beforeAll(async () => {
    [olga, fin] = [await joinAdmin('Olga', 'owner'), await joinAdmin('Fin', 'finance')];
  });

  test('a change waits, and is made once the other one approves it: in the name of that one, for the reason that it was asked for with', async () => {
    const answer = await asked(setPrice(fin!, '51000'));
    expect(answer).toMatchObject({
      message: 'Approval recorded, 1 of 2.',
      approvals: { given: 1, needed: 2 },
    });
    expect(await priceNow()).toBe('50000.00000000');
    const [found] = await waiting(olga!, answer.position);
    expect(found).toMatchObject({
      part: 'prices',
      data: { prices: { BTC: '51000' } },
      was: { prices: { BTC: '50000.00000000' } },
      of: null,
      by: { userId: fin!.userId, name: expect.stringContaining('Fin'), counts: true },
      reason: 'The market moved.',
      isOwn: false,
    });
    expect((await waiting(fin!))[0]?.isOwn).toBe(true);
    const done = changeDecision.parse((await decide('approveChange', olga!, found!.id)).json);
    expect(done).toMatchObject({ status: 'approved', message: 'Transaction approved successfully!' });
    expect(await priceNow()).toBe('51000.00000000');
    expect(await waiting(olga!, done.position)).toEqual([]);
    const { items } = await olga!.api.get('settingsHistory', { query: { part: 'prices', limit: '1' } });
    expect(items[0]).toMatchObject({ actor: { id: olga!.userId }, reason: 'The market moved.' });
    const causes = await olga!.api.get('causation', { params: { eventId: items[0]!.eventId } });
    expect(JSON.stringify(causes)).toContain('ChangeApproved');
  });

  test('whoever asked approves nothing, and takes it back', async () => {
    const id = await waits(fin!, '52000');
    expect(await refusalOf(decide('approveChange', fin!, id))).toEqual([403, 'own_request']);
    expect(changeDecision.parse((await decide('rejectChange', fin!, id)).json)).toMatchObject({
      status: 'rejected',
      message: 'Transaction rejected successfully!',
    });
    for (const route of ['approveChange', 'rejectChange'] as const)
      expect(await refusalOf(decide(route, olga!, id))).toEqual([409, 'request_closed']);
    expect(await priceNow()).toBe('51000.00000000');
  });

  test('it is decided by nobody whose duty it is not, and by no customer', async () => {
    const id = await waits(olga!, '53000');
    expect(await refusalOf(decide('approveChange', sue!, id))).toEqual([403, 'duty_missing']);
    expect(await refusalOf(decide('approveChange', ann, id))).toEqual([403, 'not_permitted']);
    const body = { policy: (await lode.admin.api.get('settings')).bonusPolicy, reason: 'Less' };
    const policy = { ...body, policy: { ...body.policy, rate: '0.05' } };
    const { position } = await asked(
      lode.admin.api.call('setBonusPolicy', { body: policy, headers: keyed() }),
    );
    const [found] = (await waiting(fin!, position)).filter(({ part }) => part === 'bonus-policy');
    for (const route of ['approveChange', 'rejectChange'] as const)
      expect(await refusalOf(decide(route, fin!, found!.id))).toEqual([403, 'not_permitted']);
    expect((await decide('rejectChange', olga!, found!.id)).status).toBe(200);
    expect((await decide('rejectChange', fin!, id)).status).toBe(200);
    expect(await refusalOf(decide('approveChange', fin!, '0'.repeat(34)))).toEqual([
      404,
      'request_not_found',
    ]);
  });

  test('of many who approve at once, one does, and it is made once', async () => {
    const id = await waits(fin!, '54000');
    const others = [olga!, lode.admin, olga!, lode.admin, olga!];
    const answers = await Promise.all(others.map((one) => decide('approveChange', one, id)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409]);
    const { items } = await olga!.api.get('settingsHistory', { query: { part: 'prices', limit: '2' } });
    expect(items.map(({ data }) => data['prices'])).toEqual([
      { BTC: '54000.00000000' },
      { BTC: '51000.00000000' },
    ]);
  });

  test('the same command asks once, and the same approval is answered as the first time', async () => {
    const headers = keyed();
    const [first, again] = [await setPrice(fin!, '55000', headers), await setPrice(fin!, '55000', headers)];
    expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([first.text, 'true']);
    const found = (await waiting(olga!, secondAnswer.parse(first.json).position)).filter(
      ({ part }) => part === 'prices',
    );
    expect(found).toHaveLength(1);
    const key = keyed();
    const [done, repeated] = [
      await decide('approveChange', olga!, found[0]!.id, key),
      await decide('approveChange', olga!, found[0]!.id, key),
    ];
    expect([repeated.status, repeated.text]).toEqual([200, done.text]);
    // Once it is made, it is still what the command had asked for. Where the log doesn't tell the place of an event, the answer
    // has the stream's, which is later by now.
    const { position, ...later } = secondAnswer.parse((await setPrice(fin!, '55000', headers)).json);
    expect(BigInt(position)).toBeGreaterThanOrEqual(BigInt(secondAnswer.parse(first.json).position));
    expect(secondAnswer.parse(first.json)).toMatchObject(later);
  });

  test('what is so already, and what is refused anyhow, waits for nobody', async () => {
    const same = await asked(setPrice(fin!, '55000'));
    expect(same.approvals).toBeUndefined();
    expect(problemIn(await setPrice(fin!, '0.00001')).code).toBe('setting_invalid');
    const contact = { body: { phoneNumber: '+41 44 000 00 00', reason: 'Moved' }, headers: keyed() };
    const done = await lode.admin.api.get('changeDepositDetails', contact);
    expect(done.approvals).toBeUndefined();
    expect(await waiting(olga!, done.position)).toEqual([]);
  });

  test('what can’t be made any more is refused, and waits on', async () => {
    const limits = { tiers: { BTC: [{ above: '1000', approvals: 3 }] }, reason: 'As agreed.' };
    const { position } = await asked(
      lode.admin.api.call('setApprovalLimits', { body: limits, headers: keyed() }),
    );
    const [found] = await waiting(olga!, position);
    await lode.admin.api.get('suspend', { params: { userId: fin!.userId }, body: {}, headers: keyed() });
    expect(await refusalOf(decide('approveChange', olga!, found!.id))).toEqual([422, 'setting_invalid']);
    await lode.admin.api.get('activate', { params: { userId: fin!.userId }, body: {}, headers: keyed() });
    expect((await decide('approveChange', olga!, found!.id)).status).toBe(200);
    const none = { tiers: { BTC: [] }, reason: 'Over.' };
    await seconded(olga!, await lode.admin.api.get('setApprovalLimits', { body: none, headers: keyed() }));
  });

  test('what somebody asked for who may not any more has to be asked for again', async () => {
    const ivy = await joinAdmin('Ivy', 'finance');
    const { changeId: id = 'none', position } = await asked(setPrice(ivy, '56000'));
    await lode.admin.api.get('suspend', { params: { userId: ivy.userId }, body: {}, headers: keyed() });
    expect((await waiting(olga!, position)).find((one) => one.id === id)?.by.counts).toBe(false);
    expect(await refusalOf(decide('approveChange', olga!, id))).toEqual([403, 'not_permitted']);
    expect((await decide('rejectChange', olga!, id)).status).toBe(200);
  });

  test('deposit addresses, the dollar rate, bonus policy, limits, duties and a bonus that begins anew wait as well', async () => {
    const settings = await lode.admin.api.get('settings');
    const reason = 'As agreed.';
    const params = { userId: ann.userId };
    await until(async () => (await lode.admin.api.get('account', { params })).bonus !== null);
    const asks: Partial<Record<RouteName, object>> = {
      changeDepositDetails: { body: { btcWallet: ' bc1qother ', ethWallet: '', reason } },
      setDollarRate: { body: { rate: '0.91', reason } },
      setPrices: { body: { prices: { PI: '2' }, reason } },
      setBonusPolicy: { body: { policy: { ...settings.bonusPolicy, rate: '0.05' }, reason } },
      setApprovalLimits: { body: { tiers: { PI: [{ above: '1', approvals: 2 }] }, reason } },
      changeDuty: { params: { userId: fin!.userId }, body: { duty: 'support', reason } },
      restartBonus: { params, body: { reason } },
    };
    const mayWait = (Object.keys(routes) as RouteName[]).filter(
      (name) => name === 'changeDuty' || routes[name].answer === secondAnswer,
    );
    expect(Object.keys(asks).toSorted()).toEqual(mayWait.toSorted());
    let position = '0';
    for (const [name, ask] of Object.entries(asks)) {
      const answer = await lode.admin.api.call(name as RouteName, { ...ask, headers: keyed() });
      expect([name, secondAnswer.parse(answer.json).approvals]).toEqual([name, { given: 1, needed: 2 }]);
      ({ position } = secondAnswer.parse(answer.json));
    }
    expect(await lode.admin.api.get('settings')).toEqual(settings);
    const found = await waiting(olga!, position);
    expect(found.map(({ part }) => part).toSorted()).toEqual([...changeParts].toSorted());
    expect(found.find(({ part }) => part === 'duty')).toMatchObject({
      of: { userId: fin!.userId },
      data: { userId: fin!.userId, duty: 'support' },
      was: { duty: 'finance' },
    });
    expect(found.find(({ part }) => part === 'deposit-details')).toMatchObject({
      data: { btcWallet: 'bc1qother' },
      was: { btcWallet: null },
    });
    for (const { id } of found) expect((await decide('approveChange', olga!, id)).status).toBe(200);
    const after = await olga!.api.get('settings');
    expect(after).toMatchObject({
      depositDetails: { btcWallet: 'bc1qother' },
      dollarRate: '0.91000000',
      prices: { PI: '2.00000000' },
      bonusPolicy: { rate: '0.05' },
      approvalLimits: { tiers: { PI: [{ above: '1.00', approvals: 2 }] } },
    });
    const { events } = await olga!.api.get('stream', { params: { stream: 'admins' } });
    const given = events.find(({ type, data }) => type === 'AdminDutyChanged' && data['duty'] === 'support');
    const causes = () => olga!.api.call('causation', { params: { eventId: given!.id } });
    // The list of all events has it a moment later.
    await until(async () => (await causes()).status === 200);
    expect((await causes()).text).toContain('ChangeApproved');
    const { admins } = await olga!.api.get('admins');
    expect(admins.find(({ userId }) => userId === fin!.userId)?.duty).toBe('support');
    expect(await waiting(olga!)).toEqual([]);
  });
});
