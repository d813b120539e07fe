import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLOCK_TOLERANCE, createGuardedClock, machineClocks } from '#clock';
import { createExecutor } from '#commands';
import { contextOf } from '#commands/testing';
import { openEngines, type Engines } from '#engines';
import type { EventStore } from '#event-store';
import { checkLog } from '#event-store/testing';
import { accountDecider, accountStream, defaultBonusPolicy, PRICE_SCALE, type AccountCommand } from '#ledger';
import type { ReadStoreReader } from '#read-store';
import { bonusTick } from './bonus-tick.js';
import { bonusWorkerThreads } from './bonus-worker-threads.js';

/** More than a batch for each thread. */
const PEOPLE = 600;
/** Memory for states: too little for those of a batch in a thread. */
const CACHE = 256 * 1_024;
const DAY = 24 * 3_600_000;
const ONE = 10n ** BigInt(PRICE_SCALE);
const prices = { BTC: ONE, PI: ONE, USDT: ONE };
const users = Array.from({ length: PEOPLE }, (_, n) => `user-${String(n).padStart(4, '0')}`);

const clock = createGuardedClock(machineClocks, CLOCK_TOLERANCE);

let folder: string;
let engines: Engines;
let store: EventStore;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lode-workers-'));
  engines = await openEngines({ dataFolder: folder }, 'serve');
  store = engines.events;
});
afterEach(async () => {
  await engines.close();
  rmSync(folder, { recursive: true });
});

/** Everybody is due for ever: who is not is for the accounts to say. */
const allDue: Pick<ReadStoreReader, 'keys'> = {
  keys: async (_, { equals, after, limit }) =>
    users
      .filter((user) => equals['bonusDay'] === '0' && (after === undefined || user > (after[1] ?? '')))
      .slice(0, limit)
      .map((user) => ['2026-01-02T00:00:00.000Z', user]),
};

/** Accounts with a hundred dollars each, whose cycle began a day and a half ago; they stay in this executor's memory. */
async function openAccounts() {
  const clock = () => Date.now() - 1.5 * DAY;
  const accounts = createExecutor({ store, decider: accountDecider, clock });
  const commands = (userId: string): readonly AccountCommand[] => [
    { type: 'OpenAccount', userId, accountNumber: userId, role: 'user', profile: 'sealed' },
    { type: 'AdjustWallet', prices, entries: [{ currency: 'BTC', amount: 10_000n }] },
    { type: 'StartBonusCycle', policy: defaultBonusPolicy },
  ];
  const answers = await accounts.executeMany(
    users.flatMap((userId) =>
      commands(userId).map((command) => ({
        stream: accountStream(userId),
        command,
        context: contextOf(`${userId} ${command.type}`),
      })),
    ),
    { keep: true },
  );
  expect(answers.every(({ status }) => status === 'fulfilled')).toBe(true);
  return accounts;
}

const tickBy = (threads: number) =>
  bonusTick({
    readStore: allDue,
    workers: () => bonusWorkerThreads({ engines, stateCacheBytes: CACHE, clock, threads }),
    settingsInForce: async () => ({ bonusPolicy: defaultBonusPolicy, prices, revision: -1 }),
    clock: Date.now,
  });
const asked = (slot: string) => ({ slot, attempt: 1, signal: new AbortController().signal });

describe('bonus workers in threads', () => {
  test('pay everybody once, two runs at once and beside commands, in a log that holds', async () => {
    const accounts = await openAccounts();
    const [one, other] = await Promise.all([
      tickBy(2).run(asked('one')),
      tickBy(1).run(asked('other')),
      ...users
        .slice(0, 50)
        .map((userId) =>
          accounts.execute(accountStream(userId), { type: 'Suspend' }, contextOf(`suspend ${userId}`)),
        ),
    ]);
    const log = await checkLog(store);
    const paid = log.filter(({ type }) => type === 'BonusAccrued');
    expect(new Set(paid.map(({ stream }) => stream)).size).toBe(paid.length);
    expect(one.accrued + other.accrued).toBe(paid.length);
    expect(one.failed + other.failed).toBe(0);
    expect(paid.length).toBeGreaterThanOrEqual(PEOPLE - 50);
    for (const { data } of paid) expect(data).toMatchObject({ amount: '10.00', policy: defaultBonusPolicy });
    expect(await tickBy(2).run(asked('again'))).toMatchObject({ due: PEOPLE, accrued: 0, skipped: PEOPLE });
  });

  test('leave the program to go on from what they wrote', async () => {
    const accounts = await openAccounts();
    expect(await tickBy(2).run(asked('one'))).toMatchObject({
      accrued: PEOPLE,
      days: PEOPLE,
      amounts: { USD: '6000.00', USDT: '6000.000000' },
    });
    const stream = accountStream(users[0] ?? '');
    const { events } = await accounts.execute(
      stream,
      { type: 'AdjustWallet', prices, entries: [{ currency: 'BTC', amount: 1n }] },
      contextOf('after'),
    );
    expect(events[0]).toMatchObject({ revision: 4, data: { after: { wallet: 11_001n } } });
    await checkLog(store);
  });

  test('tell what the log failed with', async () => {
    await openAccounts();
    const gone = await openEngines({ dataFolder: join(folder, 'gone') }, 'serve');
    await gone.close();
    const run = bonusTick({
      readStore: allDue,
      workers: () => bonusWorkerThreads({ engines: gone, stateCacheBytes: CACHE, clock, threads: 1 }),
      settingsInForce: async () => ({ bonusPolicy: defaultBonusPolicy, prices, revision: -1 }),
      clock: Date.now,
    }).run(asked('one'));
    await expect(run).rejects.toMatchObject({ code: 'unavailable' });
    expect((await checkLog(store)).some(({ type }) => type === 'BonusAccrued')).toBe(false);
  });
});
