import { afterAll, expect, test } from '@jest/globals';
import { createHash, randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { EventStore } from '#event-store';
import { jobLimits } from '#jobs';
import {
  commandIdOf,
  comparePositions,
  logStart,
  positionOf,
  type Position,
  type RecordedEvent,
} from '#kernel';
import { accountDecider, accountStream, formatMoney, type Account, type OpenAccount } from '#ledger';
import {
  credit,
  dataFolder,
  firstAdmin,
  idleCustomers,
  inspect,
  join,
  keyed,
  saveWalletAddress,
  setPin,
  startProgram,
  tell,
  tellsPositions,
  testedOn,
  transferTo,
  upload,
  type Ask,
  type Client,
  type Given,
  type Listening,
  type Person,
  checkLogIn,
} from './testing/index.js';

/** How often the program is killed; thousands of times when somebody has the night. */
const KILLS = Number(process.env['LODE_KILLS'] ?? 8);
/** On a busy machine fewer kills are enough, unless their number is given or what they are to tell of has not come up. */
const ENOUGH_MS = process.env['LODE_KILLS'] === undefined ? 18_000 : Infinity;
/** What is drawn follows from it; when a kill comes to pass does not. */
const SEED = process.env['LODE_SEED'] ?? String(randomInt(1_000_000));
/** A kill comes after a time drawn between these, in milliseconds. */
const KILL_MS = { first: 5, last: testedOn.length === 0 ? 900 : 2_500 };
/** Commands that each customer has under way. */
const AT_ONCE = 2;
/** Commands of a round that are sent once more after it. */
const REPEATED = 12;
/** Customers that wait for their bonus; more than are let in between two kills. */
const IDLE = 6;
/** In Redis a run of a killed program is nobody's until its lock has run out. */
const LOCK_MS = testedOn.includes('redis') ? 2 * jobLimits.leaseMs : 0;
/** A minute for the start and the end, and for each kill several times what a start takes. */
const TEST_MS = 60_000 + KILLS * (6_000 + LOCK_MS);
const PAGE = 1_000;
/** Days that they wait for, and what these pay of a wallet by the policy in force from the first. */
const BONUS_DAYS = 3;
const BONUS = '30.00';

type Kind = 'funding' | 'withdrawal' | 'transfer';

/** The routes of what customers ask for, and the events that say that it was done. */
const asking = {
  funding: { request: 'requestFunding', confirm: 'confirmFunding', reject: 'rejectFunding' },
  withdrawal: { request: 'requestWithdrawal', confirm: 'confirmWithdrawal', reject: 'rejectWithdrawal' },
  transfer: { request: 'requestTransfer', confirm: 'confirmTransfer', reject: 'rejectTransfer' },
} as const;
const eventsOfRoute = {
  requestFunding: ['FundingRequested'],
  confirmFunding: ['FundingConfirmed'],
  rejectFunding: ['FundingRejected'],
  requestWithdrawal: ['WithdrawalRequested'],
  confirmWithdrawal: ['WithdrawalConfirmed'],
  rejectWithdrawal: ['WithdrawalRejected'],
  requestTransfer: ['TransferRequested'],
  confirmTransfer: ['TransferConfirmed'],
  rejectTransfer: ['TransferRejected'],
  adjustWallet: ['WalletCredited', 'WalletDebited'],
  activate: ['AccountActivated'],
} as const;
type Route = keyof typeof eventsOfRoute;
/** What may be refused: somebody has not enough, or the program looks up no more account numbers for now. */
const REFUSALS = ['insufficient_balance', 'rate_limited'];

/** A customer at work: what they have asked for that is not decided yet, by kind. */
type Customer = {
  readonly person: Person;
  readonly accountNumber: string;
  readonly evidenceId: string;
  readonly open: Readonly<Record<Kind, string[]>>;
};

/** A command as it was first sent, and what became of it. */
type Sent = {
  readonly route: Route;
  readonly by: 'customer' | 'admin';
  readonly userId: string;
  readonly ask: Ask;
  answer: { readonly status: number; readonly text: string } | undefined;
};

const folder = dataFolder();
let program: Listening | undefined;

afterAll(async () => {
  const isOver = (program?.child.exitCode ?? null) !== null;
  program?.child.kill('SIGKILL');
  await program?.ended;
  await folder.remove();
  if (isOver) throw new Error(`the program ended by itself:\n${program?.printed.err}`);
});

/** Numbers between 0 and 1 that follow from the seed. */
function drawn(): () => number {
  let n = 0;
  return () => createHash('sha256').update(`${SEED} ${n++}`).digest().readUInt32BE() / 2 ** 32;
}

/** What a customer's next command is: to ask, to be decided, or to be credited or debited. */
function nextOf(customer: Customer, others: readonly Customer[], draw: () => number): Sent {
  const { person, evidenceId, open } = customer;
  const { userId } = person;
  const headers = keyed(randomUUID());
  const kind = (['funding', 'withdrawal', 'transfer'] as const)[Math.floor(draw() * 3)] ?? 'funding';
  const amount = formatMoney(BigInt(1 + Math.floor(draw() * 2_000)), 'USD');
  const base = { userId, answer: undefined };
  const requestId = draw() < 0.6 ? open[kind].shift() : undefined;
  if (requestId !== undefined) {
    const route = asking[kind][draw() < 0.8 ? 'confirm' : 'reject'];
    return { ...base, route, by: 'admin', ask: { params: { userId, requestId }, body: {}, headers } };
  }
  if (draw() < 0.25) {
    const body = { amounts: { BTC: draw() < 0.4 ? `-${amount}` : amount }, reason: 'a test' };
    return { ...base, route: 'adjustWallet', by: 'admin', ask: { params: { userId }, body, headers } };
  }
  const receiver = others[Math.floor(draw() * others.length)] ?? customer;
  const bodies = {
    funding: { amount, currency: 'BTC', evidenceId },
    withdrawal: { amount, currency: 'BTC' },
    transfer: transferTo(receiver.accountNumber, amount),
  };
  return { ...base, route: asking[kind].request, by: 'customer', ask: { body: bodies[kind], headers } };
}

const isOfRoute = (route: Route, type: string) => (eventsOfRoute[route] as readonly string[]).includes(type);
const codeOf = ({ text }: { readonly text: string }) => (JSON.parse(text) as { readonly code?: string }).code;
const isDone = ({ answer }: Sent) => answer !== undefined && answer.status < 300;
const positionIn = ({ answer }: Sent) =>
  (JSON.parse(answer?.text ?? '') as { readonly position: Position }).position;

/** Customers and an admin at work on a program that dies again and again. */
function createWork(admin: Person, customers: readonly Customer[], idle: string[], draw: () => number) {
  const sent: Sent[] = [];
  const customerOf = (userId: string) => customers.find(({ person }) => person.userId === userId);

  /** The id that the program gives a command. */
  const idOf = ({ by, userId, ask }: Sent) => {
    const key = ask.headers?.['Idempotency-Key'] ?? '';
    return commandIdOf(by === 'admin' ? admin.userId : userId, accountStream(userId), key);
  };

  /** Sends a command; false when the program died before it answered. */
  const send = async (visitor: Client, command: Sent): Promise<boolean> => {
    const person = command.by === 'admin' ? admin : (customerOf(command.userId)?.person ?? admin);
    const api = visitor.as(person.api.token);
    const call = () => api.call(command.route, command.ask).catch(() => undefined);
    let answer = await call();
    // A try of the pin counts before it is looked at, also when the program dies over it.
    if (answer !== undefined && answer.status >= 400 && codeOf(answer) === 'pin_locked') {
      await setPin({ ...person, api }).catch(() => undefined);
      answer = await call();
    }
    if (answer === undefined) return false;
    command.answer = { status: answer.status, text: answer.text };
    return true;
  };

  /** One command after another until the program dies; first again what it left unanswered the last time. */
  const customerAtWork = async (visitor: Client, customer: Customer, again: Sent[]) => {
    const others = customers.filter((one) => one !== customer);
    for (;;) {
      const command = again.shift() ?? nextOf(customer, others, draw);
      if (!sent.includes(command)) sent.push(command);
      if (!(await send(visitor, command))) return;
      const kind = (['funding', 'withdrawal', 'transfer'] as const).find(
        (one) => asking[one].request === command.route,
      );
      if (kind !== undefined && isDone(command))
        customer.open[kind].push(
          (JSON.parse(command.answer?.text ?? '') as Given<'requestFunding'>).requestId,
        );
    }
  };

  /** Lets in those who wait for their bonus, and runs the tick each time. */
  const adminAtWork = async (visitor: Client, waiting: string[], again: Sent[]) => {
    for (;;) {
      const userId = again.length > 0 ? undefined : waiting.shift();
      const ask = { params: { userId: userId ?? '' }, body: {}, headers: keyed(randomUUID()) };
      const next: Sent = { route: 'activate', by: 'admin', userId: userId ?? '', ask, answer: undefined };
      const command = again.shift() ?? (userId === undefined ? undefined : next);
      if (command === undefined) return;
      if (!sent.includes(command)) sent.push(command);
      if (!(await send(visitor, command))) return;
      const tick = visitor.as(admin.api.token).call('runBonusTick');
      if ((await tick.catch(() => undefined)) === undefined) return;
    }
  };

  return {
    sent,
    send,
    idOf,
    /** Everybody, until the program has died. */
    run: async (visitor: Client): Promise<void> => {
      const unanswered = sent.filter(({ answer }) => answer === undefined);
      const waiting = idle.splice(0, IDLE);
      await Promise.all([
        adminAtWork(
          visitor,
          waiting,
          unanswered.filter(({ route }) => route === 'activate'),
        ),
        ...customers.flatMap((customer) => {
          const again = unanswered.filter(({ userId }) => userId === customer.person.userId);
          return Array.from({ length: AT_ONCE }, () => customerAtWork(visitor, customer, again));
        }),
      ]);
      idle.unshift(...waiting);
    },
  };
}

type Work = ReturnType<typeof createWork>;

/** Waits until a condition holds; the test's own time limit ends it when it never does. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await setImmediate();
}

/** Waits until the program has nothing under way any more that the last one left, and checks that it could do all of it. */
async function finished(visitor: Client, admin: Person): Promise<void> {
  const api = visitor.as(admin.api.token);
  await until(async () => (await api.get('reactors')).items.every(({ state }) => state === 'current'));
  expect((await api.get('reactors')).items.filter(({ owed }) => owed > 0)).toEqual([]);
  const runs = async () => (await api.get('jobs')).items.flatMap((job) => job.runs);
  await until(async () => (await runs()).every(({ endedAt }) => endedAt !== null));
  expect((await runs()).filter(({ state }) => state === 'failed')).toEqual([]);
}

/** Checks everything that must be so of the log, and gives its events and every account folded. */
async function checked({ sent, idOf }: Work) {
  const report = await checkLogIn(folder.path);
  expect(report.faults).toEqual([]);
  expect(report.transfersUnderWay).toBe(0);
  const log = await (await inspect(folder.path)).openLog();
  const events = await eventsOf(log);
  await log.close();
  const accounts = new Map<string, Account>();
  for (const event of events) {
    if (!event.stream.startsWith(accountStream(''))) continue;
    const before = accounts.get(event.stream) ?? accountDecider.initial;
    accounts.set(event.stream, accountDecider.evolve(before, accountDecider.codecs.decode(event)));
  }
  const byCommand = Map.groupBy(events, ({ meta }) => meta.commandId);
  for (const command of sent) {
    const made = (byCommand.get(idOf(command)) ?? []).filter(({ type }) => isOfRoute(command.route, type));
    expect(made.map(({ stream }) => stream)).toEqual(made.map(() => accountStream(command.userId)));
    // What was answered is there once; what never was is there once at most; what was refused is not.
    const [first] = made;
    if (command.answer === undefined) expect(made.length).toBeLessThan(2);
    else expect(made.length).toBe(isDone(command) ? 1 : 0);
    if (isDone(command) && first !== undefined) checkPosition(positionIn(command), first);
  }
  checkTrialBalance(report.trialBalance);
  checkTransfers(accounts);
  return { events, accounts };
}

/** An answer names the place of its event; where the log doesn't tell that, one that is not before it. */
function checkPosition(answered: Position, { position }: RecordedEvent): void {
  if (tellsPositions) expect(answered).toBe(position);
  else expect(comparePositions(answered, position)).toBeGreaterThanOrEqual(0);
}

/** Money that is nowhere else is nowhere: all accounts together add up to nothing. */
function checkTrialBalance(trialBalance: Readonly<Record<string, Readonly<Record<string, string>>>>): void {
  const sums = new Map<string, bigint>();
  for (const [currency, amount] of Object.values(trialBalance).flatMap((one) => Object.entries(one))) {
    sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(amount.replace('.', '')));
  }
  expect([...sums].filter(([, sum]) => sum !== 0n)).toEqual([]);
  expect(sums.size).toBeGreaterThan(1);
}

/** A confirmed transfer is with its receiver, or back with its sender, and both say the same. */
function checkTransfers(accounts: ReadonlyMap<string, Account>): void {
  for (const sender of accounts.values()) {
    for (const [id, request] of openAccount(sender).requests) {
      if (request.kind !== 'transfer' || request.receiver === null) continue;
      const receiver = openAccount(accounts.get(accountStream(request.receiver.userId)));
      const arrived = { none: undefined, received: 'received', returned: 'refused', 'in transit': 'nowhere' };
      expect(receiver.incoming.get(id)).toBe(arrived[request.delivery]);
      expect(request.delivery === 'none').toBe(request.status !== 'confirmed');
    }
  }
}

function openAccount(account: Account | undefined): OpenAccount {
  if (account?.kind !== 'open') throw new Error('a customer has an account');
  return account;
}

async function eventsOf(log: Pick<EventStore, 'readAll'>): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for (let after = logStart; ;) {
    const page = await log.readAll(after, PAGE);
    events.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return events;
    after = last.position;
  }
}

/** What a command was answered with; without its position where a later one is as good. */
function answerOf({ answer }: Sent): unknown {
  if (tellsPositions || answer === undefined) return answer;
  const { position: _, ...body } = JSON.parse(answer.text) as { readonly position?: unknown };
  return { ...answer, text: body };
}

/** Sends commands once more under their keys: each is answered as it was the first time. */
async function repeat(work: Work, visitor: Client, commands: readonly Sent[]): Promise<void> {
  for (const command of commands) {
    const first = command.answer;
    expect(await work.send(visitor, command)).toBe(true);
    expect(answerOf(command)).toEqual(answerOf({ ...command, answer: first }));
  }
}

/** What customers see is what the log says. */
async function checkShown(visitor: Client, { person }: Customer, account: OpenAccount, head: Position) {
  const api = visitor.as(person.api.token);
  const shown = await api.get('me', { headers: { 'Lode-Position': head } });
  expect(shown.wallet.available).toBe(formatMoney(account.available.USD, 'USD'));
  expect(shown.wallet.held).toBe(formatMoney(account.held.USD, 'USD'));
  for (const currency of ['BTC', 'PI', 'USDT'] as const) {
    expect(shown.balances[currency].available).toBe(formatMoney(account.available[currency], currency));
  }
  const open = account.requests.filter(({ status }) => status === 'Pending').size;
  expect(shown.totals.openRequests).toBe(open);
}

/** A program with four customers who have money, and many who wait. */
async function prepared(): Promise<{ admin: Person; customers: Customer[]; idle: string[] }> {
  const idle = [...(await idleCustomers(folder.path, KILLS * IDLE, BONUS_DAYS))];
  program = await startProgram(folder.path);
  const admin = await firstAdmin(program);
  const customers: Customer[] = [];
  for (const name of ['Ann', 'Bob', 'Carl', 'Dora']) {
    const person = await join(program.visitor, name);
    await setPin(person);
    await saveWalletAddress(person);
    const { position } = await credit(admin, person, { BTC: '40.00' });
    const { accountNumber } = await person.api.get('me', { headers: { 'Lode-Position': position } });
    const open = { funding: [], withdrawal: [], transfer: [] };
    customers.push({ person, accountNumber, evidenceId: await upload(person), open });
  }
  return { admin, customers, idle };
}

test(
  `after kills at random every command that was answered is there once, and every other at most once (seed ${SEED})`,
  async () => {
    const draw = drawn();
    const { admin, customers, idle } = await prepared();
    const work = createWork(admin, customers, idle, draw);
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
      const working = work.run(visitor);
      setTimeout(() => child.kill('SIGKILL'), KILL_MS.first + draw() * (KILL_MS.last - KILL_MS.first));
      await once(child, 'exit');
      await Promise.all([working, ended]);
      cut += sent.filter(({ answer }) => answer === undefined).length;
      program = await startProgram(folder.path);
      await finished(program.visitor, admin);
      await checked(work);
      await repeat(work, program.visitor, sent.filter(isDone).slice(answered).slice(-REPEATED));
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
    await api.get('runBonusTick');
    await finished(visitor, admin);

    const { events, accounts } = await checked(work);
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
