import { afterAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { jobLimits } from '#jobs';
import { comparePositions, logStart, positionOf } from '#kernel';
import { accountStream } from '#ledger';
import {
  checkBooks,
  checkRepeated,
  checkShown,
  codeOf,
  createWork,
  customersAtWork,
  dataFolder,
  drawnFrom,
  eventsOfRoute,
  finished,
  firstAdmin,
  IDLE,
  idleCustomers,
  isDone,
  openAccount,
  SEED,
  startProgram,
  tell,
  testedOn,
  type Customer,
  type Listening,
  type Person,
} from './testing/index.js';

/** How often the program is killed; thousands of times when somebody has the night. */
const KILLS = Number(process.env['LODE_KILLS'] ?? 8);
/** On a busy machine fewer kills are enough, unless their number is given or what they are to tell of has not come up. */
const ENOUGH_MS = process.env['LODE_KILLS'] === undefined ? 18_000 : Infinity;
/** A kill comes after a time drawn between these, in milliseconds. */
const KILL_MS = { first: 5, last: testedOn.length === 0 ? 900 : 2_500 };
/** Commands of a round that are sent once more after it. */
const REPEATED = 12;
/** In Redis a run of a killed program is nobody's until its lock has run out. */
const LOCK_MS = testedOn.includes('redis') ? 2 * jobLimits.leaseMs : 0;
/** A minute for the start and the end, and for each kill several times what a start takes. */
const TEST_MS = 60_000 + KILLS * (6_000 + LOCK_MS);
/** Days that they wait for, and what these pay of a wallet by the policy in force from the first. */
const BONUS_DAYS = 3;
const BONUS = '30.00';

/** What may be refused: somebody has not enough, or the program looks up no more account numbers for now. */
const REFUSALS = ['insufficient_balance', 'rate_limited'];

const folder = dataFolder();
let program: Listening | undefined;

afterAll(async () => {
  const isOver = (program?.child.exitCode ?? null) !== null;
  program?.child.kill('SIGKILL');
  await program?.ended;
  await folder.remove();
  if (isOver) throw new Error(`the program ended by itself:\n${program?.printed.err}`);
});

/** A program with customers who have money, and many who wait. */
async function prepared(): Promise<{ admin: Person; customers: readonly Customer[]; idle: string[] }> {
  const idle = [...(await idleCustomers(folder.path, KILLS * IDLE, BONUS_DAYS))];
  program = await startProgram(folder.path);
  const admin = await firstAdmin(program);
  return { admin, customers: await customersAtWork(program.visitor, admin), idle };
}

test(
  `after kills at random every command that was answered is there once, and every other at most once (seed ${SEED})`,
  async () => {
    const draw = drawnFrom(SEED);
    const { admin, customers, idle } = await prepared();
    const work = createWork({ admin, customers, idle, draw });
    const { sent, send } = work;
    const before = positionOf(Number((await admin.api.get('projections')).head));
    let cut = 0;
    const isTelling = () =>
      cut > 0 &&
      (['confirmWithdrawal', 'confirmTransfer', 'activate'] as const).every((route) =>
        sent.some((command) => command.route === route && isDone(command)),
      );

    const began = Date.now();
    for (let kill = 0; kill < KILLS && (Date.now() - began < ENOUGH_MS || !isTelling()); kill += 1) {
      if (program === undefined) throw new Error('the program runs');
      const { visitor, child, ended } = program;
      const answered = sent.filter(isDone).length;
      const working = work.run(visitor, () => child.killed);
      setTimeout(() => child.kill('SIGKILL'), KILL_MS.first + draw() * (KILL_MS.last - KILL_MS.first));
      await once(child, 'exit');
      await Promise.all([working, ended]);
      cut += sent.filter(({ answer }) => answer === undefined).length;
      program = await startProgram(folder.path);
      expect(await finished(program.visitor, admin)).toEqual([]);
      await checkBooks(folder.path, work);
      await checkRepeated(
        folder.path,
        work,
        program.visitor,
        sent.filter(isDone).slice(answered).slice(-REPEATED),
      );
    }

    if (program === undefined) throw new Error('the program runs');
    const { visitor } = program;
    // What was never answered is sent once more with its key: after this, everything was.
    for (const command of sent.filter(({ answer }) => answer === undefined)) {
      expect(await send(visitor, command)).toBe(true);
    }
    const refused = sent
      .filter((command) => !isDone(command))
      .map(({ answer }) => codeOf(answer ?? { text: '{}' }));
    expect(refused.filter((code) => !REFUSALS.includes(code ?? ''))).toEqual([]);
    const api = visitor.as(admin.api.token);
    const { head } = await api.get('projections');
    await api.get('totals', { headers: { 'Lode-Position': head } });
    await api.get('runBonusTick', { body: { reason: 'a test' } });
    expect(await finished(visitor, admin)).toEqual([]);

    const { events, accounts } = await checkBooks(folder.path, work);
    const made = events.filter(
      ({ type, position }) =>
        comparePositions(position, before) > 0 &&
        (Object.values(eventsOfRoute).flat() as string[]).includes(type),
    );
    expect(made.map(({ meta }) => meta.commandId).sort()).toEqual(sent.filter(isDone).map(work.idOf).sort());
    const letIn = sent.filter(({ route }) => route === 'activate').map(({ userId }) => accountStream(userId));
    const bonuses = events.filter(({ type }) => type === 'BonusAccrued');
    expect(bonuses.map(({ stream }) => stream).sort()).toEqual(letIn.sort());
    for (const { data } of bonuses) expect(data).toMatchObject({ days: BONUS_DAYS, amount: BONUS });
    const last = events.at(-1)?.position ?? logStart;
    for (const customer of customers) {
      const account = openAccount(accounts.get(accountStream(customer.person.userId)));
      await checkShown(visitor, customer, account, last);
    }
    expect(await tell(folder.path, 'verify')).toMatchObject({ code: 0, json: { wrong: [] } });
    // It has done something, and it was killed in the middle of it.
    const types = new Set(events.map(({ type }) => type));
    for (const type of ['WithdrawalConfirmed', 'TransferSettled', 'BonusAccrued'])
      expect(types).toContain(type);
    expect(cut).toBeGreaterThan(0);
  },
  TEST_MS,
);
