import { canonicalJson, errorText, type RecordedEvent } from '#kernel';
import { checkLog } from '#event-store/testing';
import { accountDecider, accountStream, parseMoney, postingsOf } from '#ledger';
import { openPersonalData, walletModels, type AccountDocument, type ReadModel } from '#projections';
import { idIndex, limits, type Document, type ReadStoreReader } from '#read-store';
import { isDone, outages, type Sent } from './clients.js';
import type { LogServer } from './log.js';
import { people } from './people.js';
import { profileOf } from './programs.js';

const STREAM_PREFIX = accountStream('');

type Ended = {
  readonly log: LogServer;
  readonly models: ReadStoreReader;
  readonly sent: readonly Sent[];
  /** Whether programs remember every state that they have seen. */
  readonly isRemembered: boolean;
};

/** What is wrong with how a run ended, once everything was well again: sentences, none when nothing is. */
export async function findingsOf({ log, models, sent, isRemembered }: Ended): Promise<readonly string[]> {
  const events = log.events();
  const findings = [
    ...commandFindings(sent, events, isRemembered),
    ...moneyFindings(events),
    ...bonusFindings(events),
  ];
  await checkLog(log.inner()).catch((error: unknown) => findings.push(errorText(error)));
  findings.push(...(await documentFindings(models, events)), ...(await balanceFindings(models, events)));
  return findings;
}

/** Every command is in the log once or not at all, as its client was told. */
function commandFindings(
  sent: readonly Sent[],
  events: readonly RecordedEvent[],
  isRemembered: boolean,
): readonly string[] {
  const inLog = new Map<string, string[]>();
  for (const { id, meta } of events) {
    const ids = inLog.get(meta.commandId) ?? [];
    inLog.set(meta.commandId, ids);
    ids.push(id);
  }
  return sent.flatMap((one) => {
    const ids = inLog.get(one.commandId) ?? [];
    const findings: string[] = [];
    const say = (what: string) => void findings.push(`${one.key} to ${one.stream} ${what}`);
    const answers = one.attempts.map(({ answer }) => answer).filter((answer) => answer !== 'under way');
    for (const answer of answers) {
      if (answer.kind === 'refused' && answer.code.startsWith('bug')) say(`met a ${answer.code}`);
      if (answer.kind === 'done' && answer.ids.join() !== ids.join())
        say(`was acknowledged with ${answer.ids.length} events, and the log has ${ids.length} of it`);
    }
    if (answers.every(({ kind }) => kind === 'refused') && answers.length > 0 && ids.length > 0)
      say(`was refused, and is in the log`);
    // What was done is refused by nobody, but for an outage by a program that doesn't know it.
    for (const { life, answer, begunAt } of one.attempts) {
      if (answer === 'under way' || answer.kind !== 'refused') continue;
      const { code } = answer;
      const told = one.attempts.filter((other) => isDone(other) && other.endedAt <= begunAt);
      const isKnown = isRemembered && told.some((earlier) => earlier.life === life);
      if (isKnown || (told.length > 0 && !outages.includes(code)))
        say(`was done, and then refused with ${code} by ${life}`);
    }
    return findings;
  });
}

/** The events of accounts, decoded. */
function accountEvents(events: readonly RecordedEvent[]) {
  return events
    .filter(({ stream }) => stream.startsWith(STREAM_PREFIX))
    .map((stored) => ({ stored, event: accountDecider.codecs.decode(stored) }));
}

/** The balance of each account of the chart in each currency: the sum of the log's postings. */
function balancesIn(events: readonly RecordedEvent[]): ReadonlyMap<string, bigint> {
  const balances = new Map<string, bigint>();
  for (const { event } of accountEvents(events))
    for (const { account, amount, currency } of postingsOf(event)) {
      const name = `${account} ${currency}`;
      balances.set(name, (balances.get(name) ?? 0n) + amount);
    }
  return balances;
}

/** The transfers that were confirmed and have not come to their end. */
export function inTransit(events: readonly RecordedEvent[]): readonly string[] {
  const open = new Set<unknown>();
  for (const { type, data } of events) {
    if (type === 'TransferConfirmed' && data['receiver'] !== null) open.add(data['requestId']);
    if (type === 'TransferSettled' || type === 'TransferReturned') open.delete(data['requestId']);
  }
  return [...open].map(String);
}

/** Nothing is made or lost, nobody owes, and no transfer stands still. */
function moneyFindings(events: readonly RecordedEvent[]): readonly string[] {
  const findings: string[] = [];
  const sums = new Map<string, bigint>();
  for (const [name, amount] of balancesIn(events)) {
    const [account = '', currency = ''] = name.split(' ');
    sums.set(currency, (sums.get(currency) ?? 0n) + amount);
    if (account.startsWith('customer/') && amount < 0n) findings.push(`${name} is ${amount}`);
  }
  for (const id of inTransit(events)) findings.push(`transfer ${id} is still in transit`);
  for (const [currency, sum] of sums) if (sum !== 0n) findings.push(`all ${currency} add up to ${sum}`);
  return findings;
}

/** No day of the bonus is paid twice. */
function bonusFindings(events: readonly RecordedEvent[]): readonly string[] {
  const findings: string[] = [];
  const paid = new Map<string, { days: number; readonly runs: Set<string> }>();
  for (const { stored, event } of accountEvents(events)) {
    if (event.type !== 'BonusAccrued') continue;
    const { stream, meta } = stored;
    const before = paid.get(stream) ?? { days: 0, runs: new Set() };
    paid.set(stream, before);
    before.days += event.data.days;
    if (before.days !== event.data.bonusDays || before.days > event.data.policy.capDays)
      findings.push(`${stream} was paid day ${before.days} and says ${event.data.bonusDays}`);
    if (before.runs.has(meta.causationId))
      findings.push(`${stream} was paid twice by run ${meta.causationId}`);
    before.runs.add(meta.causationId);
  }
  return findings;
}

/** Documents say the balances that the postings add up to. */
async function balanceFindings(
  models: ReadStoreReader,
  events: readonly RecordedEvent[],
): Promise<readonly string[]> {
  const balances = balancesIn(events);
  const findings: string[] = [];
  for (const userId of people) {
    const account = await models.get<AccountDocument>('accounts', userId);
    if (account === undefined) continue;
    for (const part of ['available', 'held'] as const) {
      const expected = balances.get(`customer/${userId}/${part} USD`) ?? 0n;
      const shown = parseMoney(account.wallet[part], 'USD');
      if (shown !== expected) findings.push(`${userId} is shown ${shown} cents ${part}, and has ${expected}`);
    }
  }
  return findings;
}

/** Every document is what the log gives, folded anew, and there are no others. */
async function documentFindings(
  models: ReadStoreReader,
  events: readonly RecordedEvent[],
): Promise<readonly string[]> {
  const findings: string[] = [];
  for (const model of walletModels) {
    const expected = await foldAnew(model, events);
    const stored = await documentsOf(models, model.name);
    for (const document of stored) {
      if (canonicalJson(document) !== expected.get(document.id))
        findings.push(`${document.id} of ${model.name} is not what the log gives`);
      expected.delete(document.id);
    }
    for (const id of expected.keys()) findings.push(`${id} of ${model.name} is missing`);
  }
  return findings;
}

async function foldAnew(model: ReadModel, events: readonly RecordedEvent[]): Promise<Map<string, string>> {
  const open = openPersonalData(profileOf);
  const documents = new Map<string, Document>();
  for (const [n, stored] of events.entries()) {
    const changes = model.handles === 'all' ? model.on(stored, n + 1) : model.on(await open(stored));
    for (const { id, change } of changes) {
      const after = change(documents.get(id));
      if (after === undefined) documents.delete(id);
      else documents.set(id, after);
    }
  }
  return new Map([...documents].map(([id, document]) => [id, canonicalJson(document)]));
}

async function documentsOf(models: ReadStoreReader, collection: string): Promise<readonly Document[]> {
  const documents: Document[] = [];
  for (let after: readonly string[] | undefined; ;) {
    const page: readonly Document[] = await models.list(collection, {
      index: idIndex,
      equals: {},
      direction: 'ascending',
      limit: limits.page,
      ...(after === undefined ? {} : { after }),
    });
    documents.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < limits.page) return documents;
    after = [last.id];
  }
}
