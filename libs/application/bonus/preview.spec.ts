import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { createExecutor } from '#commands';
import { contextOf } from '#commands/testing';
import { createMemoryEventStore } from '#event-store/memory';
import { checkLog } from '#event-store/testing';
import { systemTimers } from '#kernel';
import {
  accountDecider,
  accountStream,
  defaultBonusPolicy,
  MAX_MINOR,
  parseMoney,
  PRICE_SCALE,
  type AccountCommand,
  type BonusPolicy,
} from '#ledger';
import { accounts as accountsModel, openPersonalData } from '#projections';
import { decryptForTests } from '#projections/testing';
import type { Document, ReadStore } from '#read-store';
import { openSqliteReadStore } from '#read-store/sqlite';
import { AccrueBonuses, AccrueBonusesHandler } from './accrue.js';
import { GetBonusPreview, GetBonusPreviewHandler } from './preview.js';

const DAY = 24 * 60 * 60 * 1_000;
const START = Date.parse('2026-03-01T10:00:00.000Z');
const ONE = 10n ** BigInt(PRICE_SCALE);
const prices = { BTC: 60_000n * ONE, PI: ONE / 2n, USDT: ONE };
/** Whoever is paid sooner stands later in the list; dora is suspended, and erin's wallet is full. */
const people = ['anna', 'boris', 'clara', 'dora', 'erin'] as const;

let readStore: ReadStore;
let now = START;
const eventStore = createMemoryEventStore();
const executor = createExecutor({ store: eventStore, decider: accountDecider, clock: () => now });
let keys = 0;
const send = (userId: string, command: AccountCommand) =>
  executor.execute(accountStream(userId), command, contextOf(`key-${(keys += 1)}`));
const inForce = { bonusPolicy: defaultBonusPolicy, prices, revision: 3 };

async function documents(): Promise<readonly Document[]> {
  const found = new Map<string, Document>();
  const open = openPersonalData(decryptForTests);
  for (const event of await checkLog(eventStore))
    for (const { id, change } of accountsModel.on(await open(event))) {
      const after = change(found.get(id));
      if (after !== undefined) found.set(id, after);
    }
  return [...found.values()];
}

async function open(userId: string, cents: bigint): Promise<void> {
  const opening = {
    userId,
    accountNumber: `30${userId}`,
    role: 'user',
    profile: `sealed ${userId}`,
  } as const;
  await send(userId, { type: 'OpenAccount', ...opening });
  const entries = [{ currency: 'USDT', amount: cents } as const];
  await send(userId, { type: 'AdjustWallet', entries, prices });
  await send(userId, { type: 'StartBonusCycle', policy: defaultBonusPolicy });
}

const tick = (userIds: readonly string[], bonusPolicy: BonusPolicy) =>
  new AccrueBonusesHandler(executor).execute(
    new AccrueBonuses({ run: randomUUID(), settings: { ...inForce, bonusPolicy }, userIds }),
  );

beforeAll(async () => {
  await open('anna', 10_000n);
  await open('erin', MAX_MINOR / 10n ** 4n);
  now += DAY;
  await open('boris', 20_000n);
  await open('dora', 20_000n);
  await tick(['anna'], defaultBonusPolicy);
  now += DAY;
  await open('clara', 30_000n);
  await send('dora', { type: 'Suspend' });
  now += DAY;
  readStore = openSqliteReadStore({ file: ':memory:' });
  const build = await readStore.begin(accountsModel, { bulk: true });
  await readStore.write([{ build, put: await documents(), remove: [] }]);
  await readStore.activate(build);
});
afterAll(() => readStore.close());

const preview = (
  changed: GetBonusPreview['changed'] = {},
  cursor?: string,
  limit = 10,
  when: GetBonusPreview['when'] = 'next',
) => {
  const settings = { current: async () => inForce };
  const parts = { clock: () => now, readStore, settings, timers: systemTimers };
  return new GetBonusPreviewHandler(parts).execute(new GetBonusPreview({ cursor, limit }, changed, when));
};

test('says what the next tick pays to whom, and in all, as the tick then does', async () => {
  const shown = await preview();
  expect(shown.items.map(({ userId, bonusDays, days }) => [userId, bonusDays, days])).toEqual([
    ['boris', 0, 2],
    ['clara', 0, 1],
    ['anna', 1, 2],
  ]);
  expect(shown.sum).toEqual({
    accounts: 3,
    days: 5,
    amount: '92.00',
    converted: '92.000000',
    refused: 1,
    isWhole: true,
  });
  // The slots of seven hours are counted from the epoch.
  expect([shown.at > new Date(now).toISOString(), Date.parse(shown.at) % (7 * 3_600_000)]).toEqual([true, 0]);

  const policy: BonusPolicy = { ...defaultBonusPolicy, rate: '0.05', capDays: 2, currency: 'PI' };
  const changed = await preview({ rate: '0.05', capDays: 2, currency: 'PI' });
  expect(changed.policy).toEqual(policy);
  now = Date.parse(changed.at);
  const before = await checkLog(eventStore);
  const paid = await tick(people, policy);
  expect(paid).toMatchObject({
    accrued: changed.sum.accounts,
    days: changed.sum.days,
    failed: changed.sum.refused,
    usd: parseMoney(changed.sum.amount, 'USD'),
  });
  expect(paid.booked.get('PI')).toBe(parseMoney(changed.sum.converted, 'PI'));
  const events = (await checkLog(eventStore)).slice(before.length);
  expect(
    events
      .map(({ stream, data }) => [stream.slice('account-'.length), data['days'], data['amount']])
      .toSorted(),
  ).toEqual(changed.items.map(({ userId, days, amount }) => [userId, days, amount]).toSorted());
});

test('goes through all of them a page at a time, there and back', async () => {
  now = START + 3 * DAY;
  const first = await preview({}, undefined, 2);
  expect([first.items.map(({ userId }) => userId), first.first, first.previous]).toEqual([
    ['boris', 'clara'],
    1,
    null,
  ]);
  const second = await preview({}, first.next ?? '', 2);
  expect([second.items.map(({ userId }) => userId), second.first, second.next]).toEqual([['anna'], 3, null]);
  const back = await preview({}, second.previous ?? '', 2);
  expect([back.items, back.first]).toEqual([first.items, 1]);
  expect(back.sum).toEqual(first.sum);
  // The list of another policy is another list.
  await expect(preview({ capDays: 3 }, first.next ?? '', 2)).rejects.toThrow();
});

test('says what a run at once pays, which is less than what is due later', async () => {
  now = START + 3 * DAY - 1;
  const daysOf = async (when: GetBonusPreview['when']) => {
    const { at, items } = await preview({}, undefined, 10, when);
    return { at, days: items.map(({ userId, days }) => [userId, days]) };
  };
  expect(await daysOf('now')).toEqual({
    at: new Date(now).toISOString(),
    days: [
      ['boris', 1],
      ['anna', 1],
    ],
  });
  const next = await daysOf('next');
  expect(Date.parse(next.at)).toBeGreaterThan(now);
  expect(next.days.length).toBe(3);
});
