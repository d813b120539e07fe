import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join as pathJoin } from 'node:path';
import { until } from '#kernel/testing';
import {
  credit,
  join,
  keyed,
  requestTransfer,
  setPin,
  startLode,
  type Lode,
  type Person,
} from '../lode/testing/index.js';

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
    await until(async () => (await reactors()).every(({ state }) => state === 'current'));
    expect((await accountOf(ann)).bonus).toEqual(bonus);
    expect((await accountOf(admin)).bonus).toBeNull();
  });
});

const reactors = async () => (await admin.api.get('reactors')).items;

describe('what an admin sees of the processes', () => {
  test('in health and metrics that all is well', async () => {
    const health = async () => (await lode.visitor.get('healthReady')).checks;
    let checks = await health();
    await until(async () => {
      checks = await health();
      return !String(checks['reactors']).includes('behind');
    });
    expect(checks).toMatchObject({
      reactors: 'transfers current, access current, erasure current',
      transfers: '0 stand still',
    });
    const { text } = await lode.visitor.call('metrics');
    expect(text).toContain('lode_reactor_parked_events{reactor="transfers"} 0');
    expect(text).toContain('lode_transfers_stalled 0');
  });

  test('how far the reactors are, and that nothing is owed', async () => {
    await until(async () => (await reactors()).every(({ state }) => state === 'current'));
    const idle = { state: 'current', secondsBehind: 0, owed: 0, parked: [], failing: null };
    expect(await reactors()).toMatchObject([
      { name: 'transfers', ...idle },
      { name: 'access', ...idle },
      { name: 'erasure', ...idle },
    ]);
    expect((await admin.api.get('retryReactors')).items).toHaveLength(3);
  });

  test('when the tick runs, what it did, and a run by hand', async () => {
    const { run, message } = await admin.api.get('runBonusTick');
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
  });

  test('follows the policy that an admin sets', async () => {
    const policy = { rate: '0.10', windowDays: 7, everyHours: 2, capDays: 7, currency: 'USDT' };
    await admin.api.get('setBonusPolicy', { body: { policy }, headers: keyed(randomUUID()) });
    const [tick] = (await admin.api.get('jobs')).items;
    expect(tick?.everySeconds).toBe(2 * 3_600);
  });
});
