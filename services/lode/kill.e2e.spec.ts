import { afterAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join as pathJoin } from 'node:path';
import { openLogReader, type LogReader } from '#event-store/sqlite';
import { chainHolds, chainStart, logStart, type RecordedEvent } from '#kernel';
import {
  accountDecider,
  accountStream,
  addAmounts,
  currencies,
  formatMoney,
  isBalanced,
  noAmounts,
  parseMoney,
  postingsOf,
  sumOf,
  type Account,
  type AccountEvent,
} from '#ledger';
import {
  dataFolder,
  firstAdmin,
  join,
  keyed,
  startProgram,
  upload,
  type Ask,
  type Client,
  type Listening,
  type Person,
} from './testing/index.js';

/** How often the program is killed; thousands of times when somebody has the night. */
const KILLS = Number(process.env['LODE_KILLS'] ?? 50);
/** A kill comes after a time drawn between these, in milliseconds. */
const KILL_MS = { first: 5, last: 300 };
/** Commands that each customer has under way. */
const AT_ONCE = 3;
/** A minute for the start and the end, and for each kill several times what a start takes. */
const TEST_MS = 60_000 + KILLS * 4_000;
const PAGE = 1_000;

type Route = 'requestFunding' | 'confirmFunding' | 'rejectFunding' | 'adjustWallet';

/** A command as it was first sent, and what became of it. */
type Sent = {
  readonly route: Route;
  readonly by: 'customer' | 'admin';
  readonly person: Person;
  readonly key: string;
  readonly ask: Ask;
  /** Cents that it moves when it is carried out. */
  readonly cents: bigint;
  answer: { readonly status: number; readonly text: string } | undefined;
};

const folder = dataFolder();
let program: Listening | undefined;

afterAll(async () => {
  program?.child.kill('SIGKILL');
  await program?.ended;
  folder.remove();
});

/** Sends a command; false when the program died before it answered. */
async function send(visitor: Client, admin: Person, sent: Sent): Promise<boolean> {
  const api = visitor.as((sent.by === 'admin' ? admin : sent.person).api.token);
  const answer = await api.call(sent.route, sent.ask).catch(() => undefined);
  if (answer === undefined) return false;
  sent.answer = { status: answer.status, text: answer.text };
  return true;
}

/** What a customer's next command is: ask, be decided, or be adjusted. */
function nextOf(person: Person, evidenceId: string, open: string[], draw: () => number): Sent {
  const key = randomUUID();
  const { userId } = person;
  const cents = BigInt(1 + Math.floor(draw() * 500));
  const requestId = open.length > 0 && draw() < 0.6 ? open.shift() : undefined;
  const base = { person, key, answer: undefined };
  if (requestId !== undefined) {
    const route = draw() < 0.8 ? 'confirmFunding' : 'rejectFunding';
    const ask = { params: { userId, requestId }, body: { reason: 'looked at' }, headers: keyed(key) };
    return { ...base, route, by: 'admin', ask, cents: 0n };
  }
  if (draw() < 0.4) {
    const amount = formatMoney(draw() < 0.3 ? -cents : cents, 'USD');
    const ask = {
      params: { userId },
      body: { amounts: { USDT: amount }, reason: 'a test' },
      headers: keyed(key),
    };
    return { ...base, route: 'adjustWallet', by: 'admin', ask, cents: parseMoney(amount, 'USD') };
  }
  const body = { amount: formatMoney(cents, 'USD'), currency: 'BTC', evidenceId };
  return { ...base, route: 'requestFunding', by: 'customer', ask: { body, headers: keyed(key) }, cents };
}

test(
  `after ${KILLS} kills every command that was answered is there once, and every other at most once`,
  async () => {
    const draw = Math.random;
    program = await startProgram(folder.path);
    const admin = await firstAdmin(program);
    const people: { person: Person; evidenceId: string; open: string[] }[] = [];
    for (const name of ['Ann', 'Bob', 'Carl', 'Dora']) {
      const person = await join(program.visitor, name);
      people.push({ person, evidenceId: await upload(person), open: [] });
    }
    const sent: Sent[] = [];
    let cut = 0;

    /** Sends one command after another until the program dies; first again what it left unanswered the last time. */
    const work = async (
      visitor: Client,
      { person, evidenceId, open }: (typeof people)[number],
      again: Sent[],
    ) => {
      for (;;) {
        const command = again.shift() ?? nextOf(person, evidenceId, open, draw);
        if (!sent.includes(command)) sent.push(command);
        if (!(await send(visitor, admin, command))) return;
        if (command.route === 'requestFunding' && command.answer?.status === 201) {
          open.push((JSON.parse(command.answer.text) as { requestId: string }).requestId);
        }
      }
    };

    for (let kill = 0; kill < KILLS; kill += 1) {
      const { visitor, child, ended } = program;
      const working = people.flatMap((one) => {
        const again = sent.filter(({ person, answer }) => person === one.person && answer === undefined);
        return Array.from({ length: AT_ONCE }, () => work(visitor, one, again));
      });
      setTimeout(() => child.kill('SIGKILL'), KILL_MS.first + draw() * (KILL_MS.last - KILL_MS.first));
      await once(child, 'exit');
      await Promise.all([...working, ended]);
      cut += sent.filter(({ answer }) => answer === undefined).length;
      program = await startProgram(folder.path);
      if (kill % 10 === 9)
        checkLog(
          sent,
          people.map(({ person }) => person),
        );
    }

    // What was never answered is sent once more with its key: after this, everything was.
    for (const command of sent.filter(({ answer }) => answer === undefined)) {
      expect(await send(program.visitor, admin, command)).toBe(true);
    }
    const { visitor } = program;
    const accounts = checkLog(
      sent,
      people.map(({ person }) => person),
    );
    // Nobody asks twice for the same, so only a debit can be refused.
    for (const { route, answer } of sent) {
      expect(route === 'adjustWallet' ? [200, 409] : [200, 201]).toContain(answer?.status);
    }
    for (const command of sent) {
      const first = command.answer;
      if (first === undefined || first.status === 409) continue;
      expect(await send(visitor, admin, command)).toBe(true);
      expect(command.answer).toEqual(first);
    }
    const { head } = await visitor.as(admin.api.token).get('projections');
    const headers = { 'Lode-Position': head };
    for (const { person } of people) {
      const account = accounts.get(accountStream(person.userId));
      if (account?.kind !== 'open') throw new Error('a customer has an account');
      const shown = await visitor.as(person.api.token).get('me', { headers });
      expect(shown.wallet.available).toBe(formatMoney(account.available.USD, 'USD'));
      for (const currency of ['BTC', 'PI', 'USDT'] as const) {
        expect(shown.balances[currency].available).toBe(formatMoney(account.available[currency], currency));
      }
      const shownRequests = await requestsOf(visitor.as(person.api.token), person);
      const folded = [...account.requests].map(([id, { amount, status }]) => [
        id,
        formatMoney(amount, 'USD'),
        status,
      ]);
      expect(shownRequests.sort()).toEqual(folded.sort());
      expect(shown.totals.openRequests).toBe(folded.filter(([, , status]) => status === 'Pending').length);
    }
    const totals = await visitor.as(admin.api.token).get('totals', { headers });
    const confirmed = sent.filter(
      ({ route, answer }) => route === 'confirmFunding' && answer?.status === 200,
    ).length;
    expect(totals.users).toBe(people.length);
    // It has done something, and it was killed in the middle of it.
    expect(confirmed).toBeGreaterThan(0);
    expect(cut).toBeGreaterThan(0);
  },
  TEST_MS,
);

/** Id, amount and status of each of a customer's requests, page after page. */
async function requestsOf(api: Client, { userId }: Person): Promise<(readonly [string, string, string])[]> {
  const rows: (readonly [string, string, string])[] = [];
  for (let query: Record<string, string> = {}; ;) {
    const page = await api.get('ownFundRequests', { params: { userId }, query: { limit: '100', ...query } });
    rows.push(...page.items.map(({ id, amount, status }) => [id, amount, status] as const));
    if (page.next === null) return rows;
    query = { cursor: page.next };
  }
}

/** Checks everything that must be so of the log, while the program runs, and gives every account folded. */
function checkLog(sent: readonly Sent[], people: readonly Person[]): ReadonlyMap<string, Account> {
  const reader = openLogReader(pathJoin(folder.path, 'events.sqlite'));
  try {
    const chains = new Map<string, { chain: string; revision: number }>();
    const accounts = new Map<string, Account>();
    const commands = new Map<string, RecordedEvent[]>();
    let trial = noAmounts;
    for (const event of eventsOf(reader)) {
      const { chain, revision } = chains.get(event.stream) ?? { chain: chainStart, revision: -1 };
      expect(event.revision).toBe(revision + 1);
      expect(chainHolds(chain, event)).toBe(true);
      chains.set(event.stream, { chain: event.meta.chain, revision: event.revision });
      const { commandId } = event.meta;
      commands.set(commandId, [...(commands.get(commandId) ?? []), event]);
      if (!event.stream.startsWith('account-')) continue;
      const own = event as unknown as AccountEvent;
      const postings = postingsOf(own);
      expect(isBalanced(postings)).toBe(true);
      trial = addAmounts(trial, sumOf(postings));
      accounts.set(
        event.stream,
        accountDecider.evolve(accounts.get(event.stream) ?? accountDecider.initial, own),
      );
    }
    expect(currencies.map((currency) => trial[currency])).toEqual(currencies.map(() => 0n));
    // One command, one event: nothing was carried out twice.
    expect([...commands.values()].filter((events) => events.length > 1)).toEqual([]);
    checkModel(sent, people, accounts, commands);
    return accounts;
  } finally {
    reader.close();
  }
}

/** What was answered must be in the log, and the balances what the answered commands make them, give or take the rest. */
function checkModel(
  sent: readonly Sent[],
  people: readonly Person[],
  accounts: ReadonlyMap<string, Account>,
  commands: ReadonlyMap<string, readonly RecordedEvent[]>,
): void {
  const positions = new Set([...commands.values()].flat().map(({ position }) => position as string));
  for (const { answer } of sent) {
    if (answer === undefined || answer.status >= 400) continue;
    expect(positions).toContain((JSON.parse(answer.text) as { position: string }).position);
  }
  for (const { userId } of people) {
    const account = accounts.get(accountStream(userId));
    if (account?.kind !== 'open') throw new Error('a customer has an account');
    const own = sent.filter(({ person }) => person.userId === userId);
    const done = own.filter(({ answer }) => answer !== undefined && answer.status < 400);
    const asked = done.filter(({ route }) => route === 'requestFunding');
    for (const { answer, cents } of asked) {
      const { requestId } = JSON.parse(answer?.text ?? '') as { requestId: string };
      expect(account.requests.get(requestId)?.amount).toBe(cents);
    }
    const open = own.filter(({ answer }) => answer === undefined);
    expect(account.requests.size).toBeGreaterThanOrEqual(asked.length);
    expect(account.requests.size).toBeLessThanOrEqual(
      asked.length + open.filter(({ route }) => route === 'requestFunding').length,
    );
    if (open.length === 0) expect(account.available.USD).toBe(walletOf(done, account));
  }
}

/** What a customer's wallet is when exactly these commands were carried out. */
function walletOf(done: readonly Sent[], account: Extract<Account, { kind: 'open' }>): bigint {
  return done.reduce((wallet, { route, cents, ask }) => {
    if (route === 'adjustWallet') return wallet + cents;
    if (route !== 'confirmFunding') return wallet;
    return wallet + (account.requests.get(ask.params?.['requestId'] ?? '')?.amount ?? 0n);
  }, 0n);
}

function* eventsOf(reader: LogReader): Generator<RecordedEvent> {
  for (let after = logStart; ;) {
    const page = reader.readAll(after, PAGE);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.position;
  }
}
