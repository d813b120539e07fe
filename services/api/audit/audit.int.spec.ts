import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { auditEvent, type AuditEvent } from '#contracts';
import {
  confirmFunding,
  join,
  keyed,
  problemIn,
  requestFunding,
  startLode,
  tellsPositions,
  type Ask,
  type Client,
  type Lode,
  type Person,
} from '../../lode/testing/index.js';

/** Requests made for the export to have several pages. */
const REQUESTS = 230;

let lode: Lode;
let ann: Person;
let requestId: string;
let position: string;
let admin: Client;

beforeAll(async () => {
  lode = await startLode();
  admin = lode.admin.api;
  ann = await join(lode.visitor, 'Ann');
  const first = await requestFunding(ann, '40.00');
  requestId = first.requestId;
  await confirmFunding(lode.admin, ann, requestId);
  for (let n = 0; n < REQUESTS; n++) await requestFunding(ann, `${n + 1}.00`);
  ({ position } = await admin.get('adjustWallet', {
    params: { userId: ann.userId },
    body: { amounts: { BTC: '-12.50' }, reason: '=1+1, "quoted"' },
    headers: { ...keyed(), 'X-Correlation-Id': '6f1e3c0a-0000-4000-8000-000000000001' },
  }));
  await admin.get('totals', { headers: { 'Lode-Position': position } });
});
afterAll(() => lode.stop());

const search = (query: Readonly<Record<string, string>>) => admin.get('events', { query });

describe('events over HTTP', () => {
  test('are whole, with the names of those who acted, and keep what is encrypted', async () => {
    const { items } = await search({ stream: `account-${ann.userId}`, type: 'AccountOpened' });
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({ personalData: 'sealed', revision: 0, actorName: 'Ann Miller' });
    expect(items[0]?.data['profile']).toMatch(/^v1\./);
    const [debit] = (await search({ type: 'WalletDebited' })).items;
    expect(debit).toMatchObject({
      actorName: 'Ada Miller',
      personalData: 'none',
      position,
      meta: { reason: '=1+1, "quoted"', actor: { role: 'admin' } },
    });
    const one = await admin.get('event', { params: { eventId: debit?.id ?? '' } });
    expect(one).toEqual({ ...debit, from: one.from });
  });

  test('tell of one event where whoever did it had signed in, which is noted, and nothing of what nobody did in a session', async () => {
    const [debit] = (await search({ type: 'WalletDebited' })).items;
    const [asked] = (await search({ stream: `account-${ann.userId}`, type: 'FundingRequested' })).items;
    const [founded] = (await search({ type: 'PlatformFounded' })).items;
    const fromOf = async (event: AuditEvent | undefined) =>
      (await admin.get('event', { params: { eventId: event?.id ?? '' } })).from;
    for (const event of [debit, asked])
      expect(await fromOf(event)).toMatchObject({ address: '127.0.0.1', signedInAt: expect.any(String) });
    expect(await fromOf(founded)).toBeNull();
    const { items } = await search({ type: 'PersonRead' });
    expect(items.map(({ data }) => data['about'])).toContain(ann.userId);
  });

  test('are found by request, command, correlation, person and time', async () => {
    const ofRequest = (await search({ requestId, order: 'oldest' })).items;
    expect(ofRequest.map(({ type }) => type)).toEqual(['FundingRequested', 'FundingConfirmed']);
    const [, confirmed] = ofRequest;
    const { commandId = '' } = confirmed?.meta ?? {};
    expect((await search({ commandId })).items).toEqual([confirmed]);
    expect((await search({ correlationId: commandId })).items).toEqual([confirmed]);
    const traced = await search({ correlationId: '6f1e3c0a-0000-4000-8000-000000000001' });
    expect(traced.items.map(({ type }) => type)).toEqual(['WalletDebited']);
    const at = confirmed?.at ?? '';
    const later = await search({ person: ann.userId, actor: lode.admin.userId, from: at, order: 'oldest' });
    expect(later.items.map(({ type }) => type)).toEqual(['FundingConfirmed', 'WalletDebited']);
    const before = await search({ person: ann.userId, actor: lode.admin.userId, to: at });
    expect(before.items).toEqual([]);
  });

  test('a tree of causes has the event itself at least, and is refused for an unknown one', async () => {
    const [debit] = (await search({ type: 'WalletDebited' })).items;
    const tree = await admin.get('causation', { params: { eventId: debit?.id ?? '' } });
    expect(tree).toMatchObject({
      correlationId: '6f1e3c0a-0000-4000-8000-000000000001',
      truncated: false,
      events: [{ id: debit?.id, parent: null, depth: 0 }],
    });
    const eventId = '00000000-0000-5000-8000-000000000000';
    const answer = await admin.call('causation', { params: { eventId } });
    expect([answer.status, answer.json]).toEqual([404, expect.objectContaining({ code: 'event_not_found' })]);
  });

  test.each(['newest', 'oldest'] as const)('a stream is browsed by revision, %s first', async (order) => {
    const stream = `account-${ann.userId}`;
    const revisions: number[] = [];
    let from: number | null | undefined;
    let page;
    do {
      const query = { order, limit: '100', ...(from === undefined ? {} : { from: String(from) }) };
      page = await admin.get('stream', { params: { stream }, query });
      expect(page.chainVerified).toBe(true);
      revisions.push(...page.events.map(({ revision }) => revision));
      from = page.next;
    } while (from !== null);
    const all = Array.from({ length: (page.revision ?? -1) + 1 }, (_, n) => n);
    expect(revisions).toEqual(order === 'oldest' ? all : all.toReversed());
    expect(page.previous).not.toBeNull();
    const none = await admin.get('stream', { params: { stream: 'product-none' }, query: { order } });
    expect(none).toMatchObject({ revision: null, events: [], next: null, previous: null });
  });
});

test('behind a cell of the trial balance are the events that add up to it, as pages and as a file', async () => {
  const { lines } = await admin.get('trialBalance');
  const line = lines.find(({ account }) => account === 'deposits');
  const cell = { account: 'deposits', currency: 'USD' };
  const { items, next } = await admin.get('trialPostings', { query: cell });
  expect(items.map(({ event }) => event.type)).toEqual(['FundingConfirmed']);
  expect(items.map(({ amount }) => amount)).toEqual([line?.amounts.USD]);
  expect(items[0]?.postings).toEqual([{ account: 'operator/deposits', currency: 'USD', amount: '-40.00' }]);
  expect(next).toBeNull();
  const { text } = await admin.call('trialPostings', { query: { ...cell, format: 'csv' } });
  expect(text.trimEnd().split('\r\n').at(-1)).toMatch(/,FundingConfirmed,.*,-40\.00$/);
  const both = { ...cell, at: '2026-01-01T00:00:00Z', position: '1' };
  expect((await admin.call('trialPostings', { query: both })).status).toBe(400);
});

test('several types are found together', async () => {
  const { items } = await search({ types: 'WalletDebited,FundingConfirmed' });
  expect(items.map(({ type }) => type)).toEqual(['WalletDebited', 'FundingConfirmed']);
  const many = (length: number) => ({ query: { types: Array.from({ length }, () => 'A').join(',') } });
  expect((await admin.call('events', many(64))).status).toBe(200);
  expect((await admin.call('events', many(65))).status).toBe(400);
});

describe('a list as a file', () => {
  test('holds every event, one JSON text a line', async () => {
    const answer = await admin.call('events', { query: { format: 'ndjson', order: 'oldest', limit: '1' } });
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="events.ndjson"');
    const lines = answer.text.trimEnd().split('\n');
    const events = lines.map((line) => auditEvent.parse(JSON.parse(line)));
    expect(await everyEvent({ order: 'oldest' })).toEqual(events);
    expect(events.length).toBeGreaterThan(REQUESTS);
  });

  test('has the filter of the list', async () => {
    const ask: Ask = { query: { type: 'WalletDebited' }, headers: { Accept: 'text/csv' } };
    const { text } = await admin.call('events', ask);
    const [head, line, end] = text.split('\r\n');
    expect(head).toMatch(/^position,at,type,/);
    expect(line).toContain(`,"'=1+1, ""quoted""",`);
    expect(end).toBe('');
  });

  test('of fund requests is the customer’s own, or everybody’s for an admin', async () => {
    const own = await ann.api.call('ownFundRequests', {
      params: { userId: ann.userId },
      query: { format: 'csv', status: 'Pending' },
    });
    const lines = own.text.trimEnd().split('\r\n');
    expect(lines).toHaveLength(REQUESTS + 1);
    expect(lines[1]).toMatch(new RegExp(`,${ann.userId},${REQUESTS}\\.00,BTC,Pending,,,,,,$`));
    const all = await admin.call('fundRequests', { query: { format: 'csv' } });
    expect(all.text.trimEnd().split('\r\n')).toHaveLength(REQUESTS + 2);
    expect((await ann.api.call('fundRequests', { query: { format: 'csv' } })).status).toBe(403);
  });

  test('is refused like the list when its cursor is from another', async () => {
    const { next } = await search({ limit: '5' });
    const answer = await admin.call('events', { query: { format: 'csv', type: 'X', cursor: next ?? '' } });
    expect([answer.status, answer.json]).toEqual([
      400,
      expect.objectContaining({ code: 'validation_failed' }),
    ]);
  });

  test('ends when the client goes, and makes room for others', async () => {
    // More than may be made at once, one after the other: each that stayed open would take the place of the next.
    for (let n = 0; n < 12; n++) {
      const response = await opened('/api/events?format=ndjson');
      expect(response.statusCode).toBe(200);
      response.destroy();
      await once(response, 'close');
    }
    const answer = await admin.call('events', { query: { format: 'csv', type: 'WalletDebited' } });
    expect(answer.status).toBe(200);
  });

  test('answers HEAD without being made', async () => {
    const response = await fetch(`${admin.address}/api/events?format=csv`, {
      method: 'HEAD',
      headers: { Authorization: `Bearer ${admin.token ?? ''}` },
    });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });
});

describe('what was so', () => {
  test('an account is as it was after each of its events', async () => {
    const params = { userId: ann.userId };
    const [requested, confirmed] = (await search({ requestId, order: 'oldest' })).items;
    const moment = tellsPositions ? { position: requested?.position ?? '' } : { at: requested?.at ?? '' };
    const then = await ann.api.get('accountAsOf', { params, query: moment });
    expect(then).toMatchObject({
      status: 'active',
      totals: { openRequests: 1 },
      wallet: { balance: '0.00' },
    });
    expect(then).not.toHaveProperty('email');
    const after = await ann.api.get('accountAsOf', { params, query: { at: confirmed?.at ?? '' } });
    expect(after).toMatchObject({ totals: { openRequests: 0 }, wallet: { balance: '40.00' } });
    const now = await ann.api.get('accountAsOf', { params });
    const account = await ann.api.get('account', { params, headers: { 'Lode-Position': position } });
    expect(account).toMatchObject({ wallet: now.wallet, balances: now.balances, totals: now.totals });
  });

  test('its owner reads what happened, each event with what the account was after it', async () => {
    const params = { userId: ann.userId };
    const query = { order: 'oldest', limit: '100' };
    const page = await ann.api.get('accountEvents', { params, query });
    expect([page.before, page.next, page.chainVerified]).toEqual([null, 100, true]);
    const second = await ann.api.get('accountEvents', { params, query: { ...query, from: '100' } });
    expect(second.before).toEqual(page.events.at(-1)?.after);
    const newest = await ann.api.get('accountEvents', { params, query: { limit: '3' } });
    expect(newest.events[0]).toMatchObject({
      revision: newest.revision,
      description: 'Debited by an admin',
      by: { role: 'admin', name: 'Ada Miller' },
      reason: '=1+1, "quoted"',
    });
    for (const { events, before } of [page, second, newest]) {
      for (const event of [events[0], events.at(-1)]) {
        const moment = tellsPositions ? { position: event?.position ?? '' } : { at: event?.at ?? '' };
        const { status, wallet, balances, totals } = await ann.api.get('accountAsOf', {
          params,
          query: moment,
        });
        expect(event?.after).toEqual({ status, wallet, balances, totals });
      }
      expect(before === null || before.status === 'active').toBe(true);
    }
    // Nothing encrypted, no ids of sessions or commands, and nobody else's id.
    const text = JSON.stringify([page, second, newest]);
    expect(text).not.toMatch(/"v\d+\.[\w-]{16}\.|"(?:session|commandId|requestHash|chain|data|meta)":/);
    expect(text).not.toContain(lode.admin.userId);
  });

  test('an account is not there before it was opened', async () => {
    const ask = { params: { userId: ann.userId }, query: { at: '2020-01-01T00:00:00Z' } };
    expect((await ann.api.call('accountAsOf', ask)).json).toMatchObject({ code: 'account_not_found' });
    const ofNobody = { params: { userId: 'nobody' }, query: {} };
    expect(problemIn(await admin.call('accountEvents', ofNobody)).code).toBe('account_not_found');
    const both = { params: { userId: ann.userId }, query: { at: '2020-01-01T00:00:00Z', position: '1' } };
    expect((await ann.api.call('accountAsOf', both)).json).toMatchObject({ code: 'validation_failed' });
  });

  test('the books balance, now and before', async () => {
    const now = await admin.get('trialBalance', { headers: { 'Lode-Position': position } });
    expect(now).toMatchObject({ balanced: true, liabilities: { USD: '27.50' } });
    const line = ({ lines }: typeof now, account: string) =>
      lines.find((one) => one.account === account)?.amounts.USD;
    expect([line(now, 'deposits'), line(now, 'adjustments')]).toEqual(['-40.00', '12.50']);
    const before = await admin.get('trialBalance', { query: { position: String(Number(position) - 1) } });
    expect([line(before, 'adjustments'), before.balanced]).toEqual(['0.00', true]);
  });
});

async function everyEvent(query: Readonly<Record<string, string>>): Promise<readonly AuditEvent[]> {
  const events: AuditEvent[] = [];
  let cursor: string | null = null;
  do {
    const page: { readonly items: readonly AuditEvent[]; readonly next: string | null } = await search({
      ...query,
      limit: '100',
      ...(cursor === null ? {} : { cursor }),
    });
    events.push(...page.items);
    cursor = page.next;
  } while (cursor !== null);
  return events;
}

/** A response whose body nobody has read yet. */
async function opened(path: string): Promise<IncomingMessage> {
  const request = get(`${admin.address}${path}`, {
    headers: { Authorization: `Bearer ${admin.token ?? ''}` },
  });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}
