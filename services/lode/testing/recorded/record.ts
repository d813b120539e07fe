import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join as pathJoin } from 'node:path';
import { fileURLToPath } from 'node:url';
import { routes, type RouteName } from '#contracts';
import { pathOf, type Ask, type Client } from '../client.js';
import { lodeWith } from '../command.js';
import { formOf, newProduct, PASSWORD, PDF, PNG, signIn, type Person } from '../people.js';
import { PIN, transferTo, WALLET_ADDRESS } from '../requests.js';
import { dataFolder, killAll, printed, startProgram, type Listening } from '../start.js';
import { clockMovedBy, type RecordedRequest } from './recorded.js';

/*
 * Writes the fixture of this folder with the program as it is. README.md says what it is for, and why it is not to be made
 * again: `node dist/services/lode/testing/recorded/record.js`.
 */

const OUT = fileURLToPath(new URL('../../../../../services/lode/testing/recorded/', import.meta.url));
/** When the recorded history begins; the program's clock is moved there. */
const BEGIN = Date.parse('2026-01-05T09:00:00.000Z');
const DAY_MS = 24 * 60 * 60 * 1_000;
const SHIFT_MS = BEGIN - Date.now();
/** The longest that something that follows by itself is waited for, in milliseconds. */
const FOLLOWS_MS = 10_000;

const folder = dataFolder();
const requests: RecordedRequest[] = [];
const people = new Map<string, Omit<Person, 'api' | 'cookie'>>();
const clients = new Map<string, Client>();
const running: Listening[] = [];
let keys = 0;

/** An environment in which it is so many days after the beginning. */
function at(days: number): Record<string, string> {
  return clockMovedBy(SHIFT_MS + days * DAY_MS);
}

type Sent = Ask & {
  /** Undefined for a new one. */
  readonly key?: string;
  /** After the path, as it is. */
  readonly suffix?: string;
  /** Why it is not answered again; undefined when it is. */
  readonly lost?: string;
};

/** Sends a command and records it with its answer. */
async function send(who: string, route: RouteName, sent: Sent): Promise<Record<string, unknown>> {
  const { key = `${route} ${(keys += 1)}`.replace(' ', '-'), suffix = '', lost, body, headers } = sent;
  const client = clients.get(who);
  if (client === undefined) throw new Error(`${who} is nobody`);
  const { method } = routes[route];
  const path = pathOf(route, sent) + suffix;
  const all = { ...headers, ...(route === 'adjustWallets' ? {} : { 'Idempotency-Key': key }) };
  const response = await fetch(client.address + path, {
    method,
    headers: {
      ...all,
      ...(client.token === undefined ? {} : { Authorization: `Bearer ${client.token}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  requests.push({
    who,
    route,
    method,
    path,
    headers: all,
    ...(body === undefined ? {} : { body }),
    status: response.status,
    answer,
    ...(lost === undefined ? {} : { lost }),
  });
  return answer;
}

async function enter(visitor: Client, name: string): Promise<Person> {
  const email = `${name.toLowerCase()}@lode.example`;
  const person = await signIn(visitor, { email, password: PASSWORD });
  people.set(name, { userId: person.userId, email, password: PASSWORD });
  clients.set(name, person.api);
  return person;
}

async function register(visitor: Client, name: string): Promise<Person> {
  const email = `${name.toLowerCase()}@lode.example`;
  const body = { firstname: name, lastname: 'Miller', email, phone: '+41 44 000 00 00', password: PASSWORD };
  await visitor.get('register', { body });
  return enter(visitor, name);
}

/** Waits until a stream has an event of a type. */
async function follows(stream: string, type: string): Promise<void> {
  const until = Date.now() + FOLLOWS_MS;
  for (;;) {
    const { text } = await (clients.get('Ada') as Client).call('stream', { params: { stream } });
    if (text.includes(`"${type}"`)) return;
    if (Date.now() > until) throw new Error(`${stream} has no ${type}:\n${text}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function evidence(client: Client): Promise<string> {
  return (await client.get('uploadEvidence', { form: formOf(new Uint8Array(PDF)) })).fileId;
}

/** Starts the program so many days after the beginning. */
async function start(days: number): Promise<Listening> {
  const program = await startProgram(folder.path, at(days));
  running.push(program);
  clients.set('visitor', program.visitor);
  return program;
}

async function stop({ child, ended }: Listening): Promise<void> {
  child.kill('SIGTERM');
  await ended;
}

/** The first day: everybody comes, and money moves in every way. */
async function firstDay(): Promise<void> {
  const program = await start(0);
  const { visitor } = program;
  const invitation = await printed(program, /invitation=(\S+)/);
  const body = {
    firstname: 'Ada',
    lastname: 'Miller',
    email: 'ada@lode.example',
    phone: '1',
    password: PASSWORD,
  };
  await visitor.get('register', { body: { ...body, invitation } });
  const ada = await enter(visitor, 'Ada');
  const [ann, bob] = [await register(visitor, 'Ann'), await register(visitor, 'Bob')];
  const [sue, zoe] = [await register(visitor, 'Sue'), await register(visitor, 'Zoe')];
  await ada.api.get('createAccount', {
    body: { ...body, firstname: 'Cy', email: 'cy@lode.example', phone: '+1 2 3' },
  });
  for (const { userId } of [ann, bob, sue, zoe]) await follows(`account-${userId}`, 'BonusCycleStarted');

  await send('Ada', 'setPrices', {
    body: { prices: { BTC: ' 60000 ', PI: '0.5' }, reason: 'today’s prices' },
  });
  await send('Ada', 'setDollarRate', { body: { rate: '0.925', reason: 'today’s rate' } });
  const policy = { rate: '0.05', windowDays: 4, everyHours: 7, capDays: 2, currency: 'USDT' };
  await send('Ada', 'setBonusPolicy', { body: { policy, reason: 'as announced' } });
  await send('Ada', 'changeDepositDetails', {
    body: { btcWallet: WALLET_ADDRESS, phoneNumber: '', reason: 'a new wallet' },
  });
  await send('Ada', 'changeContent', {
    body: { content: { footer: { tagline: 'Gold – and more' }, whoWeAre: null }, reason: ' as it was ' },
  });

  const fund = async (amount: string, more: object = {}) =>
    (
      await send('Ann', 'requestFunding', {
        body: { amount, currency: 'BTC', evidenceId: await evidence(ann.api), ...more },
      })
    )['requestId'] as string;
  const [first, second, third] = [
    await fund('100.00'),
    await fund(' 250.5 ', { unknown: 1 }),
    await fund('1'),
  ];
  const ofAnn = (requestId: string) => ({ params: { userId: ann.userId, requestId } });
  await send('Ada', 'confirmFunding', { ...ofAnn(first), body: {}, key: '!"#$~'.padEnd(255, 'k') });
  await send('Ada', 'confirmFunding', { ...ofAnn(second), body: { reason: 'seen on chain · 3 ✓' } });
  await send('Ada', 'rejectFunding', { ...ofAnn(third) });
  const again = { params: { userId: ann.userId }, key: 'desk-1' };
  const adjust = { amounts: { BTC: '-40.00', USDT: '50' }, reason: 'by phone' };
  await send('Ada', 'adjustWallet', { ...again, body: adjust });
  await send('Ada', 'adjustWallet', { ...again, body: { ...adjust, reason: ' by phone ', unknown: true } });
  await send('Ada', 'adjustWallet', { ...again, body: { ...adjust, reason: 'another' } });
  await send('Ada', 'adjustWallet', { ...again, body: adjust, key: 'desk-2', suffix: '?from=desk' });

  await send('Ann', 'saveWalletAddress', {
    params: { userId: ann.userId },
    body: { walletAddress: WALLET_ADDRESS, proof: { password: PASSWORD } },
  });
  const withdraw = async (amount: string) =>
    (
      await send('Ann', 'requestWithdrawal', {
        body: { amount, currency: 'BTC', proof: { password: PASSWORD } },
      })
    )['requestId'] as string;
  const [paid, refused] = [await withdraw('20.00'), await withdraw('30.00')];
  await send('Ada', 'confirmWithdrawal', { ...ofAnn(paid), body: {} });
  await send('Ada', 'rejectWithdrawal', { ...ofAnn(refused), body: { reason: 'the address is another’s' } });

  await ann.api.get('setTransferPin', { body: { password: PASSWORD, pin: PIN } });
  const transfer = async (accountNumber: string, amount: string, more: object = {}) =>
    (await send('Ann', 'requestTransfer', { body: transferTo(accountNumber, amount, more) }))[
      'requestId'
    ] as string;
  const numberOf = async (client: Client) => (await client.get('me')).accountNumber;
  const [toBob, toSue] = [await numberOf(bob.api), await numberOf(sue.api)];
  const [received, returned] = [await transfer(toBob, '15.00'), await transfer(toSue, '7.00')];
  const [toBank, notToBank] = [
    await transfer('0099', '3.00'),
    await transfer('0098', '2', { currency: undefined }),
  ];
  await send('Ada', 'confirmTransfer', { ...ofAnn(received), body: {} });
  await follows(`account-${ann.userId}`, 'TransferSettled');
  await send('Ada', 'suspend', { params: { userId: sue.userId }, body: { reason: 'asked for it' } });
  await send('Ada', 'confirmTransfer', { ...ofAnn(returned), body: { reason: 'checked' } });
  await follows(`account-${ann.userId}`, 'TransferReturned');
  await send('Ada', 'confirmTransfer', { ...ofAnn(toBank), body: {} });
  await send('Ada', 'rejectTransfer', { ...ofAnn(notToBank), body: {} });
  await send('Ada', 'suspend', { params: { userId: bob.userId }, body: {} });
  await send('Ada', 'activate', { params: { userId: bob.userId }, body: { reason: 'paid' } });
  await stop(program);
}

/** Three days later: what is written, offered and paid to many; then somebody is erased and the bonus is paid. */
async function lastDay(): Promise<void> {
  const program = await start(3);
  const { visitor } = program;
  const ada = await enter(visitor, 'Ada');
  const [ann, bob, zoe] = [
    await enter(visitor, 'Ann'),
    await enter(visitor, 'Bob'),
    await enter(visitor, 'Zoe'),
  ];

  const correlated = { 'X-Correlation-Id': '7d4a2b1e-3c5f-4e6a-8b9c-0d1e2f3a4b5c' };
  const product = await newProduct(ada);
  const { productId } = await send('Ada', 'createProduct', { body: product, headers: correlated });
  const ofProduct = { params: { productId: productId as string } };
  await send('Ada', 'changeProduct', { ...ofProduct, body: { amount: '199.5', title: 'For a start' } });
  await send('Ada', 'setProductStock', { ...ofProduct, body: { isOutOfStock: true } });
  const other = await send('Ada', 'createProduct', { body: { ...product, productName: 'Rig Two' } });
  await send('Ada', 'deleteProduct', { params: { productId: other['productId'] as string } });

  const letter = {
    name: 'Vera Visitor',
    email: 'vera@lode.example',
    phone: '1',
    businessType: 'Bakery',
    subject: 'Hours',
    message: 'When are you\nopen?',
  };
  const { messageId } = await send('visitor', 'sendMessage', { body: letter });
  await send('Ann', 'sendMessage', { body: { message: 'Thank you ' } });
  const ofMessage = { params: { messageId: messageId as string } };
  await send('Ada', 'readMessage', { ...ofMessage });
  await send('Ada', 'unreadMessage', { ...ofMessage, body: {} });
  const gone = await send('visitor', 'sendMessage', { body: letter, lost: 'it was forgotten' });
  await send('Ada', 'forgetMessage', { params: { messageId: gone['messageId'] as string }, body: {} });

  const ofAnn = { params: { userId: ann.userId } };
  await send('Ann', 'changeProfile', { ...ofAnn, body: { phone: '+41 44 111 11 11', lastname: '' } });
  const image = await ann.api.get('uploadProfileImage', { form: formOf(PNG) });
  await send('Ann', 'changeProfileImage', { ...ofAnn, body: { fileId: image.fileId } });
  const item = (key: string, userId: string, amount: string) => ({ key, userId, amounts: { USDT: amount } });
  await send('Ada', 'adjustWallets', {
    body: {
      items: [
        item('bulk-1', ann.userId, '10'),
        { ...item('bulk-2', bob.userId, '20.00'), reason: ' its own ' },
        item('bulk-3', ann.userId, '-1'),
      ],
      atomic: true,
      reason: 'a campaign',
    },
  });
  await send('Ada', 'adjustWallets', {
    body: { items: [{ ...item('bulk-4', zoe.userId, '0'), amounts: { BTC: '0.01' } }], reason: 'a campaign' },
    headers: correlated,
  });
  await send('Zoe', 'saveWalletAddress', {
    params: { userId: zoe.userId },
    body: { walletAddress: WALLET_ADDRESS, proof: { password: PASSWORD } },
    lost: 'who sent it was erased',
  });
  await send('Ada', 'stopBonus', { params: { userId: zoe.userId }, body: {} });
  await send('Ada', 'restartBonus', { params: { userId: zoe.userId }, body: { reason: 'a gift' } });
  // So little is left to Zoe now that it can be paid in no currency.
  await send('Ada', 'setPrices', { body: { prices: { BTC: '50000' }, reason: 'the market moved' } });
  await ada.api.get('inviteAdmin');
  await stop(program);
}

/** Runs a command of the command line so many days after the beginning. */
async function command(days: number, ...args: readonly string[]): Promise<string> {
  const { code, out, err } = await lodeWith({ env: at(days) }, folder.path, ...args);
  if (code !== 0) throw new Error(`${args.join(' ')} failed:\n${out}${err}`);
  return out;
}

/** Makes the history and keeps what is left of it. */
async function record(): Promise<void> {
  await firstDay();
  const tick = JSON.parse(await command(3, 'tick', '--json')) as { readonly at: string };
  await lastDay();
  await command(3, 'invite-admin');
  await command(3, 'erase', people.get('Zoe')?.userId ?? '', '--yes');
  for (const name of ['log.jsonl', 'identity.sqlite', 'files', 'requests.json'])
    rmSync(pathJoin(OUT, name), { recursive: true, force: true });
  await command(3, 'export', pathJoin(OUT, 'log.jsonl'));
  for (const name of ['identity.sqlite', 'files'])
    cpSync(pathJoin(folder.path, name), pathJoin(OUT, name), { recursive: true });
  // It is made anew from the files.
  rmSync(pathJoin(OUT, 'files', 'catalog.sqlite'));
  const recorded = { people: Object.fromEntries(people), tick: tick.at, requests };
  writeFileSync(pathJoin(OUT, 'requests.json'), `${JSON.stringify(recorded, null, 2)}\n`);
}

try {
  await record();
} finally {
  await killAll(running);
  await folder.remove();
}
