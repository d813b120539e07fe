import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { PAGE_SIZE, PAGE_SIZE_MAX, routes, type Route, type RouteName } from '#contracts';
import {
  keyed,
  newPerson,
  newProduct,
  requestFunding,
  requestWithdrawal,
  setPin,
  signIn,
  startLode,
  transferTo,
  type Ask,
  type Lode,
  type Person,
} from '../../lode/testing/index.js';

/** Rows of every list, at least: more than a page has. */
const ROWS = PAGE_SIZE + 1;
/** Rows of long lists: a file of them is made of more than one read. */
const LONG = PAGE_SIZE_MAX + 10;
/** What a spreadsheet would run, written where people write. */
const FORMULA = '=HYPERLINK("http://x";"y")';
const SAFE = `'${FORMULA}`;

/** What is not in the order of when it was, or is short: each has tests of its own. */
const unlike: readonly RouteName[] = [
  'approvals',
  'bonusPreview',
  'caseFile',
  'changes',
  'invitations',
  'tickResults',
  'trialPostings',
];
/** The other routes of the contract that answer with pages of a list. */
const lists = (Object.entries(routes) as [RouteName, Route][])
  .filter(([name, { method, answer }]) => method === 'GET' && isPage(answer) && !unlike.includes(name))
  .map(([name]) => name);

function isPage(answer: Route['answer']): boolean {
  return answer instanceof z.ZodObject && ['items', 'first', 'next'].every((key) => key in answer.shape);
}

/** Lists that have `LONG` rows. */
const long: readonly RouteName[] = ['events', 'transactions', 'ownTransactions', 'notifications'];
/** Whose list it is when it is one person's. */
const ofBob: readonly RouteName[] = ['receivedTransfers'];

let lode: Lode;
let admin: Person;
let ann: Person;
let bob: Person;
/** When all of it was there: that lists are taken away as files leaves events of its own. */
let settledAt: string;

beforeAll(async () => {
  lode = await startLode();
  ({ admin } = lode);
  [ann, bob] = [await joinAs(FORMULA), await joinAs(FORMULA)];
  for (let n = 2; n < ROWS; n++) await lode.visitor.get('register', { body: newPerson(`P${n}`) });
  await credits();
  await asks();
  for (let n = 0; n < ROWS; n++) await send(n % 2 === 0 ? ann : bob);
  const body = { ...(await newProduct(admin)), title: FORMULA };
  for (let n = 0; n < ROWS; n++) await admin.api.get('createProduct', { body, headers: keyed() });
  await settled();
  settledAt = new Date().toISOString();
});
afterAll(() => lode.stop());

async function joinAs(firstname: string): Promise<Person> {
  const body = { ...newPerson('Ann'), firstname };
  await lode.visitor.get('register', { body });
  return signIn(lode.visitor, body);
}

async function credits(): Promise<void> {
  const items = Array.from({ length: LONG }, () => ({
    key: randomUUID(),
    userId: ann.userId,
    amounts: { BTC: '10' },
  }));
  await admin.api.get('adjustWallets', { body: { items, reason: FORMULA } });
}

/** Requests of all kinds; the transfers arrive. */
async function asks(): Promise<void> {
  await setPin(ann);
  const params = { userId: ann.userId };
  await ann.api.get('saveWalletAddress', {
    params,
    body: { walletAddress: FORMULA, proof: { password: ann.password } },
    headers: keyed(),
  });
  const { accountNumber } = await bob.api.get('me');
  for (let n = 0; n < ROWS; n++) {
    await requestFunding(ann, '1');
    await requestWithdrawal(ann, '2');
    const body = transferTo(accountNumber, '3', { narration: FORMULA });
    const { requestId } = await ann.api.get('requestTransfer', { body, headers: keyed() });
    const confirm = { params: { ...params, requestId }, body: {}, headers: keyed() };
    await admin.api.get('confirmTransfer', confirm);
  }
}

async function send({ api }: Person): Promise<void> {
  const body = { businessType: 'Trade', subject: 'x', message: FORMULA };
  await api.get('sendMessage', { body, headers: keyed() });
}

/** Waits for all that follows by itself; the test's own time limit ends it when it never does. */
async function settled(): Promise<void> {
  for (;;) {
    const { items } = await admin.api.get('transfers', { query: { limit: '100' } });
    const people = await Promise.all([ann, bob].map(({ api }) => api.get('me')));
    const isDone = items.every(({ delivery }) => delivery === 'received');
    const { head, models } = await admin.api.get('projections');
    const isRead = models.every(({ position }) => position === head);
    if (isDone && isRead && people.every(({ bonus }) => bonus !== null)) return;
    await setImmediate();
  }
}

/** A list's request by somebody who may ask for it. */
function asked(name: RouteName, query: Readonly<Record<string, string>> = {}): Ask {
  const upTo: Readonly<Record<string, string>> = name === 'events' ? { to: settledAt } : {};
  return { query: { ...upTo, ...query }, params: { userId: (ofBob.includes(name) ? bob : ann).userId } };
}

type Row = Readonly<Record<string, unknown>>;
type Page = {
  readonly items: readonly Row[];
  readonly next: string | null;
  readonly previous: string | null;
};

async function pageOf(name: RouteName, query?: Readonly<Record<string, string>>): Promise<Page> {
  return (await admin.api.get(name, asked(name, query))) as unknown as Page;
}

/** Every row of a list, page by page. */
async function rowsOf(
  name: RouteName,
  query: Readonly<Record<string, string>> = {},
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await pageOf(name, { limit: '50', ...query, ...(cursor === undefined ? {} : { cursor }) });
    rows.push(...page.items);
    cursor = page.next;
  }
  return rows;
}

const idsOf = (rows: readonly Row[]) => rows.map(({ id, userId }) => id ?? userId);
const timeOf = ({ created, createdAt, receivedAt, at }: Row) =>
  String(created ?? createdAt ?? receivedAt ?? at);

/** The cells of a file, line by line (RFC 4180). */
function cellsIn(text: string): readonly (readonly string[])[] {
  const lines: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '\r\n') lines.push([]);
  }
  return lines.slice(0, -1);
}

test('the lists of the contract are found', () => {
  expect(lists).toEqual(expect.arrayContaining(['people', 'events', ...long, ...ofBob]));
  expect(lists.length).toBeGreaterThanOrEqual(13);
});

describe.each(lists)('the list %s', (name) => {
  test('comes in pages of ten, newest first or oldest first', async () => {
    const page = await pageOf(name);
    expect(page.items).toHaveLength(PAGE_SIZE);
    expect([page.next !== null, page.previous]).toEqual([true, null]);
    const newest = await rowsOf(name);
    expect(newest.length).toBeGreaterThanOrEqual(long.includes(name) ? LONG : ROWS);
    expect(idsOf(page.items)).toEqual(idsOf(newest.slice(0, PAGE_SIZE)));
    expect(new Set(idsOf(newest)).size).toBe(newest.length);
    expect(newest.map(timeOf)).toEqual(newest.map(timeOf).sort().reverse());
    expect(idsOf(await rowsOf(name, { order: 'oldest', limit: '7' }))).toEqual(idsOf(newest).reverse());
  });

  test('goes back from a page to the one before, in either order', async () => {
    for (const order of ['newest', 'oldest']) {
      const first = await pageOf(name, { order, limit: '4' });
      const second = await pageOf(name, { order, limit: '4', cursor: first.next ?? '' });
      const back = await pageOf(name, { order, limit: '4', cursor: second.previous ?? '' });
      expect(idsOf(back.items)).toEqual(idsOf(first.items));
      const other = order === 'newest' ? 'oldest' : 'newest';
      const wrong = await admin.api.call(name, asked(name, { order: other, cursor: first.next ?? '' }));
      expect(wrong.status).toBe(400);
    }
  });

  test('begins anew, and says so, for a cursor of another log', async () => {
    const first = await pageOf(name, { limit: '4' });
    const [, plain = '', scope = ''] = /^(.*)-([0-9a-f]{8})$/.exec(first.next ?? '') ?? [];
    const second = await pageOf(name, { limit: '4', cursor: first.next ?? '' });
    expect(idsOf((await pageOf(name, { limit: '4', cursor: plain })).items)).toEqual(idsOf(second.items));
    const other = `${plain}-${scope === '00000000' ? '11111111' : '00000000'}`;
    const answer = await admin.api.call(name, asked(name, { limit: '4', cursor: other }));
    const { items, previous } = answer.json as Page;
    expect([answer.status, idsOf(items), previous]).toEqual([200, idsOf(first.items), null]);
    expect(answer.headers.get('lode-stale')).toBe('true');
    expect(answer.headers.get('lode-position')).toBe(`0.${scope}`);
  });

  test('has what is between two instants', async () => {
    const all = await rowsOf(name);
    const middle = timeOf(all[Math.floor(all.length / 2)] ?? {});
    const since = await rowsOf(name, { from: middle });
    const until = await rowsOf(name, { to: middle });
    expect(idsOf(since)).toEqual(idsOf(all.filter((row) => timeOf(row) >= middle)));
    expect(idsOf(until)).toEqual(idsOf(all.filter((row) => timeOf(row) < middle)));
    expect(await rowsOf(name, { from: '2999-01-01T00:00:00Z' })).toEqual([]);
    expect(await rowsOf(name, { to: '1999-01-01T00:00:00.0001Z' })).toEqual([]);
  });

  test('comes whole as a file that no spreadsheet runs', async () => {
    const all = await rowsOf(name);
    const answer = await admin.api.call(name, asked(name, { format: 'csv', limit: '1' }));
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="[a-z-]+\.csv"$/);
    const [head = [], ...lines] = cellsIn(answer.text);
    expect(head.every((column) => /^\w+$/.test(column))).toBe(true);
    expect(new Set(head).size).toBe(head.length);
    expect(lines).toHaveLength(all.length);
    expect(lines.every((line) => line.length === head.length)).toBe(true);
    const cells = lines.flat();
    expect(cells.filter((cell) => /^[=+\-@\t\r\n]/.test(cell) && !/^-\d+(?:\.\d+)?$/.test(cell))).toEqual([]);
    expect(cells.some((cell) => cell.startsWith(SAFE))).toBe(true);
    const accepted = { ...asked(name), headers: { Accept: 'text/csv' } };
    expect((await admin.api.call(name, accepted)).text).toBe(answer.text);
  });
});
