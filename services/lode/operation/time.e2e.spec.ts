import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join as pathJoin } from 'node:path';
import { logStart, type RecordedEvent } from '#kernel';
import { describeWhere, until } from '#kernel/testing';
import {
  canSetClocks,
  createSetClock,
  credit,
  dataFolder,
  firstAdmin,
  inspect,
  join,
  keyed,
  killAll,
  lodeWith,
  problemIn,
  requestFunding,
  signIn,
  startProgram,
  tellWith,
  upload,
  type Listening,
  type Person,
  type SetClock,
} from '../testing/index.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Both instants. */
const NOT_ACCEPTED =
  /^The clock of the server says \d{4}-\S+Z, and the latest time that is known is \d{4}-\S+Z: nothing is written/;

let folder: ReturnType<typeof dataFolder>;
let clockFolder: string;
let clock: SetClock;
const programs: Listening[] = [];
beforeEach(() => {
  folder = dataFolder();
  clockFolder = mkdtempSync(pathJoin(tmpdir(), 'lode-time-'));
  clock = createSetClock(clockFolder);
});
afterEach(async () => {
  await killAll(programs);
  await folder.remove();
  rmSync(clockFolder, { recursive: true });
});

async function start(): Promise<Listening> {
  const program = await startProgram(folder.path, clock.env);
  programs.push(program);
  return program;
}

async function stop({ child, ended }: Listening): Promise<void> {
  child.kill('SIGTERM');
  expect(await ended).toEqual({ code: 0, signal: null });
}

const accept = (...args: readonly string[]) =>
  tellWith({ env: clock.env }, folder.path, 'accept-clock', ...args);

async function eventsIn(): Promise<readonly RecordedEvent[]> {
  const log = await (await inspect(folder.path)).openLog();
  try {
    return await log.readAll(logStart, 1_000);
  } finally {
    await log.close();
  }
}

const walletOf = async ({ api, userId }: Person) =>
  (await api.get('account', { params: { userId } })).wallet.balance;

/** What a funding request answers, with evidence that was uploaded before. */
const ask = ({ api }: Person, evidenceId: string, key: string = randomUUID()) =>
  api.call('requestFunding', { body: { amount: '10.00', currency: 'BTC', evidenceId }, headers: keyed(key) });

/** Sends the same request until the clock is accepted, and tells how it is answered then. */
async function askUntilAccepted(person: Person, evidenceId: string): Promise<number> {
  const key = randomUUID();
  let { status } = await ask(person, evidenceId, key);
  while (status === 503) ({ status } = await ask(person, evidenceId, key));
  return status;
}

/** A program with an admin and a customer who has a hundred dollars and a bonus cycle that has begun. */
async function begin() {
  const program = await start();
  const admin = await firstAdmin(program);
  const customer = await join(program.visitor, 'Carl');
  await credit(admin, customer, { USDT: '100.00' });
  await until(async () => (await eventsIn()).some(({ type }) => type === 'BonusCycleStarted'));
  return { program, admin, customer };
}

/** Commands of all kinds are refused with both instants, and all else goes on. */
async function expectHeld(program: Listening, customer: Person, admin: Person, evidenceId: string) {
  const refused = await ask(customer, evidenceId);
  expect(problemIn(refused)).toMatchObject({
    status: 503,
    code: 'unavailable',
    detail: expect.stringMatching(NOT_ACCEPTED),
  });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  for (const [name, body] of [
    ['runBonusTick', { reason: 'a test' }],
    ['inviteAdmin', {}],
  ] as const)
    expect((await admin.api.call(name, { body, headers: keyed() })).status).toBe(503);
  const body = { oldPassword: customer.password, newPassword: 'another password' };
  expect((await customer.api.call('changePassword', { body })).status).toBe(503);
  // What is to leave a trace is not given; what people read of themselves is.
  const { userId } = customer;
  expect((await admin.api.call('account', { params: { userId } })).status).toBe(503);
  expect((await admin.api.call('events', { query: { format: 'csv' } })).status).toBe(503);
  for (const headers of [{ accept: 'text/csv' }, {}]) {
    const query = 'accept' in headers ? {} : { format: 'csv' };
    expect((await program.visitor.call('products', { query, headers })).status).toBe(503);
  }
  expect((await program.visitor.call('products')).status).toBe(200);
  for (const { api } of [customer, admin]) {
    const told = await api.get('clock');
    expect(told.accepted).toBe(false);
    expect(Math.abs(Date.parse(told.clock) - Date.parse(told.known))).toBeGreaterThan(MINUTE);
  }
  const doctor = await lodeWith({ env: clock.env }, folder.path, 'doctor');
  expect(doctor.out).toMatch(/^WRONG: The clock of the server says /m);
  await admin.api.get('events');
  const metrics = await (await fetch(`${program.visitor.address}/metrics`)).text();
  expect(metrics).toMatch(/^lode_clock_not_accepted 1$/m);
  // Sessions are begun and ended.
  const other = await signIn(program.visitor, customer);
  expect((await other.api.call('signOut', { headers: { Cookie: other.cookie } })).status).toBe(200);
  expect((await other.api.call('me')).status).toBe(401);
  expect((await program.visitor.call('refresh', { headers: { Cookie: other.cookie } })).status).toBe(401);
  // A refusal that writes nothing is told as ever.
  expect((await ask(customer, 'no such evidence')).status).toBeGreaterThanOrEqual(400);
  const ready = await program.visitor.get('healthReady');
  expect(ready.checks['clock']).toMatch(NOT_ACCEPTED);
}

describeWhere(canSetClocks, 'the time', 'libfaketime is not installed', () => {
  test('that a program was stopped for is paid for: three days of the bonus', async () => {
    const { program, customer } = await begin();
    await stop(program);
    clock.set(3 * DAY + MINUTE);
    const later = await start();
    const again = await signIn(later.visitor, customer);
    // Ten per cent of a hundred dollars for each day.
    await until(async () => (await walletOf(again)) === '130.00');
    await stop(later);
    expect((await tellWith({ env: clock.env }, folder.path, 'verify')).json['wrong']).toEqual([]);
  });

  test.each([
    ['400 days ahead', 400 * DAY],
    ['eight years behind', -8 * 365 * DAY],
  ])(
    'that is %s at the start moves and deletes nothing, and put right all is as if nothing had happened',
    async (_, aheadMs) => {
      const { program, customer, admin } = await begin();
      const evidenceId = await upload(customer);
      await stop(program);
      const before = await eventsIn();

      clock.set(aheadMs);
      const tick = await tellWith({ env: clock.env }, folder.path, 'tick');
      expect(tick).toMatchObject({
        code: 1,
        json: { code: 'unavailable', message: expect.stringMatching(NOT_ACCEPTED) },
      });
      expect(await eventsIn()).toEqual(before);
      const wrong = await start();
      const [carl, ada] = [await signIn(wrong.visitor, customer), await signIn(wrong.visitor, admin)];
      await expectHeld(wrong, carl, ada, evidenceId);
      expect(await walletOf(carl)).toBe('100.00');
      expect(await eventsIn()).toEqual(before);
      const doctor = await lodeWith({ env: clock.env }, folder.path, 'doctor');
      expect(doctor.out).toMatch(/^WRONG: The clock of the server says /m);

      clock.set(0);
      const rightFrom = Date.now();
      expect(await askUntilAccepted(carl, evidenceId)).toBe(201);
      const after = (await eventsIn()).slice(before.length);
      expect(after.map(({ type }) => type)).toEqual(['FundingRequested']);
      const at = Date.parse(after[0]?.at ?? '');
      expect(at).toBeGreaterThanOrEqual(rightFrom);
      expect(at).toBeLessThanOrEqual(Date.now());
      // Who was signed in before is so still.
      await wrong.visitor.as(customer.api.token).get('me');
      await stop(wrong);
      expect((await tellWith({ env: clock.env }, folder.path, 'verify')).json['wrong']).toEqual([]);
    },
  );

  test('that jumps while the program runs is not gone by until it is put right', async () => {
    const { program, customer, admin } = await begin();
    for (const aheadMs of [DAY, -DAY]) {
      const evidenceId = await upload(customer);
      const before = await eventsIn();
      clock.set(aheadMs);
      await expectHeld(program, customer, admin, evidenceId);
      expect(await eventsIn()).toEqual(before);
      clock.set(0);
      expect(await askUntilAccepted(customer, evidenceId)).toBe(201);
      expect((await customer.api.get('clock')).accepted).toBe(true);
      const doctor = await lodeWith({ env: clock.env }, folder.path, 'doctor');
      expect(doctor.out).not.toContain('The clock of the server says');
    }
  });

  test('is accepted beside the program that runs, and lowered with a reason after it was accepted wrongly', async () => {
    const { program, customer } = await begin();
    const evidenceId = await upload(customer);
    await stop(program);

    clock.set(400 * DAY);
    const wrong = await start();
    const carl = await signIn(wrong.visitor, customer);
    expect((await ask(carl, evidenceId)).status).toBe(503);
    expect(await accept()).toMatchObject({ code: 0, json: { ok: true, outcome: 'accepted' } });
    expect(await accept()).toMatchObject({ code: 0, json: { ok: true, outcome: 'accepted before' } });
    const later = await signIn(wrong.visitor, customer);
    expect((await requestFunding(later, '10.00')).requestId).toMatch(/^\w{34}$/);
    await stop(wrong);

    clock.set(0);
    const right = await start();
    expect((await right.visitor.get('healthReady')).checks['clock']).toMatch(NOT_ACCEPTED);
    await stop(right);
    expect(await accept()).toMatchObject({ code: 1, json: { code: 'setting_invalid' } });
    const reason = 'The server had been set to a wrong year.';
    expect(await accept('--reason', reason)).toMatchObject({ json: { outcome: 'accepted' } });
    const again = await start();
    const back = await signIn(again.visitor, customer);
    expect((await requestFunding(back, '20.00')).requestId).toMatch(/^\w{34}$/);
    await stop(again);

    const events = await eventsIn();
    expect(events.filter(({ type }) => type === 'ClockAccepted')).toMatchObject([
      { data: { instant: expect.stringMatching(/Z$/), was: expect.stringMatching(/Z$/) } },
      { data: { reason }, meta: { reason, actor: { kind: 'operator' } } },
    ]);
    // None is stamped before the one before it in its stream, and the next start goes by the clock as it is.
    const lastAt = new Map<string, string>();
    for (const { stream, at } of events) {
      expect(at >= (lastAt.get(stream) ?? '')).toBe(true);
      lastAt.set(stream, at);
    }
    expect((await (await start()).visitor.get('healthReady')).checks['clock']).toBe('accepted');
    expect((await tellWith({ env: clock.env }, folder.path, 'verify')).json['wrong']).toEqual([]);
  });
});

describe('a clock', () => {
  test('that nothing is wrong with needs no acceptance', async () => {
    const program = await startProgram(folder.path);
    programs.push(program);
    expect((await program.visitor.get('healthReady')).checks['clock']).toBe('accepted');
    const { json } = await tellWith({}, folder.path, 'accept-clock');
    expect(json).toMatchObject({ ok: true, outcome: 'accepted before' });
  });
});
