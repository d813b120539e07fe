import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { formatMoney, parseMoney } from '#ledger';
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
  tellsPositions,
  type Lode,
  type Person,
} from '../../lode/testing/index.js';

/** What a spreadsheet would run. */
const REASON = '=1+1';

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
  lode = await startLode({ proxies: ['127.0.0.1'] });
  [ann, bob] = [await join(lode.visitor, 'Ann'), await join(lode.visitor, 'Bob')];
  await saveWalletAddress(ann);
  await setPin(ann);
  const { userId } = ann;
  const decide = (requestId: string, reason = 'not today') => ({
    params: { userId, requestId },
    body: { reason },
    headers: keyed(),
  });
  requests.funding = (await requestFunding(ann, '1000.50')).requestId;
  await confirmFunding(lode.admin, ann, requests.funding);
  await credit(lode.admin, ann, { PI: '20', BTC: '-0.50' });
  requests.withdrawal = (await requestWithdrawal(ann, '100')).requestId;
  await lode.admin.api.get('confirmWithdrawal', decide(requests.withdrawal, REASON));
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

describe('a statement of a period', () => {
  const period = { from: '2026-01-01', to: '2999-12-31' };
  const asked = (query: Readonly<Record<string, string>>) => ({
    params: { userId: ann.userId },
    query: { ...period, ...query },
  });

  test('has what it began with, what moved it, and what it is now, also for admins', async () => {
    const statement = await ann.api.get('statement', asked({ zone: 'Africa/Lagos', limit: '50' }));
    expect(statement).toMatchObject({
      currency: 'USD',
      opening: { balance: '0.00', held: '0.00' },
      closing: { balance: '920.00', available: '913.00', held: '7.00' },
      change: '920.00',
      begins: '2025-12-31T23:00:00.000Z',
      first: 1,
      next: null,
    });
    const lines = statement.entries.map(({ description, change, heldChange, after }) => [
      description,
      change,
      heldChange,
      after.balance,
    ]);
    expect(lines).toEqual([
      ['Funding', '1000.50', '0.00', '1000.50'],
      ['Debited by an admin', '-0.50', '0.00', '1000.00'],
      ['Credited by an admin', '20.00', '0.00', '1020.00'],
      ['Withdrawal requested: set aside', '0.00', '100.00', '1020.00'],
      ['Withdrawal', '-100.00', '-100.00', '920.00'],
      ['Transfer requested: set aside', '0.00', '50.00', '920.00'],
      ['Transfer rejected: available again', '0.00', '-50.00', '920.00'],
      ['Transfer requested: set aside', '0.00', '3.00', '920.00'],
      ['Withdrawal requested: set aside', '0.00', '4.00', '920.00'],
    ]);
    if (tellsPositions) {
      const { position = '' } = statement;
      const then = await ann.api.get('accountAsOf', {
        params: { userId: ann.userId },
        query: { position },
      });
      expect([then.wallet, then.revision]).toEqual([statement.closing, statement.revision]);
    }
    const shown = await lode.admin.api.get('statement', asked({ zone: 'Africa/Lagos', limit: '50' }));
    expect(shown).toEqual(statement);
  });

  test('is of one currency, by pages, and as a file of all of them', async () => {
    const btc = { currency: 'BTC', limit: '3' };
    const first = await ann.api.get('statement', asked(btc));
    const second = await ann.api.get('statement', asked({ ...btc, cursor: first.next ?? '' }));
    expect([first.entries.length, second.first, second.opening]).toEqual([3, 4, first.opening]);
    expect(first.entries[0]?.change).toBe('1000.50000000');
    const back = await ann.api.get('statement', asked({ ...btc, cursor: second.previous ?? '' }));
    expect(back).toEqual(first);
    const foreign = await ann.api.call('statement', asked({ cursor: first.next ?? '' }));
    expect(problemIn(foreign).code).toBe('validation_failed');
    const file = await ann.api.call('statement', asked({ ...btc, format: 'csv' }));
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="statement.csv"');
    const lines = file.text.trim().split('\r\n');
    expect(lines).toHaveLength(11);
    expect(lines[3]).toMatch(/,WalletDebited,Debited by an admin,-0\.50000000,0\.00000000,1000\.00000000,/);
    expect(file.text).toContain(`,'${REASON},`);
  });

  test('as a file begins with the opening balance and ends with the closing one, and where it is true', async () => {
    const whole = asked({ currency: 'BTC', zone: 'Africa/Lagos' });
    const { next, ...statement } = await ann.api.get('statement', {
      ...whole,
      query: { ...whole.query, limit: '3' },
    });
    const fileOf = async (query: Readonly<Record<string, string>>) => {
      const { text } = await ann.api.call('statement', { ...whole, query: { ...whole.query, ...query } });
      const [head = '', ...lines] = text.replace('\uFEFF', '').trimEnd().split('\r\n');
      const names = head.split(',');
      return lines.map((line) => new Map(line.split(',').map((cell, n) => [names[n], cell])));
    };
    const lines = await fileOf({ format: 'csv' });
    const shown = (line: ReadonlyMap<string | undefined, string> | undefined, ...names: string[]) =>
      names.map((name) => line?.get(name));
    const told = ['eventId', 'at', 'description', 'change', 'balance', 'available', 'held'];
    expect(shown(lines[0], ...told, 'position', 'revision')).toEqual([
      '',
      statement.begins,
      'Opening balance',
      '',
      ...[statement.opening.balance, statement.opening.available, statement.opening.held],
      '',
      '',
    ]);
    expect(shown(lines.at(-1), ...told, 'position', 'revision')).toEqual([
      '',
      statement.ends,
      'Closing balance',
      '',
      ...[statement.closing.balance, statement.closing.available, statement.closing.held],
      statement.position ?? '',
      String(statement.revision),
    ]);
    for (const line of lines) expect(shown(line, 'currency', 'zone')).toEqual(['BTC', 'Africa/Lagos']);
    const moved = lines.slice(1, -1).map((line) => parseMoney(line.get('change') ?? '', 'BTC'));
    const sum = moved.reduce((before, one) => before + one, parseMoney(statement.opening.balance, 'BTC'));
    expect(formatMoney(sum, 'BTC')).toBe(statement.closing.balance);
    // What is asked for from a page on goes to the end, and says of no line that it is the beginning.
    const rest = await fileOf({ format: 'csv', cursor: next ?? '' });
    expect(rest).toEqual(lines.slice(4));
  });

  test('of days without an account has the two balances alone as a file', async () => {
    const days = { from: '2020-01-01', to: '2020-12-31', format: 'csv' };
    const { text } = await ann.api.call('statement', asked(days));
    const zeros = '0.00,0.00,0.00,,,,,USD,UTC\r\n';
    expect(text.split('\r\n').slice(1).join('\r\n')).toBe(
      `,2020-01-01T00:00:00.000Z,,Opening balance,,,${zeros},2021-01-01T00:00:00.000Z,,Closing balance,,,${zeros}`,
    );
  });

  test.each([
    [{ zone: 'Europe/Nowhere' }],
    [{ zone: '+01:00' }],
    [{ zone: 'x'.repeat(65) }],
    [{ from: '2026-02-30' }],
    [{ from: '2026-01-02', to: '2026-01-01' }],
    [{ to: '+10000-01-01' }],
    [{ from: '0000-01-01' }],
    [{ to: '9999-12-31' }],
    [{ currency: 'EUR' }],
  ])('is refused for %j', async (query) => {
    const answer = await ann.api.call('statement', asked(query));
    expect([answer.status, problemIn(answer).code]).toEqual([400, 'validation_failed']);
  });
});

test('a customer is told in sentences what others did and why, and what was changed', async () => {
  const { items } = await ann.api.get('notifications', { params: { userId: ann.userId }, headers });
  expect(items.map(({ sentence }) => sentence)).toEqual([
    'Your transfer of $50.00 (BTC) was rejected. The amount is available again.',
    'Your withdrawal of $100.00 (BTC) was confirmed.',
    'An admin credited $20.00 (PI) to your wallet.',
    'An admin debited $0.50 (BTC) from your wallet.',
    'Your fund request of $1,000.50 (BTC) was confirmed.',
    'A transfer pin was set for your account.',
    'Your wallet address was saved.',
  ]);
  expect(items[0]).toMatchObject({
    kind: 'TransferRejected',
    reason: 'not today',
    requestId: requests.transfer,
    amount: '50.00',
    currency: 'BTC',
  });
});

test('a customer is told of a sign-in from a new network and of another password, and nobody else is', async () => {
  const eve = await join(lode.visitor, 'Eve');
  const { email, password } = eve;
  const elsewhere = { 'X-Forwarded-For': '203.0.113.9' };
  for (let n = 0; n < 2; n++)
    await lode.visitor.get('signIn', { body: { email, password }, headers: elsewhere });
  await eve.api.get('changePassword', { body: { oldPassword: password, newPassword: 'battery staple' } });
  const { head } = await lode.admin.api.get('projections');
  const asked = { params: { userId: eve.userId }, headers: { 'Lode-Position': head } };
  const { items } = await eve.api.get('notifications', asked);
  expect(items.map(({ sentence }) => sentence)).toEqual([
    'Your password was changed.',
    'Somebody signed in as you from a network where you never did.',
  ]);
  expect(JSON.stringify(items)).not.toContain('203.0.113.9');
  expect(problemIn(await bob.api.call('notifications', asked)).code).toBe('not_permitted');
  const ofBob = await bob.api.get('notifications', { ...asked, params: { userId: bob.userId } });
  expect(ofBob.items.map(({ kind }) => kind)).toEqual(['WalletCredited']);
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

test('notifications are read up to a position, which goes forward only and is for their owner alone', async () => {
  const params = { userId: ann.userId };
  const { items } = await ann.api.get('notifications', { params, headers });
  const [newest, oldest] = [items[0]?.position ?? '', items.at(-1)?.position ?? ''];
  const read = async (position: string) => {
    const given = { params, body: { position }, headers: keyed() };
    const answer = await ann.api.get('readNotifications', given);
    return ann.api.get('account', { params, headers: { 'Lode-Position': answer.position } });
  };
  expect((await ann.api.get('account', { params })).notificationsRead).toBeNull();
  expect((await read(oldest)).notificationsRead).toBe(oldest);
  expect((await read(newest)).notificationsRead).toBe(newest);
  expect(await read(oldest)).toMatchObject({ notificationsRead: newest, firstname: 'Ann' });
  for (const { api } of [bob, lode.admin]) {
    const given = { params, body: { position: newest }, headers: keyed() };
    expect(problemIn(await api.call('readNotifications', given)).code).toBe('not_permitted');
  }
  const beyond = await read('99999999999999999999');
  expect(BigInt(beyond.notificationsRead ?? '')).toBeLessThan(BigInt('99999999999999999999'));
  const wrong = { params, body: { position: '-1' }, headers: keyed() };
  expect(problemIn(await ann.api.call('readNotifications', wrong)).code).toBe('validation_failed');
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
