import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { JOBS, projectorSeats, REACTORS } from '#engines';
import { findVersitygw } from '#files/s3/testing';
import { redisServer } from '#jobs/bullmq/testing';
import { logStart } from '#kernel';
import { describeWhere, until } from '#kernel/testing';
import { accountStream } from '#ledger';
import type { Part } from '../parts.js';
import {
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
  has,
  isDone,
  killAll,
  openAccount,
  SEED,
  serverNames,
  standOn,
  startProgram,
  startServers,
  tell,
  untilFolded,
  watchLeases,
  type Customer,
  type LeaseWatch,
  type Listening,
  type Person,
  type Servers,
  type Work,
} from '../testing/index.js';

/* Two projectors, one of which stands still in the middle of its work for much longer than a lease, and then goes on with it. */

/** The lease of the second of two projectors. */
const [, SECOND_SEAT = ''] = projectorSeats(2);
/** How long it stands still, by the clock of the leases, in milliseconds. */
const STOPPED_MS = 30_000;
/** Customers at work: a light load, as all programs share one machine. */
const AT_WORK = 2;
/** What may be refused: somebody has not enough, or the program looks up no more account numbers for now. */
const REFUSALS = ['insufficient_balance', 'rate_limited'];
/** Commands that are sent once more in the end. */
const REPEATED = 12;

const isHere = redisServer !== undefined && findVersitygw() !== undefined;

describeWhere(isHere, 'two projectors (doubles of two servers)', 'no redis-server or versitygw', () => {
  const { newFolder, removeFolders } = dataFolders();
  /** Of whoever looks at the servers beside the programs. */
  const folder = newFolder();
  const all: Listening[] = [];
  let servers: Servers;
  let leases: LeaseWatch;
  let api: Listening;
  let first: Listening;
  let second: Listening;
  let admin: Person;
  let customers: readonly Customer[];
  let work: Work;

  const start = async (part: Part): Promise<Listening> => {
    const program = await startProgram(newFolder(), servers.env, { part });
    all.push(program);
    return program;
  };

  /** Waits until money has moved, and whoever asks is shown it. */
  const untilMovedAndFolded = async () => {
    const before = work.sent.filter(isDone).length;
    await until(() => work.sent.filter(isDone).length > before);
    await untilFolded(folder);
  };
  const endOf = async (lease: string) => (await leases.ends()).get(lease) ?? 0;

  beforeAll(async () => {
    servers = await startServers(serverNames);
    leases = await watchLeases(servers.get('mongodb').url);
    standOn(folder, servers);
    api = await start('api');
    admin = await firstAdmin(api);
    // The one that comes first has the first lanes, and the reactors.
    first = await start('projector');
    [second] = await Promise.all([start('projector'), start('worker')]);
    customers = (await customersAtWork(api.visitor, admin)).slice(0, AT_WORK);
    // Of what a server error says nobody knows what became of it, nor of what was not answered.
    const isOpen = ({ status }: { readonly status: number }) => status >= 500;
    work = createWork({ admin, customers, idle: [], draw: drawnFrom(SEED), isOpen });
  });
  afterAll(async () => {
    first.child.kill('SIGCONT');
    await leases.close();
    await killAll(all);
    await removeFolders();
  });

  test(`lose nothing and do nothing twice when the one with the first lanes stands still under load, and goes on (seed ${SEED})`, async () => {
    expect([await has(first, 'scrub'), await has(first, 'reactors')]).toEqual([true, true]);
    await until(async () => (await endOf(SECOND_SEAT)) > 0);
    let isOver = false;
    const working = work.run(api.visitor, () => isOver);
    try {
      await untilMovedAndFolded();

      // The other one takes over, and the rest goes on meanwhile. The worker renews its lease all the time.
      const before = await leases.ends();
      first.child.kill('SIGSTOP');
      await until(async () => (await endOf(REACTORS)) > (before.get(REACTORS) ?? 0));
      do await untilMovedAndFolded();
      while ((await endOf(JOBS)) < (before.get(JOBS) ?? 0) + STOPPED_MS);
      expect([await has(second, 'scrub'), await has(second, 'reactors')]).toEqual([true, true]);

      // It goes on with what it was at, finds that it was replaced, and is given lanes again.
      first.child.kill('SIGCONT');
      await until(async () => !(await has(second, 'scrub')));
      for (let times = 0; times < 3; times++) await untilMovedAndFolded();
    } finally {
      first.child.kill('SIGCONT');
      isOver = true;
      await working;
    }

    for (const command of work.sent.filter(({ answer }) => answer === undefined))
      await until(() => work.send(api.visitor, command));
    await until(async () => (await checkLogIn(folder)).transfersUnderWay === 0);
    const refused = work.sent
      .filter((command) => !isDone(command))
      .map(({ answer }) => codeOf(answer ?? { text: '{}' }));
    expect(refused.filter((code) => !REFUSALS.includes(code ?? ''))).toEqual([]);
    expect([first, second].map(({ child }) => child.exitCode)).toEqual([null, null]);

    // What is shown is what an independent fold of the log gives, and the read models are those of a clean one.
    const { events, accounts } = await checkBooks(folder, work);
    const last = events.at(-1)?.position ?? logStart;
    for (const customer of customers) {
      const account = openAccount(accounts.get(accountStream(customer.person.userId)));
      await checkShown(api.visitor, customer, account, last);
    }
    await checkRepeated(folder, work, api.visitor, work.sent.filter(isDone).slice(-REPEATED));
    expect(await tell(folder, 'verify')).toMatchObject({ code: 0, json: { wrong: [] } });
  });
});
