import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  confirmFunding,
  credit,
  join,
  keyed,
  problemIn,
  requestFunding,
  requestTransfer,
  requestWithdrawal,
  saveWalletAddress,
  setPin,
  startLode,
  type Lode,
  type Person,
} from '../../lode/testing/index.js';

let lode: Lode;
let ann: Person;
let bob: Person;
/** Where the log stood when all of it had happened. */
let headers: Record<string, string>;
const requests: Record<'funding' | 'withdrawal' | 'transfer' | 'open', string> = {
  funding: '',
  withdrawal: '',
  transfer: '',
  open: '',
};

beforeAll(async () => {
  lode = await startLode();
  [ann, bob] = [await join(lode.visitor, 'Ann'), await join(lode.visitor, 'Bob')];
  await saveWalletAddress(ann);
  await setPin(ann);
  const { userId } = ann;
  const decide = (requestId: string) => ({
    params: { userId, requestId },
    body: { reason: 'not today' },
    headers: keyed(),
  });
  requests.funding = (await requestFunding(ann, '1000.50')).requestId;
  await confirmFunding(lode.admin, ann, requests.funding);
  await credit(lode.admin, ann, { PI: '20', BTC: '-0.50' });
  requests.withdrawal = (await requestWithdrawal(ann, '100')).requestId;
  await lode.admin.api.get('confirmWithdrawal', decide(requests.withdrawal));
  requests.transfer = (await requestTransfer(ann, '9900000001', '50')).requestId;
  await lode.admin.api.get('rejectTransfer', decide(requests.transfer));
  await credit(lode.admin, bob, { USDT: '7' });
  requests.open = (await requestTransfer(ann, '9900000001', '3')).requestId;
  await requestFunding(ann, '5');
  const { position } = await requestWithdrawal(ann, '4');
  headers = { 'Lode-Position': position };
});
afterAll(() => lode.stop());

test('a customer’s statement has every movement, in the log’s order, with the balance that it left', async () => {
  const params = { userId: ann.userId };
  const { items } = await ann.api.get('ownTransactions', { params, headers });
  expect(
    items.map((row) => [
      row.type,
      row.currency,
      row.amount,
      row.balance,
      row.currencyBalance,
      row.description,
    ]),
  ).toEqual([
    ['debit', 'BTC', '100.00', '920.00', '900.00000000', 'Withdrawal'],
    ['credit', 'PI', '20.00', '1020.00', '20.0000000', 'Credited by an admin'],
    ['debit', 'BTC', '0.50', '1000.00', '1000.00000000', 'Debited by an admin'],
    ['credit', 'BTC', '1000.50', '1000.50', '1000.50000000', 'Funding'],
  ]);
  expect(items[0]).toMatchObject({
    userId: ann.userId,
    customer: 'Ann Miller',
    source: 'WithdrawalConfirmed',
    requestId: requests.withdrawal,
  });
  expect(items[1]?.requestId).toBeNull();
});

test.each([
  [{ type: 'credit' }, 2],
  [{ currency: 'PI' }, 1],
  [{ type: 'debit', currency: 'PI' }, 0],
])('a statement by %j', async (query, count) => {
  const params = { userId: ann.userId };
  const { items } = await ann.api.get('ownTransactions', { params, query, headers });
  expect(items).toHaveLength(count);
});

test('admins see the movements of all, by type and currency, as pages and as a file', async () => {
  const { items } = await lode.admin.api.get('transactions', { headers });
  expect(items).toHaveLength(5);
  expect(items[0]).toMatchObject({ customer: 'Bob Miller', currency: 'USDT' });
  for (const [query, count] of [
    [{ type: 'credit' }, 3],
    [{ currency: 'BTC' }, 3],
    [{ type: 'credit', currency: 'USDT' }, 1],
  ] as const) {
    expect((await lode.admin.api.get('transactions', { query })).items).toHaveLength(count);
  }
  const file = await lode.admin.api.call('transactions', { headers: { Accept: 'text/csv' } });
  expect(file.text.trim().split('\r\n')).toHaveLength(6);
});

test('pages of a statement hang together', async () => {
  const params = { userId: ann.userId };
  const first = await ann.api.get('ownTransactions', { params, query: { limit: '3' }, headers });
  const query = { limit: '3', cursor: first.next ?? '' };
  const second = await ann.api.get('ownTransactions', { params, query });
  expect([first.first, second.first, second.items.length, second.next]).toEqual([1, 4, 1, null]);
  const foreign = await ann.api.call('ownTransactions', { params, query: { ...query, type: 'credit' } });
  expect(problemIn(foreign).code).toBe('validation_failed');
});

test('a customer is told in sentences what others did, and why', async () => {
  const { items } = await ann.api.get('notifications', { params: { userId: ann.userId }, headers });
  expect(items.map(({ sentence }) => sentence)).toEqual([
    'Your transfer of $50.00 (BTC) was rejected. The amount is available again.',
    'Your withdrawal of $100.00 (BTC) was confirmed.',
    'An admin credited $20.00 (PI) to your wallet.',
    'An admin debited $0.50 (BTC) from your wallet.',
    'Your fund request of $1,000.50 (BTC) was confirmed.',
  ]);
  expect(items[0]).toMatchObject({
    kind: 'TransferRejected',
    reason: 'not today',
    requestId: requests.transfer,
    amount: '50.00',
    currency: 'BTC',
  });
});

test('open requests of all kinds are in one list, newest first', async () => {
  const { items, more } = await ann.api.get('openRequests', { params: { userId: ann.userId }, headers });
  expect(items.map(({ kind, amount }) => [kind, amount])).toEqual([
    ['withdrawal', '4.00'],
    ['Funding', '5.00'],
    ['transfer', '3.00'],
  ]);
  expect(items[2]?.id).toBe(requests.open);
  expect(more).toBe(false);
});

test.each(['ownTransactions', 'notifications', 'openRequests'] as const)(
  '%s tells another customer nothing',
  async (route) => {
    const params = { userId: ann.userId };
    expect(problemIn(await bob.api.call(route, { params })).code).toBe('not_permitted');
    const own = await bob.api.call(route, { params: { userId: bob.userId } });
    expect(own.text).not.toContain(ann.userId);
  },
);
