import { expect } from '@jest/globals';
import { JOBS, REACTORS } from '#engines';
import { logStart } from '#kernel';
import { until } from '#kernel/testing';
import { accountStream } from '#ledger';
import { everyPart, type Part } from '../parts.js';
import { checkBooks, checkRepeated, checkShown, openAccount } from './books.js';
import type { Client } from './client.js';
import { tell } from './command.js';
import { checkLogIn } from './folder.js';
import { idleCustomers } from './idle.js';
import { untilFolded, untilHolder } from './lanes.js';
import { watchLeases, type LeaseWatch } from './leases.js';
import { standOn } from './mix.js';
import { signIn, type Person } from './people.js';
import { serverNames, startServers, type Servers } from './servers.js';
import { spreadOver } from './spread.js';
import { dataFolders, firstAdmin, killAll, startProgram, type Listening } from './start.js';
import {
  codeOf,
  createWork,
  customersAtWork,
  drawnFrom,
  IDLE,
  isDone,
  SEED,
  type Customer,
  type Work,
} from './work.js';

/** The leases that programs hold as long as they run. */
const LEASES = [REACTORS, JOBS];
/** Customers at work: a light load, as all programs share one machine. */
const AT_WORK = 2;
/** Refusals that the work causes: insufficient funds, or too many account numbers that the program looked up. */
const REFUSALS = ['insufficient_balance', 'rate_limited'];
/** Days that the idle customers wait for, and what these pay of a wallet by the first policy. */
const BONUS_DAYS = 3;
const BONUS = '30.00';
/** Commands that are sent once more in the end. */
const REPEATED = 12;

/** Several programs of each part on the same four servers. */
export type Cluster = {
  /** Stands on the servers, and no program uses it. */
  readonly folder: string;
  readonly programs: Record<Part, Listening[]>;
  /** The API, each call at the next program. */
  readonly proxy: Client;
  /** Starts a program in a new folder, as a new container does. */
  readonly add: (part: Part) => Promise<void>;
  /** Starts the servers, the programs and the work on them, which `rounds` of kills are to interrupt. */
  readonly start: (rounds: number) => Promise<Load>;
  readonly stop: () => Promise<void>;
};

/** The customers of a cluster, and the commands that they send. */
export type Load = {
  readonly admin: Person;
  readonly customers: readonly Customer[];
  readonly work: Work;
  readonly leases: LeaseWatch;
};

/** A cluster of `ofEach` programs of each part, which is to be started. */
export function createCluster(ofEach: number): Cluster {
  const { newFolder, removeFolders } = dataFolders();
  const folder = newFolder();
  const programs: Record<Part, Listening[]> = { api: [], projector: [], worker: [] };
  const all: Listening[] = [];
  let servers: Servers | undefined;
  let leases: LeaseWatch | undefined;
  const proxy = spreadOver(() => programs.api.map(({ visitor }) => visitor));

  const add = async (part: Part): Promise<void> => {
    const program = await startProgram(newFolder(), servers?.env, { part });
    programs[part].push(program);
    all.push(program);
  };
  const addOthers = async () => {
    for (let n = 0; n < ofEach; n++)
      await Promise.all(everyPart.map((part) => (programs[part].length > n ? undefined : add(part))));
  };

  const start = async (rounds: number): Promise<Load> => {
    servers = await startServers(serverNames);
    standOn(folder, servers);
    leases = await watchLeases(servers.get('mongodb').url);
    const idle = [...(await idleCustomers(folder, rounds * IDLE, BONUS_DAYS))];
    // Each API that starts before there is an admin prints another link.
    await add('api');
    const [first] = programs.api;
    if (first === undefined) throw new Error('there is an API');
    const admin = await firstAdmin(first);
    const [joined] = await Promise.all([customersAtWork(proxy, admin), addOthers()]);
    const customers = joined.slice(0, AT_WORK);
    // A server error does not say whether the command was done.
    const isOpen = ({ status }: { readonly status: number }) => status >= 500;
    const work = createWork({ admin, customers, idle, draw: drawnFrom(SEED), isOpen });
    return { admin, customers, work, leases };
  };
  const stop = async () => {
    await leases?.close();
    await killAll(all);
    await removeFolders();
  };
  return { folder, programs, proxy, add, start, stop };
}

/** Waits until the next command was done. */
async function untilMoneyMoved({ sent }: Work): Promise<void> {
  const before = sent.filter(isDone).length;
  await until(() => sent.filter(isDone).length > before);
}

/** The program of a part to kill next: the holder of a lease, by turns of the projections and of the reactors, else the oldest. */
async function victimOf({ programs }: Cluster, part: Part, round: number): Promise<Listening> {
  if (part === 'projector') return untilHolder(programs.projector, round % 2 === 0 ? 'scrub' : 'reactors');
  const [oldest] = programs[part];
  if (oldest === undefined) throw new Error(`there is no ${part}`);
  return oldest;
}

/**
 * Kills one program of a part and adds another while the rest go on. Resolves once each lease was renewed or taken over
 * since, money has moved, and every lane has folded what was there then.
 */
async function kill(
  cluster: Cluster,
  { leases, work }: Load,
  [part, round]: readonly [Part, number],
  replace: (part: Part) => void,
): Promise<void> {
  const victim = await victimOf(cluster, part, round);
  cluster.programs[part] = cluster.programs[part].filter((one) => one !== victim);
  victim.child.kill('SIGKILL');
  await victim.ended;
  const before = await leases.ends();
  replace(part);
  await until(async () => {
    const now = await leases.ends();
    return LEASES.every((name) => (now.get(name) ?? 0) > (before.get(name) ?? 0));
  });
  await untilMoneyMoved(work);
  await untilFolded(cluster.folder);
}

/** Kills programs in turn under load, one of each part in a round, and sends what was not answered once more. */
export async function killInTurn(cluster: Cluster, load: Load, kills: number): Promise<void> {
  const { proxy } = cluster;
  const { work } = load;
  /** The last start of each part, and the last of all: one at a time, as each needs a whole processor. */
  const replacing: Partial<Record<Part, Promise<void>>> = {};
  let starting = Promise.resolve();
  const replace = (part: Part) => {
    replacing[part] = starting = starting.then(() => cluster.add(part));
    starting.catch(() => undefined);
  };
  for (let round = 0; round * everyPart.length < kills; round++) {
    let isOver = false;
    const working = work.run(proxy, () => isOver);
    try {
      await untilMoneyMoved(work);
      for (const part of everyPart.slice(0, kills - round * everyPart.length)) {
        await replacing[part];
        await kill(cluster, load, [part, round], replace);
      }
    } finally {
      isOver = true;
      await working;
    }
  }
  await Promise.all(Object.values(replacing));
  for (const command of work.sent.filter(({ answer }) => answer === undefined))
    await until(() => work.send(proxy, command));
}

/** Checks that everything that was acknowledged is there once and whole, and that every API shows it. */
export async function checkNothingLost(cluster: Cluster, { admin, customers, work }: Load): Promise<void> {
  const { folder, programs, proxy } = cluster;
  await until(async () => (await checkLogIn(folder)).transfersUnderWay === 0);
  const refused = work.sent
    .filter((command) => !isDone(command))
    .map(({ answer }) => codeOf(answer ?? { text: '{}' }));
  expect(refused.filter((code) => !REFUSALS.includes(code ?? ''))).toEqual([]);

  // Each customer who was let in is paid once, by any of the workers.
  const letIn = work.sent.filter(({ route }) => route === 'activate').map(({ userId }) => userId);
  const { api } = await signIn(proxy, admin);
  const paid = async () => {
    await api.call('runBonusTick', { body: { reason: 'a test' } });
    const { events } = await checkBooks(folder, work);
    return events.filter(({ type }) => type === 'BonusAccrued');
  };
  await until(async () => (await paid()).length >= letIn.length);
  const bonuses = await paid();
  expect(bonuses.map(({ stream }) => stream).sort()).toEqual(letIn.map(accountStream).sort());
  for (const { data } of bonuses) expect(data).toMatchObject({ days: BONUS_DAYS, amount: BONUS });

  // Every API shows what an independent fold of the log gives, and the read models equal those of a new fold.
  const { events, accounts } = await checkBooks(folder, work);
  const last = events.at(-1)?.position ?? logStart;
  for (const { visitor } of programs.api)
    for (const customer of customers) {
      const account = openAccount(accounts.get(accountStream(customer.person.userId)));
      await checkShown(visitor, { person: await signIn(visitor, customer.person) }, account, last);
    }
  await checkRepeated(folder, work, proxy, work.sent.filter(isDone).slice(-REPEATED));
  expect(await tell(folder, 'verify')).toMatchObject({ code: 0, json: { wrong: [] } });
}
