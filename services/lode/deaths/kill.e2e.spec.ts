import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { jobLimits } from '#jobs';
import { comparePositions, logStart, positionOf } from '#kernel';
import { accountStream } from '#ledger';
import { everyPart } from '../parts.js';
import {
  checkBooks,
  checkNothingLost,
  checkRepeated,
  checkShown,
  codeOf,
  createCluster,
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
  killInTurn,
  openAccount,
  SEED,
  serverNames,
  signIn,
  startProgram,
  tell,
  testedOn,
  type Customer,
  type Listening,
  type Load,
  type Person,
} from '../testing/index.js';

/** How often the program is killed; `LODE_KILLS` sets another number. */
const KILLS = Number(process.env['LODE_KILLS'] ?? 8);
/** A kill comes after a drawn number of answered commands: from 1 to this. Others are in flight then. */
const ANSWERS_MAX = 25;
/** Commands of a round that are sent once more after it. */
const REPEATED = 12;
/** In Redis a run of a killed program is nobody's until its lock has run out. */
const LOCK_MS = testedOn.includes('redis') ? 2 * jobLimits.leaseMs : 0;
/** Ends a test that hangs: many times what the work takes on a busy, slow machine. */
const TEST_MS = 600_000 + KILLS * (60_000 + LOCK_MS);
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

/** The routes whose answers the test needs of its work. */
const NEEDED = ['confirmWithdrawal', 'confirmTransfer', 'activate'] as const;

test(
  `after kills at random every command that was answered is there once, and every other at most once (seed ${SEED})`,
  async () => {
    // Its own sequence: how often the customers draw depends on the order of their answers.
    const drawKill = drawnFrom(`${SEED} kills`);
    const { admin, customers, idle } = await prepared();
    let untilKill = Infinity;
    const onAnswer = () => {
      untilKill -= 1;
      if (untilKill === 0) program?.child.kill('SIGKILL');
    };
    const work = createWork({ admin, customers, idle, draw: drawnFrom(SEED), onAnswer });
    const { sent, send } = work;
    const before = positionOf(Number((await admin.api.get('projections')).head));
    let cut = 0;
    const hasDoneAll = () =>
      NEEDED.every((route) => sent.some((command) => command.route === route && isDone(command)));

    // A kill can interrupt no command: then there is another, as often again at most.
    for (let kill = 0; kill < KILLS || (cut === 0 && kill < 2 * KILLS); kill += 1) {
      if (program === undefined) throw new Error('the program runs');
      const { visitor, child, ended } = program;
      const answered = sent.filter(isDone).length;
      untilKill = 1 + Math.floor(drawKill() * ANSWERS_MAX);
      await work.run(visitor, () => child.killed || child.exitCode !== null || child.signalCode !== null);
      expect(await ended).toEqual({ code: null, signal: 'SIGKILL' });
      cut += sent.filter(({ answer }) => answer === undefined).length;
      program = await startProgram(folder.path);
      expect(await finished(program.visitor, await signIn(program.visitor, admin))).toEqual([]);
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
    if (!hasDoneAll()) await work.run(visitor, hasDoneAll);
    // What was never answered is sent once more with its key: after this, everything was.
    for (const command of sent.filter(({ answer }) => answer === undefined)) {
      expect(await send(visitor, command)).toBe(true);
    }
    const refused = sent
      .filter((command) => !isDone(command))
      .map(({ answer }) => codeOf(answer ?? { text: '{}' }));
    expect(refused.filter((code) => !REFUSALS.includes(code ?? ''))).toEqual([]);
    const again = await signIn(visitor, admin);
    const { api } = again;
    const { head } = await api.get('projections');
    await api.get('totals', { headers: { 'Lode-Position': head } });
    await api.get('runBonusTick', { body: { reason: 'a test' } });
    expect(await finished(visitor, again)).toEqual([]);

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
      await checkShown(visitor, { person: await signIn(visitor, customer.person) }, account, last);
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

/** On all four servers, several programs of each part share them. */
if (serverNames.every((name) => testedOn.includes(name)))
  describe('two of each program (doubles of two servers)', () => {
    const cluster = createCluster(2);
    let load: Load;

    beforeAll(async () => {
      load = await cluster.start(1);
    }, TEST_MS);
    afterAll(() => cluster.stop());

    test(
      `lose nothing, do nothing twice and leave nothing half done when one of each is killed under load (seed ${SEED})`,
      async () => {
        await killInTurn(cluster, load, everyPart.length);
        await checkNothingLost(cluster, load);
      },
      TEST_MS,
    );
  });
