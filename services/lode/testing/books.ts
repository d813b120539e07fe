import { expect } from '@jest/globals';
import type { EventStore } from '#event-store';
import { comparePositions, logStart, type Position, type RecordedEvent } from '#kernel';
import { until } from '#kernel/testing';
import { accountDecider, accountStream, formatMoney, type Account, type OpenAccount } from '#ledger';
import type { Client } from './client.js';
import { checkLogIn, inspect } from './folder.js';
import { tellsPositionsIn } from './mix.js';
import { apiOf, type Person } from './people.js';
import { isDone, isOfRoute, positionIn, type Customer, type Sent, type Work } from './work.js';

const PAGE = 1_000;

/** Waits until the head of a folder's stores has come as far; what a program notes by itself may be behind that. */
export async function untilKept(folder: string, end: Position): Promise<void> {
  await until(async () => {
    const { kept } = await (await inspect(folder)).headReport();
    return kept !== undefined && comparePositions(kept.position, end) >= 0;
  });
}

/**
 * Waits until the program has nothing under way any more by itself, and owes nothing. Gives the runs of jobs that failed;
 * one of mail that a program ended over is tried once, since the next minute's sends what waits.
 */
export async function finished(visitor: Client, admin: Person) {
  const api = apiOf(visitor, admin);
  await until(async () => (await api.get('reactors')).items.every(({ state }) => state === 'current'));
  expect((await api.get('reactors')).items.filter(({ owed }) => owed > 0)).toEqual([]);
  const runs = async () => (await api.get('jobs')).items.flatMap((job) => job.runs);
  await until(async () => (await runs()).every(({ endedAt }) => endedAt !== null));
  return (await runs()).filter(({ id, state }) => state === 'failed' && !id.startsWith('mail/'));
}

/** Checks everything that must be so of the log of a folder, and gives its events and every account folded. */
export async function checkBooks(folder: string, work: Work) {
  const report = await checkLogIn(folder);
  expect(report.faults).toEqual([]);
  expect(report.transfersUnderWay).toBe(0);
  const events = await checkSent(folder, work);
  const accounts = new Map<string, Account>();
  for (const event of events) {
    if (!event.stream.startsWith(accountStream(''))) continue;
    const before = accounts.get(event.stream) ?? accountDecider.initial;
    accounts.set(event.stream, accountDecider.evolve(before, accountDecider.codecs.decode(event)));
  }
  checkTrialBalance(report.trialBalance);
  checkTransfers(accounts);
  return { events, accounts };
}

/** Checks that the log of a folder has of each command what became of it, without reading what the events say; gives them. */
export async function checkSent(folder: string, { sent, idOf }: Work): Promise<readonly RecordedEvent[]> {
  const log = await (await inspect(folder)).openLog();
  const events = await eventsOf(log);
  await log.close();
  const tellsPositions = await tellsPositionsIn(folder);
  const byCommand = Map.groupBy(events, ({ meta }) => meta.commandId);
  for (const command of sent) {
    const made = (byCommand.get(idOf(command)) ?? []).filter(({ type }) => isOfRoute(command.route, type));
    expect(made.map(({ stream }) => stream)).toEqual(made.map(() => accountStream(command.userId)));
    // What was answered is there once; what never was is there once at most; what was refused is not.
    const [first] = made;
    if (command.answer === undefined) expect(made.length).toBeLessThan(2);
    else expect(made.length).toBe(isDone(command) ? 1 : 0);
    if (isDone(command) && first !== undefined) checkPosition(positionIn(command), first, tellsPositions);
  }
  return events;
}

/** An answer names the place of its event; where the log doesn't tell that, one that is not before it. */
function checkPosition(answered: Position, { position }: RecordedEvent, tellsPositions: boolean): void {
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

/** An account that a customer has. */
export function openAccount(account: Account | undefined): OpenAccount {
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
function answerOf({ answer }: Sent, tellsPositions: boolean): unknown {
  if (tellsPositions || answer === undefined) return answer;
  const { position: _, ...body } = JSON.parse(answer.text) as { readonly position?: unknown };
  return { ...answer, text: body };
}

/** Sends commands once more under their keys: each is answered as it was the first time. */
export async function checkRepeated(
  folder: string,
  work: Work,
  visitor: Client,
  commands: readonly Sent[],
): Promise<void> {
  const tellsPositions = await tellsPositionsIn(folder);
  for (const command of commands) {
    const first = command.answer;
    expect(await work.send(visitor, command)).toBe(true);
    expect(answerOf(command, tellsPositions)).toEqual(
      answerOf({ ...command, answer: first }, tellsPositions),
    );
  }
}

/** What customers see is what the log says. */
export async function checkShown(
  visitor: Client,
  { person }: Pick<Customer, 'person'>,
  account: OpenAccount,
  head: Position,
): Promise<void> {
  const api = apiOf(visitor, person);
  const shown = await api.get('me', { headers: { 'Lode-Position': head } });
  expect(shown.wallet.available).toBe(formatMoney(account.available.USD, 'USD'));
  expect(shown.wallet.held).toBe(formatMoney(account.held.USD, 'USD'));
  for (const currency of ['BTC', 'PI', 'USDT'] as const) {
    expect(shown.balances[currency].available).toBe(formatMoney(account.available[currency], currency));
  }
  const open = account.requests.filter(({ status }) => status === 'Pending').size;
  expect(shown.totals.openRequests).toBe(open);
}
