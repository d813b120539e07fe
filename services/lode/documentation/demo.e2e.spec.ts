import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { systemClock } from '#kernel';
import {
  createMovedClock,
  DEMO_DAYS,
  DEMO_ENVIRONMENT,
  DEMO_PASSWORD,
  demoAdmin,
  demoCustomers,
  demoTeam,
  makeDemo,
  midnightBefore,
} from '../demo/index.js';
import { run, type Running } from '../run.js';
import { readSettings } from '../settings.js';
import { checkLogIn, createClient, dataFolder, signIn, type Person } from '../testing/index.js';

/* The demonstration: what a program would have that had been used since then. */

const DAY_MS = 24 * 60 * 60 * 1_000;

let folder: ReturnType<typeof dataFolder>;
let running: Running;
let [amara, mary]: Person[] = [];
const now = systemClock();
beforeAll(async () => {
  folder = dataFolder();
  const { clocks, moveTo } = createMovedClock(midnightBefore(now, DEMO_DAYS));
  const settings = readSettings({ ...DEMO_ENVIRONMENT, PORT: '0', LODE_LOG: 'silent' }, folder.path);
  running = await run(settings, () => undefined, { clocks });
  const invitation = running.firstAdminPath?.split('invitation=')[1] ?? '';
  await makeDemo({ address: running.address, invitation, moveTo, now });
  const visitor = createClient(running.address);
  mary = await signIn(visitor, { ...demoAdmin, password: DEMO_PASSWORD });
  amara = await signIn(visitor, { ...demoCustomers.amara, password: DEMO_PASSWORD });
});
afterAll(async () => {
  await running.stop();
  await folder.remove();
});

test('has its events on their days, each after the one before', async () => {
  const instants: number[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query: Record<string, string> = {
      order: 'oldest',
      limit: '100',
      ...(cursor === '' ? {} : { cursor }),
    };
    const { items, next } = await mary!.api.get('events', { query });
    instants.push(...items.map(({ at }) => Date.parse(at)));
    cursor = next;
  }
  expect(instants).toEqual(instants.toSorted((a, b) => a - b));
  const days = instants.map((instant) => Math.floor((now - instant) / DAY_MS));
  expect(new Set(days).size).toBeGreaterThan(60);
  // A day fewer where it was started just behind midnight.
  expect([DEMO_DAYS - 1, DEMO_DAYS]).toContain(days[0]);
  expect(days.at(-1)).toBeLessThanOrEqual(0);
});

test('has every status of each kind of request, more than a page of them, and the other screens’ rows', async () => {
  const { userId, api } = amara!;
  const params = { userId };
  const statuses = (rows: readonly { readonly status: string }[]) =>
    [...new Set(rows.map(({ status }) => status))].toSorted();
  const all = ['Pending', 'confirmed', 'rejected'];
  const funding = await api.get('ownFundRequests', { params });
  expect(funding.next).not.toBeNull();
  expect(statuses(funding.items)).toEqual(all);
  expect(statuses((await api.get('ownWithdrawals', { params })).items)).toEqual(all);
  expect(statuses((await api.get('ownTransfers', { params })).items)).toEqual(all);
  expect((await api.get('receivedTransfers', { params })).items).toHaveLength(2);
  const account = await api.get('me');
  expect(Object.values(account.balances).every(({ balance }) => Number(balance) > 0)).toBe(true);
  expect(account.bonus?.bonusDays).toBeGreaterThan(0);
  expect((await api.get('products')).items).toHaveLength(3);
  const { items: waiting } = await mary!.api.get('changes');
  expect(waiting.map(({ part, isOwn }) => [part, isOwn])).toEqual([['prices', false]]);
  expect((await mary!.api.get('prices')).prices.BTC).toBe('71950.25000000');
  expect((await mary!.api.get('messages')).items.map(({ isRead }) => isRead)).toContain(false);
});

test('has an admin of each duty, who may come in', async () => {
  const { admins } = await mary!.api.get('admins');
  const expected = [[demoAdmin.email, 'owner'], ...demoTeam.map(({ email, duty }) => [email, duty])];
  expect(admins.map(({ email, duty }) => [email, duty])).toEqual(expected);
  const visitor = createClient(running.address);
  const auditor = await signIn(visitor, { ...demoTeam[2], password: DEMO_PASSWORD });
  expect((await auditor.api.get('me')).duty).toBe('auditor');
});

test('is a log that nothing is wrong with', async () => {
  const { faults, transfersUnderWay } = await checkLogIn(folder.path);
  expect([faults, transfersUnderWay]).toEqual([[], 0]);
});
