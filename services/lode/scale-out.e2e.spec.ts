import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { JOBS, REACTORS } from '#engines';
import { findVersitygw } from '#files/s3/testing';
import { redisServer } from '#jobs/bullmq/testing';
import { logStart } from '#kernel';
import { describeWhere, until } from '#kernel/testing';
import { accountStream } from '#ledger';
import { everyPart, type Part } from './parts.js';
import {
  buildsIn,
  checkBooks,
  checkLogIn,
  checkRepeated,
  checkShown,
  codeOf,
  createWork,
  customersAtWork,
  dataFolders,
  drawnFrom,
  firstAdmin,
  IDLE,
  idleCustomers,
  isDone,
  killAll,
  openAccount,
  SEED,
  serverNames,
  signIn,
  spreadOver,
  standOn,
  startProgram,
  startServers,
  tell,
  untilFolded,
  untilHolder,
  watchLeases,
  type Customer,
  type LeaseWatch,
  type Listening,
  type Person,
  type Servers,
  type Work,
} from './testing/index.js';

/* Three of each program on the same servers, killed one after another under load. */

const OF_EACH = 3;
/** How many are killed in all; `LODE_PROGRAM_KILLS` says otherwise. Each round kills one of each kind. */
const KILLS = Number(process.env['LODE_PROGRAM_KILLS'] ?? 12);
const ROUNDS = Math.ceil(KILLS / everyPart.length);
/** What programs have a lease of as long as they run it. */
const LEASES = [REACTORS, JOBS];
/** Customers at work: a light load, as all programs share one machine. */
const AT_WORK = 2;
/** What may be refused: somebody has not enough, or the program looks up no more account numbers for now. */
const REFUSALS = ['insufficient_balance', 'rate_limited'];
/** Days that they wait for, and what these pay of a wallet by the policy in force from the first. */
const BONUS_DAYS = 3;
const BONUS = '30.00';
/** Commands that are sent once more in the end. */
const REPEATED = 12;
const START_MS = 180_000;
const TEST_MS = 300_000 + KILLS * 20_000;

const isHere = redisServer !== undefined && findVersitygw() !== undefined;

describeWhere(isHere, 'three of each (doubles of two servers)', 'no redis-server or versitygw', () => {
  const { newFolder, removeFolders } = dataFolders();
  /** Of whoever looks at the servers beside the programs. */
  const folder = newFolder();
  const programs: Record<Part, Listening[]> = { api: [], projector: [], worker: [] };
  const all: Listening[] = [];
  /** The last start of each kind in the place of one that was killed, and the last of all: one at a time, as each needs a whole processor. */
  const replacing: Partial<Record<Part, Promise<void>>> = {};
  let starting = Promise.resolve();
  let servers: Servers;
  let leases: LeaseWatch;
  let admin: Person;
  let customers: readonly Customer[];
  let work: Work;

  /** A new program in a folder of its own, as in a new container: it has nothing of the one before. */
  const start = async (part: Part): Promise<void> => {
    const program = await startProgram(newFolder(), servers.env, { part });
    programs[part].push(program);
    all.push(program);
  };
  const proxy = spreadOver(() => programs.api.map(({ visitor }) => visitor));

  const untilMoneyMoved = async () => {
    const before = work.sent.filter(isDone).length;
    await until(() => work.sent.filter(isDone).length > before);
  };

  /** The number of the build that queries read of a model. */
  async function activeBuild(model: string): Promise<number> {
    const states = await buildsIn(folder);
    return (
      states.find(({ build, state }) => build.collection === model && state === 'active')?.build.number ?? 0
    );
  }

  beforeAll(async () => {
    servers = await startServers(serverNames);
    leases = await watchLeases(servers.get('mongodb').url);
    standOn(folder, servers);
    const idle = [...(await idleCustomers(folder, ROUNDS * IDLE, BONUS_DAYS))];
    await start('api');
    const [first] = programs.api;
    if (first === undefined) throw new Error('there is an API');
    // Each API that starts while there is no admin gives another link.
    admin = await firstAdmin(first);
    const others = async () => {
      for (let n = 0; n < OF_EACH; n++)
        await Promise.all(everyPart.map((part) => (programs[part].length > n ? undefined : start(part))));
    };
    const [joined] = await Promise.all([customersAtWork(proxy, admin), others()]);
    customers = joined.slice(0, AT_WORK);
    // Of what a server error says nobody knows what became of it, nor of what was not answered.
    const isOpen = ({ status }: { readonly status: number }) => status >= 500;
    work = createWork({ admin, customers, idle, draw: drawnFrom(SEED), isOpen });
  }, START_MS);
  afterAll(async () => {
    await leases.close();
    await killAll(all);
    await removeFolders();
  });

  /** The one of a kind that is killed next: who has a lease, by turns that of the projections and that of the reactors; else the oldest. */
  async function victimOf(part: Part, round: number): Promise<Listening> {
    if (part === 'projector') return untilHolder(programs.projector, round % 2 === 0 ? 'scrub' : 'reactors');
    const [oldest] = programs[part];
    if (oldest === undefined) throw new Error(`there is no ${part}`);
    return oldest;
  }

  /**
   * Kills one of a kind, and starts another in its place while the rest go on. Resolves once each lease was renewed by
   * somebody since, or taken over, money has moved, and every lane has what was there then.
   */
  async function kill(part: Part, round: number): Promise<void> {
    await replacing[part];
    const victim = await victimOf(part, round);
    programs[part] = programs[part].filter((one) => one !== victim);
    victim.child.kill('SIGKILL');
    await victim.ended;
    const before = await leases.ends();
    replacing[part] = starting = starting.then(() => start(part));
    starting.catch(() => undefined);
    await until(async () => {
      const now = await leases.ends();
      return LEASES.every((name) => (now.get(name) ?? 0) > (before.get(name) ?? 0));
    });
    await untilMoneyMoved();
    await untilFolded(folder);
  }

  test(
    `lose nothing and do nothing twice when they are killed in turn under load (${KILLS} kills, seed ${SEED})`,
    async () => {
      for (let round = 0; round < ROUNDS; round++) {
        let isOver = false;
        const working = work.run(proxy, () => isOver);
        try {
          await untilMoneyMoved();
          for (const part of everyPart.slice(0, KILLS - round * everyPart.length)) await kill(part, round);
        } finally {
          isOver = true;
          await working;
        }
      }
      await Promise.all(Object.values(replacing));

      for (const command of work.sent.filter(({ answer }) => answer === undefined))
        await until(() => work.send(proxy, command));
      await until(async () => (await checkLogIn(folder)).transfersUnderWay === 0);
      const refused = work.sent
        .filter((command) => !isDone(command))
        .map(({ answer }) => codeOf(answer ?? { text: '{}' }));
      expect(refused.filter((code) => !REFUSALS.includes(code ?? ''))).toEqual([]);

      // Whoever was let in is paid once, by whichever worker.
      const letIn = work.sent.filter(({ route }) => route === 'activate').map(({ userId }) => userId);
      const paid = async () => {
        await proxy.as(admin.api.token).call('runBonusTick', { body: { reason: 'a test' } });
        const { events } = await checkBooks(folder, work);
        return events.filter(({ type }) => type === 'BonusAccrued');
      };
      await until(async () => (await paid()).length >= letIn.length);
      const bonuses = await paid();
      expect(bonuses.map(({ stream }) => stream).sort()).toEqual(letIn.map(accountStream).sort());
      for (const { data } of bonuses) expect(data).toMatchObject({ days: BONUS_DAYS, amount: BONUS });

      // Every API shows what an independent fold of the log gives, and the read models are those of a clean one.
      const { events, accounts } = await checkBooks(folder, work);
      const last = events.at(-1)?.position ?? logStart;
      for (const { visitor } of programs.api)
        for (const customer of customers) {
          const account = openAccount(accounts.get(accountStream(customer.person.userId)));
          await checkShown(visitor, customer, account, last);
        }
      await checkRepeated(folder, work, proxy, work.sent.filter(isDone).slice(-REPEATED));
      expect(await tell(folder, 'verify')).toMatchObject({ code: 0, json: { wrong: [] } });
    },
    TEST_MS,
  );

  test(
    'do what is ordered of the projections while nobody runs them, as soon as somebody does',
    async () => {
      const [api] = programs.api;
      if (api === undefined) throw new Error('there is an API');
      for (const program of programs.projector.splice(0)) {
        program.child.kill('SIGKILL');
        await program.ended;
      }
      const again = await signIn(api.visitor, admin);
      const before = await activeBuild('products');
      const asked = await again.api.call('rebuildModel', { params: { model: 'products' } });
      expect([asked.status, codeOf(asked)]).toEqual([503, 'unknown_outcome']);
      await start('projector');
      await until(async () => (await activeBuild('products')) > before);
      await until(async () =>
        (await again.api.get('projections')).models.every(({ state }) => state === 'current'),
      );
      expect(await tell(folder, 'verify')).toMatchObject({ code: 0, json: { wrong: [] } });
    },
    TEST_MS,
  );
});
