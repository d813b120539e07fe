import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { DailySums } from '#contracts';
import {
  confirmFunding,
  join,
  keyed,
  requestFunding,
  requestWithdrawal,
  saveWalletAddress,
  startLode,
  type Client,
  type Lode,
} from '../../lode/testing/index.js';

let lode: Lode;
let admin: Client;
let today: string;
let tomorrow: string;
/** After the last of what moved. */
let headers: Readonly<Record<string, string>>;

beforeAll(async () => {
  lode = await startLode();
  admin = lode.admin.api;
  const ann = await join(lode.visitor, 'Ann');
  await confirmFunding(lode.admin, ann, (await requestFunding(ann, '400.00')).requestId);
  await saveWalletAddress(ann);
  const { requestId } = await requestWithdrawal(ann, '30.00');
  await admin.get('confirmWithdrawal', {
    params: { userId: ann.userId, requestId },
    body: {},
    headers: keyed(),
  });
  await requestWithdrawal(ann, '25.00');
  await requestFunding(ann, '11.00');
  const { position } = await admin.get('adjustWallet', {
    params: { userId: ann.userId },
    body: { amounts: { BTC: '-12.50' }, reason: 'a test' },
    headers: keyed(),
  });
  headers = { 'Lode-Position': position };
  const { items } = await admin.get('events', { query: { limit: '1' }, headers });
  today = items[0]?.at.slice(0, 10) ?? '';
  tomorrow = new Date(Date.parse(today) + 86_400_000).toISOString().slice(0, 10);
});
afterAll(() => lode.stop());

const ask = (query: Readonly<Record<string, string>>) => admin.call('dailySums', { query, headers });
const sums = (query: Readonly<Record<string, string>>) => admin.get('dailySums', { query, headers });
/** All of the days that the tests may have run on, in case one began meanwhile. */
const added = (items: DailySums['items'], name: 'in' | 'out' | 'byHand' | 'bonus') =>
  items.reduce((sum, row) => sum + Number(row[name]), 0);

describe('sums by day over HTTP', () => {
  test('are what the trial balance says, a row a day and currency', async () => {
    const yesterday = new Date(Date.parse(today) - 86_400_000).toISOString().slice(0, 10);
    const { items, ...rest } = await sums({ from: yesterday, to: tomorrow });
    expect(rest).toEqual({ from: yesterday, to: tomorrow, position: expect.any(String) });
    expect(items.map(({ day, currency }) => `${day} ${currency}`)).toEqual(
      [yesterday, today, tomorrow].flatMap((day) =>
        ['USD', 'BTC', 'PI', 'USDT'].map((currency) => `${day} ${currency}`),
      ),
    );
    const dollars = items.filter(({ currency }) => currency === 'USD');
    expect(['in', 'out', 'byHand', 'bonus'].map((name) => added(dollars, name as 'in'))).toEqual([
      400, 30, -12.5, 0,
    ]);
    const { lines } = await admin.get('trialBalance', { headers });
    const held = lines.find(({ account }) => account === 'customersHeld')?.amounts;
    for (const { currency, held: last } of items.slice(-4)) expect(last).toBe(held?.[currency]);
    expect(dollars.at(-1)?.held).toBe('25.00');
  });

  test('are of one currency, and a file', async () => {
    const query = { from: tomorrow, to: tomorrow, currency: 'USD' };
    expect((await sums(query)).items).toHaveLength(1);
    const { status, text, headers: told } = await ask({ ...query, format: 'csv' });
    expect([status, told.get('content-disposition')]).toEqual([200, 'attachment; filename="daily-sums.csv"']);
    expect(text.trimEnd().split('\r\n')).toEqual([
      'day,currency,in,out,bonus,byHand,held',
      `${tomorrow},USD,0.00,0.00,0.00,0.00,25.00`,
    ]);
  });

  test.each([
    ['no days', {}],
    ['days that go backwards', { from: '2026-01-02', to: '2026-01-01' }],
    ['more than a leap year', { from: '2024-01-01', to: '2025-01-01' }],
    ['what is no day', { from: '2026-02-30', to: '2026-03-01' }],
    ['what is no currency', { from: '2026-01-01', to: '2026-01-01', currency: 'EUR' }],
  ])('are refused for %s', async (_, query) => {
    expect(await ask(query)).toMatchObject({ status: 400 });
  });

  test('take a whole leap year', async () => {
    const { items } = await sums({ from: '2024-01-01', to: '2024-12-31', currency: 'PI' });
    expect([items.length, new Set(items.map(({ held }) => held))]).toEqual([366, new Set(['0.0000000'])]);
  });
});

test('requests that wait are counted by age', async () => {
  const { complete, ages } = await admin.get('requestsByAge', { headers });
  expect(complete).toBe(true);
  expect(ages[0]).toEqual({
    fromHours: 0,
    toHours: 1,
    funding: 1,
    withdrawals: 1,
    transfers: 0,
    amount: '36.00',
  });
  expect(ages.slice(1).every(({ amount }) => amount === '0.00')).toBe(true);
});

test('commands are counted as they are answered', async () => {
  const before = await admin.get('load');
  await admin
    .get('adjustWallet', {
      params: { userId: lode.admin.userId },
      body: { amounts: { BTC: '1' }, reason: 'a test' },
      headers: keyed(),
    })
    .catch(() => undefined);
  expect((await admin.get('load')).commands).toBeGreaterThan(before.commands);
});
