import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { setImmediate } from 'node:timers/promises';
import { createExecutor } from '#commands';
import { contextOf, damaged, withFaults } from '#commands/testing';
import type { EventStore } from '#event-store';
import { createMemoryEventStore } from '#event-store/memory';
import { checkLog } from '#event-store/testing';
import type { JobReport } from '#jobs';
import type { RecordedEvent } from '#kernel';
import {
  accountDecider,
  accountStream,
  defaultBonusPolicy,
  MAX_MINOR,
  PRICE_SCALE,
  type AccountCommand,
  type BonusPolicy,
} from '#ledger';
import { accounts as accountsModel, openPersonalData } from '#projections';
import { decryptForTests } from '#projections/testing';
import type { Document, ReadStoreReader } from '#read-store';
import { bonusTick } from './bonus-tick.js';
import { localBonusWorkers } from './bonus-workers.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.parse('2026-03-01T10:00:00.000Z');
/** The revision of the settings that the ticks go by. */
const SETTINGS = 7;
const ONE = 10n ** BigInt(PRICE_SCALE);
const prices = { BTC: 60_000n * ONE, PI: ONE / 2n, USDT: ONE };
const users = ['anna', 'boris', 'clara'] as const;
type User = (typeof users)[number];

/** The read model as the fold of so many events of the log: what a projector that lags shows. */
async function rowsOf(log: readonly RecordedEvent[]): Promise<readonly Document[]> {
  const documents = new Map<string, Document>();
  const open = openPersonalData(decryptForTests);
  for (const event of log) {
    for (const { id, change } of accountsModel.on(await open(event))) {
      const after = change(documents.get(id));
      if (after !== undefined) documents.set(id, after);
    }
  }
  return [...documents.values()];
}

function readStoreOf(rows: () => Promise<readonly Document[]>): Pick<ReadStoreReader, 'keys'> {
  return {
    keys: async (_, query) => {
      const key = (row: Document) => [String(row['bonusNextDay']), row.id];
      const found = (await rows())
        .filter((row) => Object.entries(query.equals).every(([field, value]) => row[field] === value))
        .filter((row) => query.after === undefined || key(row).join('|') > query.after.join('|'))
        .sort((a, b) => (key(a).join('|') < key(b).join('|') ? -1 : 1));
      return found.slice(0, query.limit).map(key);
    },
  };
}

/** A ledger with a clock that the test sets, and ticks on it. */
function createBank(store: EventStore = createMemoryEventStore()) {
  let now = START;
  let keys = 0;
  let slots = 0;
  let policy: BonusPolicy = defaultBonusPolicy;
  const clock = () => now;
  const newExecutor = () => createExecutor({ store, decider: accountDecider, clock });
  const accounts = newExecutor();
  const log = () => checkLog(store);
  const reader = (lag: number) => {
    const seen = log().then((events) => rowsOf(events.slice(0, Math.max(0, events.length - lag))));
    return readStoreOf(() => seen);
  };
  return {
    log,
    pass: (ms: number) => (now += ms),
    now: () => now,
    setPolicy: (next: BonusPolicy) => (policy = next),
    send: (user: User, command: AccountCommand) =>
      accounts.execute(accountStream(user), command, contextOf(`key-${(keys += 1)}`)),
    open: async (user: User, cents: bigint) => {
      const stream = accountStream(user);
      const profile = `sealed ${user}`;
      const opening = {
        type: 'OpenAccount',
        userId: user,
        accountNumber: `30${user}`,
        role: 'user',
        profile,
      } as const;
      await accounts.execute(stream, opening, contextOf(`open ${user}`));
      if (cents > 0n) {
        const entries = [{ currency: 'USDT', amount: cents } as const];
        await accounts.execute(stream, { type: 'AdjustWallet', entries, prices }, contextOf(`fund ${user}`));
      }
    },
    walletOf: async (user: User) => {
      const { state } = await newExecutor().load(accountStream(user));
      return state.kind === 'open' ? state.available.USD + state.held.USD : undefined;
    },
    /** A run of the job: by a worker of its own, on a read model that lags by so many events. */
    tick: async (options: { lag?: number; signal?: AbortSignal; slot?: string } = {}): Promise<JobReport> => {
      const job = bonusTick({
        readStore: reader(options.lag ?? 0),
        workers: () => localBonusWorkers(newExecutor()),
        settingsInForce: async () => ({ bonusPolicy: policy, prices, revision: SETTINGS }),
        clock,
      });
      const slot = options.slot ?? `slot ${(slots += 1)}`;
      const signal = options.signal ?? new AbortController().signal;
      return job.run({ slot, attempt: 1, signal });
    },
  };
}

type Bank = ReturnType<typeof createBank>;

/** What a person should have, by the rule alone: written down a second time, without the ledger. */
type Expected = {
  wallet: bigint;
  status: 'active' | 'suspended';
  cycle?: { start: number; days: number; updated: number };
};

function accrueInModel(person: Expected, now: number): void {
  const { cycle, status } = person;
  if (cycle === undefined || status !== 'active' || now - cycle.updated < 7 * HOUR) return;
  const due = Math.min(Math.floor((now - cycle.start) / DAY), 7) - cycle.days;
  if (due <= 0) return;
  person.wallet += (person.wallet * BigInt(due)) / 10n;
  cycle.days += due;
  cycle.updated = now;
}

const user = fc.constantFrom(...users);
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('pass' as const), hours: fc.integer({ min: -30, max: 40 }) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('tick' as const),
      workers: fc.integer({ min: 1, max: 3 }),
      lag: fc.nat({ max: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('fund' as const),
      user,
      cents: fc.bigInt({ min: 1n, max: 999_999n }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('start' as const, 'restart' as const, 'stop' as const),
      user,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('Suspend' as const, 'Activate' as const), user }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

async function take(bank: Bank, model: ReadonlyMap<User, Expected>, taken: Step): Promise<void> {
  const policy = defaultBonusPolicy;
  switch (taken.do) {
    case 'pass':
      bank.pass(taken.hours * HOUR);
      return;
    case 'tick': {
      const behind = await rowsOf((await bank.log()).slice(0, -taken.lag || undefined));
      await Promise.all(Array.from({ length: taken.workers }, () => bank.tick({ lag: taken.lag })));
      // Whom a read model that lags does not show yet gets it at the next tick.
      for (const [id, person] of model) {
        const row = behind.find((one) => one.id === id);
        const cap = Number(row?.['bonusDay']) < 7 && row?.['bonusDay'] !== '';
        const shown =
          row?.['status'] === 'active' &&
          cap &&
          String(row['bonusNextDay']) <= new Date(bank.now()).toISOString();
        if (shown) accrueInModel(person, bank.now());
      }
      return;
    }
    default:
      break;
  }
  const person = model.get(taken.user);
  if (person === undefined) return;
  switch (taken.do) {
    case 'fund':
      await bank.send(taken.user, {
        type: 'AdjustWallet',
        entries: [{ currency: 'BTC', amount: taken.cents }],
        prices,
      });
      person.wallet += taken.cents;
      return;
    case 'start':
      await bank.send(taken.user, { type: 'StartBonusCycle', policy });
      person.cycle ??= { start: bank.now(), days: 0, updated: bank.now() };
      return;
    case 'restart':
      await bank.send(taken.user, { type: 'RestartBonusCycle', policy });
      person.cycle = { start: bank.now(), days: 0, updated: bank.now() };
      return;
    case 'stop':
      await bank.send(taken.user, { type: 'StopBonus', policy });
      person.cycle = { ...(person.cycle ?? { start: bank.now(), updated: bank.now() }), days: 7 };
      return;
    default:
      await bank.send(taken.user, { type: taken.do });
      person.status = taken.do === 'Suspend' ? 'suspended' : 'active';
  }
}

describe('the bonus tick', () => {
  test('asks for nobody before the read model can be read', async () => {
    const seen: string[] = [];
    const [store, clock] = [createMemoryEventStore(), () => START];
    const executor = createExecutor({ store, decider: accountDecider, clock });
    const job = bonusTick({
      readStore: {
        keys: async () => {
          seen.push('asked');
          return [];
        },
      },
      readable: async () => {
        for (let turn = 0; turn < 10; turn += 1) await setImmediate();
        seen.push('readable');
      },
      workers: () => localBonusWorkers(executor),
      settingsInForce: async () => ({ bonusPolicy: defaultBonusPolicy, prices, revision: SETTINGS }),
      clock,
    });
    await job.run({ slot: 'slot', attempt: 1, signal: new AbortController().signal });
    expect(seen.slice(0, 2)).toEqual(['readable', 'asked']);
  });

  test('pays everybody to the cent, run late, again, by several workers, behind the log, with the clock jumping', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const bank = createBank();
        const model = new Map<User, Expected>();
        for (const [n, one] of users.entries()) {
          await bank.open(one, BigInt(n) * 100_003n);
          model.set(one, { wallet: BigInt(n) * 100_003n, status: 'active' });
        }
        for (const taken of steps) {
          await take(bank, model, taken);
          for (const [id, { wallet }] of model)
            expect({ taken, id, wallet: await bank.walletOf(id) }).toEqual({ taken, id, wallet });
        }
        await bank.log();
      }),
      { numRuns: 25 },
    );
  });

  test('reports what it did, and a second one that there was nothing left', async () => {
    const bank = createBank();
    for (const [n, one] of users.entries()) {
      await bank.open(one, BigInt(n + 1) * 10_000n);
      await bank.send(one, { type: 'StartBonusCycle', policy: defaultBonusPolicy });
    }
    bank.pass(3 * DAY);
    await bank.send('clara', { type: 'Suspend' });
    expect(await bank.tick()).toEqual({
      due: 2,
      accrued: 2,
      days: 6,
      skipped: 0,
      failed: 0,
      amounts: { USD: '90.00', USDT: '90.000000' },
      failures: [],
      policy: defaultBonusPolicy,
      startedAt: '2026-03-04T10:00:00.000Z',
      endedAt: '2026-03-04T10:00:00.000Z',
    });
    expect(await bank.tick()).toMatchObject({ due: 0, accrued: 0, amounts: { USD: '0.00' } });
    expect(await bank.tick({ lag: 2 })).toMatchObject({ due: 2, accrued: 0, skipped: 2, days: 0 });
  });

  test('says whose bonus failed and why, and pays everybody else', async () => {
    const bank = createBank();
    await bank.open('anna', 10_000n);
    await bank.open('boris', MAX_MINOR / 10n ** 6n);
    for (const one of ['anna', 'boris'] as const)
      await bank.send(one, { type: 'StartBonusCycle', policy: defaultBonusPolicy });
    bank.pass(DAY);
    bank.setPolicy({ ...defaultBonusPolicy, rate: '100000' });
    const report = await bank.tick();
    expect(report).toMatchObject({
      due: 2,
      accrued: 1,
      failed: 1,
      failures: [{ userId: 'boris', code: 'amount_invalid' }],
    });
    expect(await bank.walletOf('anna')).toBe(10_000n + 10_000n * 100_000n);
  });

  test('pays everybody but those whose events can’t be read', async () => {
    const inner = createMemoryEventStore();
    const whole = createBank(inner);
    for (const one of users) {
      await whole.open(one, 10_000n);
      await whole.send(one, { type: 'StartBonusCycle', policy: defaultBonusPolicy });
    }
    const bank = createBank(damaged(inner, accountStream('anna')));
    bank.pass(DAY);
    expect(await bank.tick()).toMatchObject({
      due: 3,
      accrued: 2,
      failed: 1,
      failures: [{ userId: 'anna', code: 'storage_failed' }],
    });
  });

  test('is tried again after an engine failed, and pays once', async () => {
    const faulty = withFaults(createMemoryEventStore());
    const bank = createBank(faulty.store);
    for (const one of users) {
      await bank.open(one, 10_000n);
      await bank.send(one, { type: 'StartBonusCycle', policy: defaultBonusPolicy });
    }
    bank.pass(DAY);
    faulty.plan('storage_full', 'lost-answer', undefined);
    // One of them may have got it: that goes before what is known of another.
    await expect(bank.tick({ slot: 'one' })).rejects.toMatchObject({ code: 'unknown_outcome' });
    expect(await bank.tick({ slot: 'one', lag: 2 })).toMatchObject({ due: 3, accrued: 1, skipped: 2 });
    for (const one of users) expect(await bank.walletOf(one)).toBe(11_000n);
  });

  test('follows the policy in force, and keeps it in the event with the revision of the settings', async () => {
    const bank = createBank();
    await bank.open('anna', 10_000n);
    await bank.send('anna', { type: 'StartBonusCycle', policy: defaultBonusPolicy });
    const policy: BonusPolicy = { rate: '0.5', windowDays: 5, everyHours: 1, capDays: 5, currency: 'PI' };
    bank.setPolicy(policy);
    bank.pass(8 * DAY);
    expect(await bank.tick()).toMatchObject({
      days: 5,
      amounts: { USD: '250.00', PI: '500.0000000' },
      policy,
    });
    const [event] = (await bank.log()).slice(-1);
    expect(event).toMatchObject({
      type: 'BonusAccrued',
      data: { policy },
      meta: { actor: { id: 'bonus-tick' }, settings: SETTINGS },
    });
  });

  test('pays no day after the end of a cycle, however long the policy in force is', async () => {
    const bank = createBank();
    for (const one of ['anna', 'boris'] as const) await bank.open(one, 10_000n);
    await bank.send('anna', { type: 'StartBonusCycle', policy: defaultBonusPolicy });
    const longer: BonusPolicy = { ...defaultBonusPolicy, windowDays: 9, capDays: 9 };
    bank.setPolicy(longer);
    await bank.send('boris', { type: 'StartBonusCycle', policy: longer });
    bank.pass(20 * DAY);
    expect(await bank.tick()).toMatchObject({ accrued: 2, days: 7 + 9 });
    expect([await bank.walletOf('anna'), await bank.walletOf('boris')]).toEqual([17_000n, 19_000n]);
    bank.pass(DAY);
    expect(await bank.tick()).toMatchObject({ accrued: 0 });
  });

  test('ends when it is told to, and its next try does the rest', async () => {
    const bank = createBank();
    await bank.open('anna', 10_000n);
    await bank.send('anna', { type: 'StartBonusCycle', policy: defaultBonusPolicy });
    bank.pass(DAY);
    await expect(bank.tick({ signal: AbortSignal.abort(new Error('stop')), slot: 'one' })).rejects.toThrow(
      'stop',
    );
    expect(await bank.tick({ slot: 'one' })).toMatchObject({ accrued: 1 });
  });
});
