import { describe, expect, test } from '@jest/globals';
import { logStart, type RecordedEvent } from '#kernel';
import { availableOf, MAX_MINOR, move } from '#ledger';
import {
  accounts,
  messages,
  openPersonalData,
  requests,
  settings,
  totals,
  noTotals,
  walletModels,
  withEveryBalance,
  withEverySum,
  type AccountDocument,
  type RequestDocument,
  type TransactionDocument,
} from '#projections';
import type { Document } from '#read-store';
import { openSqliteReadStore } from '#read-store/sqlite';
import {
  decryptForTests,
  documentsOf,
  happened,
  memoryLog,
  recorded,
  settled,
  started,
} from '../testing/index.js';

async function folded(events: readonly RecordedEvent[]) {
  const log = memoryLog(events);
  const store = openSqliteReadStore({ file: ':memory:' });
  const running = started({ log, store, models: walletModels, open: openPersonalData(decryptForTests) });
  await settled(running, await log.head());
  expect(running.runner.health().models.filter(({ parked }) => parked > 0)).toEqual([]);
  await running.runner.stop();
  return {
    accounts: (await documentsOf(store, 'accounts')) as readonly AccountDocument[],
    requests: (await documentsOf(store, 'requests')) as readonly RequestDocument[],
    transactions: (await documentsOf(store, 'transactions')) as readonly TransactionDocument[],
  };
}

describe('the wallet’s read models', () => {
  const open = (userId: string) =>
    recorded(1, `account-${userId}`, 'AccountOpened', {
      accountNumber: '3012345678',
      profile: 'sealed',
      role: 'user',
      userId,
    });
  const evidence = { bytes: 9, fileId: 'f', mediaType: 'image/png', sha256: '0'.repeat(64) };
  const request = (position: number, requestId: string) =>
    recorded(position, 'account-anna', 'FundingRequested', {
      amount: '10.00',
      currency: 'PI',
      evidence,
      requestId,
    });

  test('documents from before a currency have nothing in it, and keep the rest', async () => {
    const [anna] = (await folded([open('anna')])).accounts;
    if (anna === undefined) throw new Error('the account is there');
    const { PI, ...others } = anna.balances;
    const [document, sums] = [{ ...anna, balances: { ...others } }, { ...noTotals.balances }];
    Reflect.deleteProperty(sums, 'PI');
    expect(withEveryBalance(document as AccountDocument)).toEqual(anna);
    expect(PI).toEqual({ available: '0.0000000', balance: '0.0000000', held: '0.0000000' });
    const after = { ...noTotals, balances: { ...sums, BTC: '1.00000000' } };
    expect(withEverySum(after)).toEqual({ ...after, balances: { ...after.balances, PI: '0.0000000' } });
  });

  test('an account shows its profile, and `forgotten` in each field once the key is gone', async () => {
    const { accounts: found } = await folded([
      open('anna'),
      { ...open('chen'), position: recorded(2, '', '', {}).position },
    ]);
    const [anna, chen] = found;
    expect(anna).toMatchObject({
      firstname: 'anna',
      email: 'anna@lode.example',
      created: '2026-01-01T00:00:00.001Z',
    });
    expect([chen?.firstname, chen?.lastname, chen?.email, chen?.phone]).toEqual(Array(4).fill('forgotten'));
    expect(chen?.accountNumber).toBe('3012345678');
  });

  test('a transfer that comes back was not transferred, at whatever price', async () => {
    const sent = {
      amount: '30.00',
      converted: '60.0000000',
      currency: 'PI',
      postings: [],
      price: '0.50000000',
    };
    const receiver = { accountNumber: '3087654321', userId: 'chen' };
    const [there, back] = ['a', 'b'].map((requestId, n) => {
      const at = (step: number, type: string, more: object = {}) =>
        recorded(3 * n + step, 'account-anna', type, { ...sent, requestId, ...more }, 3 * n + step - 1);
      return [
        at(2, 'TransferRequested', { details: 'sealed', receiver, transferType: 'local' }),
        at(3, 'TransferConfirmed', { receiver }),
        at(4, n === 0 ? 'TransferSettled' : 'TransferReturned'),
      ];
    });
    const totalsOf = async (events: readonly RecordedEvent[]) =>
      (await folded([open('anna'), ...events])).accounts[0]?.totals.transferred;
    expect(await totalsOf(there ?? [])).toBe('30.00');
    expect(await totalsOf([...(there ?? []), ...(back ?? [])])).toBe('30.00');
  });

  test.each([
    ['WalletCredited', 'credit'],
    ['WalletDebited', 'debit'],
    ['BalanceWrittenOff', 'debit'],
  ])('%s is a %s among the transactions', async (type, way) => {
    const posting = { account: 'customer/anna/available', amount: '1.00', currency: 'BTC' };
    const after = { balance: '0.00000000', wallet: '0.00' };
    const moved = {
      after,
      amount: '0.00',
      converted: '0.00000001',
      currency: 'BTC',
      price: '70000.00000000',
    };
    const { transactions } = await folded([
      open('anna'),
      recorded(2, 'account-anna', type, { ...moved, postings: [posting] }, 1),
    ]);
    expect(transactions).toEqual([expect.objectContaining({ source: type, type: way, userId: 'anna' })]);
  });

  test('a request says who decided, when, why and at which price, and names nobody', async () => {
    const booked = {
      amount: '10.00',
      converted: '20.0000000',
      currency: 'PI',
      postings: [],
      price: '0.50000000',
    };
    const { requests: found } = await folded([
      open('anna'),
      request(2, 'a'),
      request(3, 'b'),
      request(4, 'c'),
      recorded(5, 'account-anna', 'FundingConfirmed', { ...booked, requestId: 'a' }, 4, 'arrived'),
      recorded(6, 'account-anna', 'FundingRejected', { requestId: 'b' }, 5),
    ]);
    const common = {
      amount: '10.00',
      convertedAmount: '0',
      currency: 'PI',
      depositAddress: null,
      evidence,
      sha256: evidence.sha256,
      type: 'Funding',
      userId: 'anna',
    };
    expect(found).toEqual([
      {
        ...common,
        closed: true,
        createdAt: '2026-01-01T00:00:00.002Z',
        decision: {
          at: '2026-01-01T00:00:00.005Z',
          by: 'admin-1',
          converted: '20.0000000',
          price: '0.50000000',
          reason: 'arrived',
        },
        id: 'a',
        position: '5',
        status: 'confirmed',
      },
      {
        ...common,
        closed: true,
        createdAt: '2026-01-01T00:00:00.003Z',
        decision: { at: '2026-01-01T00:00:00.006Z', by: 'admin-1' },
        id: 'b',
        position: '6',
        status: 'rejected',
      },
      {
        ...common,
        closed: false,
        createdAt: '2026-01-01T00:00:00.004Z',
        decision: null,
        id: 'c',
        position: '4',
        status: 'Pending',
      },
    ]);
  });

  test.each([
    ['a second opening', accounts, open('anna'), { id: 'anna', position: logStart }],
    ['a second request of one id', requests, request(3, 'a'), { id: 'a', position: logStart }],
    [
      'a decision on a closed request',
      requests,
      recorded(3, 'account-anna', 'FundingRejected', { requestId: 'a' }),
      { id: 'a', position: logStart, closed: true },
    ],
    ['money of an account that was never opened', accounts, request(3, 'a'), undefined],
  ])('refuse %s, so that it is parked and seen', (_, model, event, document) => {
    const [change] = model.on(event);
    expect(() => change?.change(document)).toThrow();
  });

  test('list a person’s requests by status and currency, and all with one file', async () => {
    const store = openSqliteReadStore({ file: ':memory:' });
    const reject = recorded(5, 'account-anna', 'FundingRejected', { requestId: 'b' }, 5);
    const log = memoryLog([open('anna'), request(2, 'a'), request(3, 'b'), request(4, 'c'), reject]);
    const running = started({ log, store, models: walletModels, open: openPersonalData(decryptForTests) });
    await settled(running, '5');
    await running.runner.stop();
    const listed = async (filter: Readonly<Record<string, string>>) => {
      const equals = { userId: 'anna', ...filter };
      const page = { index: 'user', equals, direction: 'descending', limit: 10 } as const;
      return (await store.list('requests', page)).map(({ id }) => id);
    };
    expect(await listed({})).toEqual(['c', 'b', 'a']);
    expect(await listed({ status: 'Pending' })).toEqual(['c', 'a']);
    expect(await listed({ currency: 'PI', status: 'rejected' })).toEqual(['b']);
    expect(await listed({ currency: 'BTC' })).toEqual([]);
    const same = { index: 'evidence', equals: { sha256: evidence.sha256 } };
    const uses = await store.list('requests', { ...same, direction: 'descending', limit: 10 });
    expect(uses.map(({ id }) => id)).toEqual(['c', 'b', 'a']);
  });

  test('say who changed a part of the settings last', () => {
    const [rate] = settings.on(recorded(3, 'settings-global', 'DollarRateSet', { rate: '1.00000000' }));
    const [prices] = settings.on(recorded(7, 'settings-global', 'PricesSet', { prices: {} }, 1, 'a new day'));
    const before = { id: 'prices', position: logStart, at: 'before', by: 'admin-0', reason: 'old' };
    expect(rate?.change(undefined)).toEqual({
      id: 'dollar-rate',
      at: '2026-01-01T00:00:00.003Z',
      by: 'admin-1',
      position: '3',
    });
    expect(prices?.change(before)).toEqual({
      id: 'prices',
      at: '2026-01-01T00:00:00.007Z',
      by: 'admin-1',
      position: '7',
      reason: 'a new day',
    });
  });

  test('keep of a price what it was changed to, with when', async () => {
    const data = { prices: { BTC: '40000.00000000' } };
    const log = memoryLog([recorded(1, 'settings-global', 'PricesSet', data)]);
    const store = openSqliteReadStore({ file: ':memory:' });
    const running = started({ log, store, models: [settings], open: openPersonalData(decryptForTests) });
    await settled(running, await log.head());
    await running.runner.stop();
    expect(await documentsOf(store, 'settings')).toMatchObject([
      { id: 'price-BTC', at: '2026-01-01T00:00:00.001Z', price: '40000.00000000' },
      { id: 'prices' },
    ]);
  });

  test('keep a message encrypted, with whether it was read, until it is forgotten', () => {
    const event = (position: number, type: string, data: object = {}) => {
      const [change] = messages.on(recorded(position, 'message-m', type, { messageId: 'm', ...data }));
      return (document: Document | undefined) => change?.change(document);
    };
    const sent = event(1, 'MessageSent', { sealed: 'v1.x.y', userId: 'anna' })(undefined);
    expect(sent).toEqual({
      id: 'm',
      created: '2026-01-01T00:00:00.001Z',
      position: '1',
      sealed: 'v1.x.y',
      status: 'unread',
      userId: 'anna',
    });
    expect(event(2, 'MessageSent', { sealed: 'v1.x.y' })(undefined)).toMatchObject({ userId: null });
    const read = event(3, 'MessageRead')(sent);
    expect(read).toEqual({ ...sent, position: '3', status: 'read' });
    expect(event(4, 'MessageUnread')(read)).toEqual({ ...sent, position: '4' });
    expect(event(5, 'MessageForgotten')(read)).toBeUndefined();
    expect(() => event(6, 'MessageRead')(undefined)).toThrow();
    expect(() => event(7, 'MessageSent', { sealed: 'v1.x.y' })(sent)).toThrow();
  });

  test('count the withdrawals that were paid', () => {
    const asked = { amount: 2_000n, currency: 'BTC', postings: [], requestId: 'w' };
    const paid = [
      'WithdrawalRequested',
      'WithdrawalConfirmed',
      'WithdrawalRequested',
      'WithdrawalRejected',
    ].reduce<Document | undefined>(
      (document, type, n) =>
        totals.on(happened(n + 1, 'account-anna', { type, data: asked }))[0]?.change(document),
      undefined,
    );
    expect(paid).toMatchObject({ paidWithdrawals: 1, pendingWithdrawals: 0, withdrawn: '20.00' });
  });

  test('add up to more than any one account can hold', () => {
    const events = ['ann', 'bob', 'cid'].map((name, n) =>
      happened(n + 1, `account-${name}`, {
        type: 'FundingConfirmed',
        data: {
          amount: 922_337_203n,
          currency: 'BTC',
          postings: move('operator/deposits', availableOf(name), 'BTC', MAX_MINOR),
        },
      }),
    );
    const sums = events.reduce<Document | undefined>(
      (document, event) => totals.on(event)[0]?.change(document),
      undefined,
    );
    expect(sums).toMatchObject({ funding: '27670116.09', balances: { BTC: '276701161105.64327421' } });
  });

  test('count no admin among the users', () => {
    const admin = recorded(1, 'account-root', 'AccountOpened', { role: 'admin', userId: 'root' });
    expect(totals.on(admin)).toEqual([]);
  });

  test('say whose a document is', () => {
    const document = { id: 'x', position: logStart, userId: 'anna' };
    const models = [accounts, requests, totals, settings, messages];
    expect(models.map((model) => model.ownerOf(document))).toEqual(['anna', 'anna', null, null, null]);
  });
});
