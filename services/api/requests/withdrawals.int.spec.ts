import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  credit,
  join,
  keyed,
  PASSWORD,
  problemIn,
  requestWithdrawal,
  saveWalletAddress,
  repeatable,
  startLode,
  WALLET_ADDRESS,
  type Ask,
  type Lode,
  type Person,
} from '../../lode/testing/index.js';

let lode: Lode;
let ann: Person;
beforeAll(async () => {
  lode = await startLode();
});
afterAll(() => lode.stop());
beforeEach(async () => {
  ann = await join(lode.visitor, 'Ann');
});

/** A customer with a wallet address and US dollars in BTC. */
async function withMoney(dollars: string): Promise<Person> {
  await saveWalletAddress(ann);
  await credit(lode.admin, ann, { BTC: dollars });
  return ann;
}

const at = (position: string) => ({ 'Lode-Position': position });
const ask = (body: object): Ask => ({ body, headers: keyed() });
const proof = { password: PASSWORD };
/** A withdrawal's request, which proves who asks. */
const withdrawing = (body: object): Ask => ask({ ...body, proof });

test('what a payment is found by is kept with it, shown to the customer, and the same when it is sent again', async () => {
  await withMoney('100');
  const { requestId } = await requestWithdrawal(ann, '20');
  const params = { userId: ann.userId, requestId };
  const confirm: Ask = { ...ask({ payoutReference: ' 4a5e1e4baab8 ' }), params };
  const { position } = await lode.admin.api.get('confirmWithdrawal', confirm);
  expect((await lode.admin.api.get('confirmWithdrawal', confirm)).position).toBe(position);
  const shown = await ann.api.get('withdrawal', { params, headers: at(position) });
  expect(shown).toMatchObject({ status: 'confirmed', payoutReference: '4a5e1e4baab8' });
  const { events } = await lode.admin.api.get('stream', {
    params: { stream: `account-${ann.userId}` },
    query: { limit: '1' },
  });
  expect(JSON.stringify(events)).not.toContain('4a5e1e4baab8');
});

describe('asking for a withdrawal', () => {
  test('needs a saved wallet address first, whatever the request says', async () => {
    await credit(lode.admin, ann, { BTC: '100' });
    for (const more of [{}, { walletAddress: 'bc1qother' }]) {
      const refusal = await ann.api.call(
        'requestWithdrawal',
        withdrawing({ amount: '10', currency: 'BTC', ...more }),
      );
      expect(problemIn(refusal)).toMatchObject({ status: 409, code: 'wallet_address_missing' });
    }
  });

  test('sets the amount aside and shows where it is to be paid', async () => {
    await withMoney('100');
    const asked = await requestWithdrawal(ann, '40.50');
    expect(asked).toMatchObject({
      status: 'Pending',
      convertedAmount: '0.00',
      message: 'Your request has been submitted successfully!',
    });
    const { requestId, position } = asked;
    const params = { userId: ann.userId, requestId };
    const one = await ann.api.get('withdrawal', { params, headers: at(position) });
    const me = await ann.api.get('me');
    expect(one).toMatchObject({
      id: requestId,
      userId: ann.userId,
      type: 'withdrawal',
      customer: 'Ann Miller',
      email: ann.email,
      accountNumber: me.accountNumber,
      walletAddress: WALLET_ADDRESS,
      amount: '40.50',
      currency: 'BTC',
      status: 'Pending',
      closed: false,
      confirmedAt: null,
      decision: null,
      hold: { converted: '40.50000000', price: '1.00000000', rate: null },
    });
    expect(me.wallet).toEqual({ balance: '100.00', available: '59.50', held: '40.50' });
  });

  test('goes to the address in force, which the request may name, and to no other', async () => {
    await withMoney('100');
    const body = { amount: '10', currency: 'BTC' };
    const other = await ann.api.call(
      'requestWithdrawal',
      withdrawing({ ...body, walletAddress: 'bc1qother' }),
    );
    expect(problemIn(other)).toMatchObject({ status: 409, code: 'wallet_address_differs' });
    const named = { ...body, walletAddress: WALLET_ADDRESS };
    const { requestId, position } = await ann.api.get('requestWithdrawal', withdrawing(named));
    const params = { userId: ann.userId, requestId };
    const one = await ann.api.get('withdrawal', { params, headers: at(position) });
    expect(one.walletAddress).toBe(WALLET_ADDRESS);
  });

  test('is refused beyond what can be withdrawn, and what can be withdrawn is what is told', async () => {
    await withMoney('100');
    const params = { userId: ann.userId };
    const most = { BTC: '99.00', PI: '0.00', USDT: '0.00' };
    expect(await ann.api.get('withdrawable', { params })).toMatchObject({
      withdrawable: most,
      minimumRemaining: '1.00',
    });
    const refusals: readonly [amount: string, currency: string, detail: string][] = [
      ['99.01', 'BTC', 'Insufficient wallet balance'],
      ['100.01', 'BTC', 'Insufficient BTC wallet balance!'],
      ['1', 'PI', 'Insufficient PI wallet balance!'],
    ];
    for (const [amount, currency, detail] of refusals) {
      const refusal = problemIn(await ann.api.call('requestWithdrawal', withdrawing({ amount, currency })));
      expect(refusal).toMatchObject({ status: 409, code: 'insufficient_balance', detail });
    }
    await requestWithdrawal(ann, '99');
    const after = await ann.api.get('withdrawable', { params });
    expect(after.withdrawable).toEqual({ BTC: '0.00', PI: '0.00', USDT: '0.00' });
  });

  test.each([
    ['nothing', '0', 422, 'amount_invalid'],
    ['an empty text, which is nothing', ' ', 422, 'amount_invalid'],
    ['less than nothing', '-5', 422, 'amount_invalid'],
    ['words', 'ten', 422, 'amount_invalid'],
    ['a fraction of a cent', '0.001', 422, 'amount_invalid'],
    ['a number', 10, 400, 'validation_failed'],
    ['nothing at all', undefined, 400, 'validation_failed'],
  ])('with %s for an amount is refused', async (_, amount, status, code) => {
    await withMoney('100');
    const refusal = problemIn(
      await ann.api.call('requestWithdrawal', withdrawing({ amount, currency: 'BTC' })),
    );
    expect(refusal).toMatchObject({ status, code, detail: 'Please enter a valid amount.' });
  });

  test.each(['10', '10.0', '10.00', '010'])(
    'of an amount first written 10.0 and then %s asks once',
    async (amount) => {
      await withMoney('100');
      const headers = keyed();
      const answers = [];
      for (const one of ['10.0', amount])
        answers.push(
          await ann.api.call('requestWithdrawal', {
            body: { amount: one, currency: 'BTC', proof },
            headers,
          }),
        );
      expect(answers.map(({ status }) => status)).toEqual([201, 201]);
      expect(answers[1]?.headers.get('idempotency-replayed')).toBe('true');
      const { position } = answers[1]?.json as { readonly position: string };
      expect((await ann.api.get('me', { headers: at(position) })).wallet.held).toBe('10.00');
      const other = await ann.api.call('requestWithdrawal', {
        body: { amount: '10.01', currency: 'BTC', proof },
        headers,
      });
      expect(problemIn(other).code).toBe('idempotency_key_reused');
    },
  );

  test('twice with one key asks once; with another body the key is refused', async () => {
    await withMoney('100');
    const headers = keyed();
    const body = { amount: '10', currency: 'BTC', proof };
    const [first, second] = [
      await ann.api.call('requestWithdrawal', { body, headers }),
      await ann.api.call('requestWithdrawal', { body, headers }),
    ];
    expect([second.status, repeatable(second)]).toEqual([201, repeatable(first)]);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    const other = await ann.api.call('requestWithdrawal', { body: { ...body, amount: '11' }, headers });
    expect(problemIn(other)).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
  });
});

describe('the dollar rate and the price', () => {
  test('of the request are those that stay in it, whatever an admin sets later', async () => {
    await withMoney('100');
    const set = (route: 'setDollarRate' | 'setPrices', body: object) =>
      lode.admin.api.get(route, ask({ reason: 'a test', ...body }));
    await set('setDollarRate', { rate: '0.925' });
    await set('setPrices', { prices: { BTC: '2' } });
    const asked = await requestWithdrawal(ann, '10.01');
    await set('setPrices', { prices: { BTC: '1' } });
    expect(asked.convertedAmount).toBe('9.25');
    const params = { userId: ann.userId, requestId: asked.requestId };
    const { position } = await lode.admin.api.get('confirmWithdrawal', { params, ...ask({}) });
    const one = await ann.api.get('withdrawal', { params, headers: at(position) });
    expect(one).toMatchObject({
      convertedAmount: '9.25',
      hold: { converted: '5.00500000', price: '2.00000000', rate: '0.92500000' },
      decision: { converted: '5.00500000', price: '2.00000000' },
    });
    expect((await ann.api.get('me')).balances.BTC.balance).toBe('94.99500000');
  });
});

describe('deciding a withdrawal', () => {
  test('confirming pays what was set aside, for ever', async () => {
    await withMoney('100');
    const { requestId, position } = await requestWithdrawal(ann, '40');
    const params = { userId: ann.userId, requestId };
    const waiting = await ann.api.get('me', { headers: at(position) });
    expect(waiting).toMatchObject({ amountSpend: '40.00', totalSpent: '0.00' });
    const decided = await lode.admin.api.get('confirmWithdrawal', { params, ...ask({ reason: 'paid' }) });
    expect(decided).toMatchObject({ status: 'confirmed', message: 'Transaction approved successfully!' });
    const one = await ann.api.get('withdrawal', { params, headers: at(decided.position) });
    expect(one).toMatchObject({
      status: 'confirmed',
      closed: true,
      confirmedAt: one.decision?.at,
      loanPurpose: 'Withdrawal',
      userRole: 'user',
      decision: { by: 'Ada Miller', reason: 'paid', converted: '40.00000000' },
    });
    const me = await ann.api.get('me');
    expect(me).toMatchObject({
      wallet: { balance: '60.00', available: '60.00', held: '0.00' },
      totals: { withdrawn: '40.00', openRequests: 0 },
      amountSpend: '0.00',
      totalSpent: '40.00',
    });
    const again = async (route: 'confirmWithdrawal' | 'rejectWithdrawal') =>
      problemIn(await lode.admin.api.call(route, { params, ...ask({}) }));
    expect(await again('confirmWithdrawal')).toMatchObject({
      code: 'request_already_confirmed',
      detail: 'Transaction already confirmed',
    });
    expect(await again('rejectWithdrawal')).toMatchObject({
      code: 'request_closed',
      detail: 'Transaction Closed',
    });
  });

  test('rejecting gives what was set aside back', async () => {
    await withMoney('100');
    const { requestId } = await requestWithdrawal(ann, '40');
    const params = { userId: ann.userId, requestId };
    const decided = await lode.admin.api.get('rejectWithdrawal', { params, ...ask({ reason: 'no' }) });
    expect(decided).toMatchObject({ status: 'rejected', message: 'Transaction rejected successfully!' });
    const one = await ann.api.get('withdrawal', { params, headers: at(decided.position) });
    expect(one).toMatchObject({ status: 'rejected', closed: true, confirmedAt: null });
    const me = await ann.api.get('me');
    expect(me.wallet).toEqual({ balance: '100.00', available: '100.00', held: '0.00' });
    const again = problemIn(await lode.admin.api.call('confirmWithdrawal', { params, ...ask({}) }));
    expect(again).toMatchObject({ code: 'request_closed', detail: 'Transaction Closed' });
  });

  test.each([
    ['no body', {}],
    ['no body, but a name for it', { raw: '', headers: { 'Content-Type': 'application/json' } }],
  ])('is decided by a request with %s', async (_, sent: Ask) => {
    await withMoney('100');
    const { requestId } = await requestWithdrawal(ann, '40');
    const params = { userId: ann.userId, requestId };
    const headers = { ...sent.headers, ...keyed() };
    const decided = await lode.admin.api.get('confirmWithdrawal', { ...sent, params, headers });
    expect(decided).toMatchObject({ status: 'confirmed' });
  });

  test('eight times at once, approving and rejecting, exactly one is done', async () => {
    await withMoney('100');
    const { requestId } = await requestWithdrawal(ann, '40');
    const params = { userId: ann.userId, requestId };
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        lode.admin.api.call(n % 2 === 0 ? 'confirmWithdrawal' : 'rejectWithdrawal', { params, ...ask({}) }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
    const { events } = await lode.admin.api.get('stream', { params: { stream: `account-${ann.userId}` } });
    const decisions = events.filter(({ type }) => /^Withdrawal(Confirmed|Rejected)$/.test(type));
    expect(decisions).toHaveLength(1);
  });

  test('is not done for a fund request, another customer’s or one that there is not', async () => {
    await withMoney('100');
    const bob = await join(lode.visitor, 'Bob');
    const { requestId } = await requestWithdrawal(ann, '40');
    const named = [
      { userId: bob.userId, requestId },
      { userId: ann.userId, requestId: 'A'.repeat(34) },
    ];
    for (const params of named) {
      const refusal = problemIn(await lode.admin.api.call('confirmWithdrawal', { params, ...ask({}) }));
      expect(refusal).toMatchObject({ status: 404, code: 'request_not_found' });
    }
    const params = { userId: ann.userId, requestId };
    const funding = problemIn(await lode.admin.api.call('confirmFunding', { params, ...ask({}) }));
    expect(funding.code).toBe('request_not_found');
  });

  test('a suspended customer asks for nothing, and what was asked before can be decided', async () => {
    await withMoney('100');
    const { requestId } = await requestWithdrawal(ann, '10');
    const { userId } = ann;
    await lode.admin.api.get('suspend', { params: { userId }, ...ask({}) });
    const refusal = await ann.api.call('requestWithdrawal', withdrawing({ amount: '10', currency: 'BTC' }));
    expect([401, 403]).toContain(problemIn(refusal).status);
    const params = { userId, requestId };
    expect(await lode.admin.api.get('confirmWithdrawal', { params, ...ask({}) })).toMatchObject({
      status: 'confirmed',
    });
  });
});

describe('lists of withdrawals', () => {
  test('have the customer’s own, by status and currency, newest first, as pages and as a file', async () => {
    await withMoney('100');
    await credit(lode.admin, ann, { PI: '50' });
    const first = await requestWithdrawal(ann, '10');
    const second = await requestWithdrawal(ann, '20', 'PI');
    const params = { userId: ann.userId };
    const decision = { params: { ...params, requestId: first.requestId }, ...ask({}) };
    const { position } = await lode.admin.api.get('rejectWithdrawal', decision);
    const idsBy = async (query: Record<string, string>) => {
      const { items } = await ann.api.get('ownWithdrawals', { params, query, headers: at(position) });
      return items.map(({ id }) => id);
    };
    expect(await idsBy({})).toEqual([second.requestId, first.requestId]);
    expect(await idsBy({ status: 'Pending' })).toEqual([second.requestId]);
    expect(await idsBy({ currency: 'BTC' })).toEqual([first.requestId]);
    expect(await idsBy({ currency: 'PI', status: 'rejected' })).toEqual([]);
    const all = await lode.admin.api.get('withdrawals', { query: { status: 'Pending' } });
    expect(all.items[0]?.id).toBe(second.requestId);
    const funding = await ann.api.get('ownFundRequests', { params });
    expect(funding.items).toEqual([]);

    const file = await ann.api.call('ownWithdrawals', { params, query: { format: 'csv' } });
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const lines = file.text.trim().split('\r\n');
    expect(lines).toHaveLength(3);
    expect(lines[1]).toContain(`${second.requestId},withdrawal,`);
    expect(lines[1]).toContain(WALLET_ADDRESS);
  });

  test('tell another customer nothing', async () => {
    await withMoney('100');
    const bob = await join(lode.visitor, 'Bob');
    const { requestId, position } = await requestWithdrawal(ann, '10');
    const { userId } = ann;
    for (const params of [
      { userId, requestId },
      { userId, requestId: 'A'.repeat(34) },
    ]) {
      expect(problemIn(await bob.api.call('withdrawal', { params }))).toMatchObject({
        code: 'not_permitted',
      });
    }
    const params = { userId: bob.userId, requestId };
    const foreign = await bob.api.call('withdrawal', { params, headers: at(position) });
    expect(problemIn(foreign)).toMatchObject({ status: 404, code: 'request_not_found' });
  });
});
