import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join as pathJoin } from 'node:path';
import { until } from '#kernel/testing';
import {
  credit,
  join,
  keyed,
  lastEvent,
  problemIn,
  requestTransfer,
  setPin,
  startLode,
  type Lode,
  type Person,
} from '../../lode/testing/index.js';

let lode: Lode;
let admin: Person;
let ann: Person;
let bob: Person;
/** Where the log stood when both were there. */
let begun: string;

beforeAll(async () => {
  lode = await startLode();
  ({ admin } = lode);
  [ann, bob] = [await join(lode.visitor, 'Ann'), await join(lode.visitor, 'Bob')];
  begun = (await credit(admin, ann, { BTC: '100.00' })).position;
  await setPin(ann);
});
afterAll(() => lode.stop());

/** An account as the admin sees it: its person may be kept out. */
const accountOf = ({ userId }: Person) =>
  admin.api.get('account', { params: { userId }, headers: { 'Lode-Position': begun } });

/** Asks for a transfer from Ann to Bob. */
async function asked(amount: string): Promise<string> {
  const { accountNumber } = await accountOf(bob);
  return (await requestTransfer(ann, accountNumber, amount)).requestId;
}

async function confirm(requestId: string): Promise<void> {
  const params = { userId: ann.userId, requestId };
  await admin.api.get('confirmTransfer', { params, body: {}, headers: keyed() });
}

const available = async (person: Person) => (await accountOf(person)).wallet.available;

describe('a confirmed transfer', () => {
  test('arrives at its receiver by itself', async () => {
    await confirm(await asked('30.00'));
    await until(async () => (await available(bob)) === '30.00');
    expect(await available(ann)).toBe('70.00');
    expect(await admin.api.get('stalledTransfers')).toEqual({ afterSeconds: 60, items: [] });
  });

  test('comes back when its receiver can not take it', async () => {
    const requestId = await asked('10.00');
    await admin.api.get('suspend', { params: { userId: bob.userId }, body: {}, headers: keyed() });
    await confirm(requestId);
    await until(async () => {
      const { items } = await ann.api.get('ownTransfers', { params: { userId: ann.userId }, query: {} });
      return items.find((one) => one.id === requestId)?.delivery === 'returned';
    });
    expect([await available(ann), await available(bob)]).toEqual(['70.00', '30.00']);
    await admin.api.get('activate', { params: { userId: bob.userId }, body: {}, headers: keyed() });
  });
});

describe('the first sign-in', () => {
  test('starts the bonus cycle, once; an admin has none', async () => {
    await until(async () => (await accountOf(ann)).bonus !== null);
    const { bonus } = await accountOf(ann);
    expect(bonus).toMatchObject({ bonusDays: 0, updatedTime: bonus?.startDate });
    await lode.visitor.get('signIn', { body: { email: ann.email, password: ann.password } });
    await reactorsAtRest();
    expect((await accountOf(ann)).bonus).toEqual(bonus);
    expect((await accountOf(admin)).bonus).toBeNull();
  });
});

const reactors = async () => (await admin.api.get('reactors')).items;
/** What is told of them at a moment when none has anything to do. */
const reactorsAtRest = () =>
  until(async () => {
    const items = await reactors();
    return items.every(({ state }) => state === 'current') && items;
  });

describe('what an admin sees of the processes', () => {
  test('in health and metrics that all is well', async () => {
    const checks = await until(async () => {
      const health = await lode.visitor.get('healthReady');
      return !String(health.checks['reactors']).includes('behind') && health.checks;
    });
    expect(checks).toMatchObject({
      reactors: 'transfers current, access current, changes current, erasure current',
      transfers: '0 stand still',
    });
    const { text } = await lode.visitor.call('metrics');
    expect(text).toContain('lode_reactor_parked_events{reactor="transfers"} 0');
    expect(text).toContain('lode_transfers_stalled 0');
  });

  test('how far the reactors are, and that nothing is owed', async () => {
    const idle = { state: 'current', secondsBehind: 0, owed: 0, parked: [], failing: null };
    expect(await reactorsAtRest()).toMatchObject([
      { name: 'transfers', ...idle },
      { name: 'access', ...idle },
      { name: 'changes', ...idle },
      { name: 'erasure', ...idle },
    ]);
    expect((await admin.api.get('retryReactors')).items).toHaveLength(4);
  });

  test('what the next tick would pay, also by another policy, and that nothing came of it', async () => {
    const shown = await admin.api.get('bonusPreview');
    expect(shown).toMatchObject({
      policy: { rate: '0.10', capDays: 7 },
      items: [],
      sum: { accounts: 0, days: 0, amount: '0.00', refused: 0, isWhole: true },
    });
    const before = await lastEvent(admin);
    const query = { rate: '0.5', windowDays: '10', everyHours: '168', capDays: '3', currency: 'BTC' };
    const asked = Date.now();
    const { at, policy, items, sum } = await admin.api.get('bonusPreview', { query });
    expect(policy).toEqual({ rate: '0.5', windowDays: 10, everyHours: 168, capDays: 3, currency: 'BTC' });
    expect(sum.accounts).toBe(items.length);
    expect(Date.parse(at)).toBeGreaterThan(asked);
    expect(await lastEvent(admin)).toBe(before);
    for (const wrong of [{ rate: '2' }, { capDays: '0' }, { everyHours: 'often' }, { currency: 'USD' }])
      expect((await admin.api.call('bonusPreview', { query: wrong })).status).toBe(400);
  });

  test('when the tick runs, what it did, and a run by hand', async () => {
    for (const body of [{}, { reason: ' ' }])
      expect(problemIn(await admin.api.call('runBonusTick', { body })).code).toBe('validation_failed');
    const { run, message } = await admin.api.get('runBonusTick', { body: { reason: 'The last run failed' } });
    expect(run).toMatchObject({ cause: 'hand', slot: expect.stringMatching(/Z$/) });
    expect(message).toMatch(/^The bonus tick (runs|will run next)\.$/);
    const shown = async () => (await admin.api.get('jobs')).items;
    await until(async () => (await shown())[0]?.runs.find(({ id }) => id === run.id)?.state === 'done');
    const [tick] = await shown();
    expect(tick).toMatchObject({ kind: 'bonus-tick', everySeconds: 7 * 3_600 });
    expect(tick?.runs.map(({ cause }) => cause).toSorted()).toEqual(['hand', 'schedule']);
    expect(tick?.runs.find(({ id }) => id === run.id)?.report).toMatchObject({
      due: 0,
      accrued: 0,
      failed: 0,
      amounts: { USD: '0.00' },
      policy: { rate: '0.10' },
    });
    expect(existsSync(pathJoin(lode.folder, 'processes.sqlite'))).toBe(true);
    const params = { slot: run.slot };
    const results = await admin.api.get('tickResults', { params, query: {} });
    expect(results).toEqual({ items: [], first: 1, next: null, previous: null });
  });

  test('has any job run by hand, and both runs are orders in the log', async () => {
    const { run, message } = await admin.api.get('runJob', { params: { job: 'file-sweep' } });
    expect(run).toMatchObject({ cause: 'hand' });
    expect(message).toMatch(/^The job (runs|will run next)\.$/);
    const refused = problemIn(await admin.api.call('runJob', { params: { job: 'nothing' } }));
    expect([refused.status, refused.detail]).toEqual([404, 'There is no job nothing.']);
    const query = { type: 'OperationOrdered', order: 'oldest' } as const;
    const ordered = async () => (await admin.api.get('events', { query })).items.map(({ data }) => data);
    const because = (await admin.api.get('events', { query })).items.map(({ meta }) => meta.reason);
    expect(because.filter((reason) => reason !== undefined)).toEqual(['The last run failed']);
    // The order is written before the run begins, and read once the list has it.
    await until(async () => (await ordered()).some(({ about }) => about === 'file-sweep'));
    expect(await ordered()).toEqual([
      { operation: 'retry' },
      { operation: 'run job', about: 'bonus-tick' },
      { operation: 'run job', about: 'file-sweep' },
    ]);
  });

  test('follows the policy that an admin sets', async () => {
    const policy = { rate: '0.10', windowDays: 7, everyHours: 2, capDays: 7, currency: 'USDT' };
    await admin.api.get('setBonusPolicy', {
      body: { policy, reason: 'a test' },
      headers: keyed(randomUUID()),
    });
    const [tick] = (await admin.api.get('jobs')).items;
    expect(tick?.everySeconds).toBe(2 * 3_600);
  });
});

describe('what an admin sees of the program', () => {
  test('what it is set to, and where each value comes from', async () => {
    const { version, items } = await admin.api.get('systemSettings');
    expect(version).toMatch(/^\d+\.\d+\.\d+/);
    expect(items).toContainEqual({ name: 'LODE_OPEN_REQUESTS', value: '20', source: 'default' });
  });

  test('its engines, each of which answers, and the clock beside the log', async () => {
    const { items, clock } = await admin.api.get('systemEngines');
    expect(items.map(({ part }) => part)).toEqual(['log', 'read models', 'identity', 'files', 'jobs']);
    for (const { answersInMs, failure } of items) {
      expect(answersInMs).toBeGreaterThanOrEqual(0);
      expect(failure).toBeNull();
    }
    expect(clock.accepted).toBe(true);
    expect(Date.parse(clock.lastEventAt ?? '')).toBeLessThanOrEqual(Date.parse(clock.clock));
  });
});
