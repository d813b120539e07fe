import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '#kernel/testing';
import { formatMoney, parseMoney } from '#ledger';
import {
  activeBuild,
  buildsIn,
  credit,
  dataFolder,
  firstAdmin,
  join,
  PIN,
  keyed,
  saveWalletAddress,
  setPin,
  startProgram,
  tell,
  type Listening,
  type Person,
} from '../testing/index.js';

/* Read models that an admin has rebuilt while customers send commands and read. */

/** Credits that each customer has before the first rebuild: the log has several hundred events then. */
const CREDITS = 120;
const CREDIT = '5.00';
const WITHDRAWAL = '1.00';

/** A customer, and what their commands have done so far, in cents. */
type Customer = { readonly person: Person; credited: bigint; held: bigint };

const folder = dataFolder();
let program: Listening | undefined;
let admin: Person;
const customers: Customer[] = [];
/** Reads that showed what the command before them did. */
let reads = 0;

beforeAll(async () => {
  program = await startProgram(folder.path);
  admin = await firstAdmin(program);
  for (const name of ['Ann', 'Bob', 'Carl']) {
    const person = await join(program.visitor, name);
    await setPin(person);
    await saveWalletAddress(person);
    customers.push({ person, credited: 0n, held: 0n });
  }
  await Promise.all(
    customers.map(async (customer) => {
      for (let n = 0; n < CREDITS; n += 1) await beCredited(customer);
    }),
  );
});
afterAll(async () => {
  program?.child.kill('SIGKILL');
  await program?.ended;
  await folder.remove();
});

async function beCredited(customer: Customer): Promise<string> {
  const { position } = await credit(admin, customer.person, { BTC: CREDIT });
  customer.credited += parseMoney(CREDIT, 'USD');
  return position;
}

async function withdraw(customer: Customer): Promise<string> {
  const body = { amount: WITHDRAWAL, currency: 'BTC', proof: { pin: PIN } };
  const { position } = await customer.person.api.get('requestWithdrawal', { body, headers: keyed() });
  customer.held += parseMoney(WITHDRAWAL, 'USD');
  return position;
}

/** Reads the wallet and the statement with the position of the customer's last command: both show it. */
async function checkReads({ person, credited, held }: Customer, position: string): Promise<void> {
  const { api, userId } = person;
  const headers = { 'Lode-Position': position };
  const { wallet } = await api.get('me', { headers });
  expect([wallet.available, wallet.held]).toEqual(
    [credited - held, held].map((cents) => formatMoney(cents, 'USD')),
  );
  const { items } = await api.get('ownTransactions', { params: { userId }, query: { limit: '1' }, headers });
  expect(items).toMatchObject([{ type: 'credit', amount: CREDIT, balance: formatMoney(credited, 'USD') }]);
  reads += 1;
}

/** Sends one command after another and reads what it did, until it is over. */
async function useWallet(customer: Customer, isOver: () => boolean): Promise<void> {
  for (let n = 0; !isOver(); n += 1)
    await checkReads(customer, await (n % 2 === 0 ? withdraw(customer) : beCredited(customer)));
}

/** Has a model rebuilt, until the new build is read; again where no customer read anything meanwhile. */
async function rebuild(model: string): Promise<void> {
  let readMeanwhile = 0;
  while (readMeanwhile === 0) {
    const active = await activeBuild(folder.path, model);
    await admin.api.get('rebuildModel', { params: { model } });
    const before = reads;
    await until(async () => (await activeBuild(folder.path, model)) > active);
    readMeanwhile = reads - before;
  }
}

test('customers are shown what their commands did while the read models that show it are rebuilt', async () => {
  let isOver = false;
  const using = Promise.all(customers.map((customer) => useWallet(customer, () => isOver)));
  const rebuilding = async () => {
    for (const model of ['accounts', 'transactions']) await rebuild(model);
  };
  // A customer who is shown something else ends the test.
  await Promise.race([rebuilding(), using]).finally(() => (isOver = true));
  await using;

  const { models } = await admin.api.get('projections');
  expect(models.filter(({ rebuild: building }) => building !== null)).toEqual([]);
  for (const model of ['accounts', 'transactions']) {
    const builds = (await buildsIn(folder.path)).filter(({ build }) => build.collection === model);
    expect(builds.map(({ state }) => state)).toEqual(['active']);
  }
  expect(await tell(folder.path, 'verify')).toMatchObject({ code: 0, json: { wrong: [] } });
});
