import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { BODY_BYTES_MAX, BULK_BODY_BYTES_MAX, BULK_ITEMS_MAX, type BulkAdjustmentsAnswer } from '#contracts';
import {
  credit,
  join,
  keyed,
  problemIn,
  startLode,
  tellsPositions,
  type Ask,
  type Lode,
  type Person,
} from '../../lode/testing/index.js';

type Item = {
  readonly key: string;
  readonly userId: string;
  readonly amounts: Readonly<Record<string, unknown>>;
  readonly reason?: string;
};

let lode: Lode;
let admin: Person;
let ann: Person;
let bob: Person;
let serial = 0;

beforeAll(async () => {
  lode = await startLode();
  admin = lode.admin;
});
beforeEach(async () => {
  // Customers of each test's own: what one test books is nothing to another.
  [ann, bob] = [await join(lode.visitor, `Ann${++serial}`), await join(lode.visitor, `Bob${serial}`)];
});
afterAll(() => lode.stop());

const item = (
  { userId }: { userId: string },
  amounts: Item['amounts'],
  key: string = randomUUID(),
): Item => ({
  key,
  userId,
  amounts,
});
const asked = (items: readonly unknown[], more: object = {}): Ask => ({
  body: { items, reason: 'a correction', ...more },
});
const send = (items: readonly Item[], more?: object) => admin.api.get('adjustWallets', asked(items, more));

/** What came of each item, in a word or two. */
const outcomes = ({ results }: BulkAdjustmentsAnswer) =>
  results.map((one) => ('problem' in one ? one.problem.code : one.replayed ? 'replayed' : one.status));

/** Wallets as queries show them that are sent with a position. */
async function walletsAt(position: string, ...people: readonly Person[]): Promise<readonly string[]> {
  const headers = { 'Lode-Position': position };
  const of = ({ userId }: Person) => admin.api.get('account', { params: { userId }, headers });
  return (await Promise.all(people.map(of))).map(({ wallet }) => wallet.balance);
}

async function head(): Promise<string> {
  return (await admin.api.get('projections')).head;
}

/** What was booked on both customers: what their signing in sets off comes when it comes. */
async function booked(): Promise<readonly string[]> {
  const events = await Promise.all([eventsOf(ann), eventsOf(bob)]);
  return events.flatMap((some) => some.filter(({ type }) => type.startsWith('Wallet')).map(({ id }) => id));
}

async function eventsOf({ userId }: Person) {
  const { events } = await admin.api.get('stream', {
    params: { stream: `account-${userId}` },
    query: { limit: '100', order: 'oldest' },
  });
  return events;
}

describe('adjusting many wallets', () => {
  test('applies every item, answers in their order and shows them to the next query', async () => {
    const answer = await send([
      item(ann, { BTC: '10' }),
      item(bob, { PI: '7', USDT: '0.50' }),
      item(ann, { BTC: '-4', PI: '0' }),
    ]);
    expect(outcomes(answer)).toEqual(['applied', 'applied', 'applied']);
    expect(answer).toMatchObject({ applied: 3, replayed: 0, refused: 0 });
    expect(answer.results.map(({ userId }) => userId)).toEqual([ann.userId, bob.userId, ann.userId]);
    expect(await walletsAt(answer.position, ann, bob)).toEqual(['6.00', '7.50']);
  });

  test('journals each item as its own command: by whom, why, and what belongs together', async () => {
    const [first, second] = [item(ann, { BTC: '10' }), { ...item(ann, { PI: '1' }), reason: 'its own' }];
    const answer = await send([first, second, item(bob, { BTC: '1' })]);
    const [one, two] = (await eventsOf(ann)).filter(({ type }) => type === 'WalletCredited');
    const [other] = (await eventsOf(bob)).filter(({ type }) => type === 'WalletCredited');
    expect(one?.meta).toMatchObject({
      actor: { kind: 'person', id: admin.userId, role: 'admin' },
      reason: 'a correction',
      causationId: one?.meta.commandId,
    });
    expect(two?.meta.reason).toBe('its own');
    expect(two?.meta.commandId).not.toBe(one?.meta.commandId);
    expect(new Set([one, two, other].map((event) => event?.meta.correlationId)).size).toBe(1);
    const revisions = answer.results.map((result) => (result.status === 'applied' ? result.revision : -1));
    expect(revisions).toEqual([one?.revision, two?.revision, other?.revision]);
    const given = randomUUID();
    const headers = { 'X-Correlation-Id': given };
    await admin.api.get('adjustWallets', { ...asked([item(ann, { BTC: '1' })]), headers });
    const correlated = (await eventsOf(ann)).filter(({ meta }) => meta.correlationId === given);
    expect(correlated.map(({ type }) => type)).toEqual(['WalletCredited']);
  });

  test('sent again changes nothing and answers with what was recorded', async () => {
    const items = [item(ann, { BTC: '10' }), item(bob, { BTC: '-1' }), item(bob, { PI: '2' })];
    const first = await send(items);
    expect(outcomes(first)).toEqual(['applied', 'insufficient_balance', 'applied']);
    const before = await booked();
    const call = await admin.api.call('adjustWallets', asked([items[0], items[2]]));
    expect(call.headers.get('idempotency-replayed')).toBe('true');
    const again = call.json as BulkAdjustmentsAnswer;
    expect(outcomes(again)).toEqual(['replayed', 'replayed']);
    const recorded = [first.results[0], first.results[2]].map((result) => ({ ...result, replayed: true }));
    expect(again).toMatchObject({ applied: 2, replayed: 2, refused: 0 });
    // Where the log tells no positions of a stream, what is answered again has a later one.
    expect(again.results).toMatchObject(
      tellsPositions ? recorded : recorded.map((result) => ({ ...result, position: expect.any(String) })),
    );
    const later = BigInt(again.position) - BigInt(first.position);
    expect(tellsPositions ? later === 0n : later >= 0n).toBe(true);
    expect(await booked()).toEqual(before);
  });

  test('applies only what is missing when some had been applied before', async () => {
    const items = Array.from({ length: 20 }, (_, n) => item(n % 2 === 0 ? ann : bob, { BTC: '1' }));
    await send(items.filter((_, n) => n % 3 === 0));
    for (const more of [{}, { atomic: true }]) {
      const answer = await send(items, more);
      const wasMissing = (n: number) => n % 3 !== 0 && !('atomic' in more);
      expect(outcomes(answer)).toEqual(items.map((_, n) => (wasMissing(n) ? 'applied' : 'replayed')));
      expect(await walletsAt(answer.position, ann, bob)).toEqual(['10.00', '10.00']);
    }
  });

  test('takes a key once: the same item again is answered, another item is refused', async () => {
    const once = item(ann, { BTC: '10' });
    const other = { ...once, amounts: { BTC: '11' } };
    const answer = await send([once, once, other, { ...once, reason: 'another' }]);
    expect(outcomes(answer)).toEqual([
      'applied',
      'replayed',
      'idempotency_key_reused',
      'idempotency_key_reused',
    ]);
    expect(outcomes(await send([other]))).toEqual(['idempotency_key_reused']);
    // A key is one account's, as it is in a request for a single command.
    expect(outcomes(await send([item(bob, { BTC: '1' }, once.key)]))).toEqual(['applied']);
    const single = {
      body: { amounts: { BTC: '10' }, reason: 'x' },
      headers: { 'Idempotency-Key': once.key },
    };
    const refused = await admin.api.call('adjustWallet', { params: { userId: ann.userId }, ...single });
    expect(problemIn(refused).code).toBe('idempotency_key_reused');
    expect(await walletsAt(answer.position, ann)).toEqual(['10.00']);
  });

  test('refuses for each item what it would by itself, and applies the rest', async () => {
    const suspended = await join(lode.visitor, `Sue${serial}`);
    const status = { params: { userId: suspended.userId }, body: {}, headers: keyed() };
    await admin.api.get('suspend', status);
    const answer = await send([
      item({ userId: randomUUID() }, { BTC: '1' }),
      item(admin, { BTC: '1' }),
      item(ann, { BTC: '0' }),
      item(ann, {}),
      item(ann, { BTC: 'ten' }),
      item(ann, { BTC: '0.001' }),
      item(ann, { BTC: '92233720368547758.08' }),
      item(ann, { BTC: '-0.01' }),
      item(suspended, { BTC: '1' }),
      item(ann, { BTC: '1' }),
    ]);
    expect(outcomes(answer)).toEqual([
      'account_not_found',
      'own_request',
      'amount_invalid',
      'amount_invalid',
      'amount_invalid',
      'amount_invalid',
      'amount_invalid',
      'insufficient_balance',
      'applied',
      'applied',
    ]);
    const [unknown] = answer.results;
    expect(unknown).toMatchObject({
      status: 'refused',
      problem: { status: 404, code: 'account_not_found', detail: 'User not found', title: 'Not found' },
    });
    expect(await walletsAt(answer.position, ann, suspended)).toEqual(['1.00', '1.00']);
    expect(answer).toMatchObject({ applied: 2, refused: 8 });
  });

  test('that are all refused leave the log as it was', async () => {
    const before = await booked();
    const answer = await send([item(ann, { BTC: '-1' }), item(bob, { BTC: 'x' })]);
    expect(answer).toMatchObject({ applied: 0, refused: 2, position: '0' });
    expect(await booked()).toEqual(before);
  });

  test('takes as many items as it may, of one account or of many', async () => {
    const people = await Promise.all(
      Array.from({ length: 10 }, (_, n) => join(lode.visitor, `P${serial}x${n}`)),
    );
    const many = Array.from({ length: BULK_ITEMS_MAX }, (_, n) =>
      item(people[n % people.length] ?? ann, { BTC: '0.01' }),
    );
    expect(JSON.stringify(many).length).toBeGreaterThan(BODY_BYTES_MAX);
    const answer = await send(many);
    expect(new Set(outcomes(answer))).toEqual(new Set(['applied']));
    expect(await walletsAt(answer.position, ...people)).toEqual(people.map(() => '1.00'));
    const one = await send(Array.from({ length: BULK_ITEMS_MAX }, () => item(ann, { BTC: '1' })));
    expect(one).toMatchObject({ applied: BULK_ITEMS_MAX, refused: 0 });
    expect(await walletsAt(one.position, ann)).toEqual(['1000.00']);
  });

  test('goes beside single commands and other bulk requests to the same accounts', async () => {
    const bulk = () =>
      send(Array.from({ length: 50 }, (_, n) => item(n % 2 === 0 ? ann : bob, { BTC: '1' })));
    const [one, two] = await Promise.all([bulk(), bulk(), credit(admin, ann, { BTC: '1' })]);
    expect([one.applied, two.applied]).toEqual([50, 50]);
    expect(await walletsAt(await head(), ann, bob)).toEqual(['51.00', '50.00']);
  });

  test('of which too many are under way is refused and can be sent again', async () => {
    const requests = Array.from({ length: 24 }, (_, n) =>
      asked(
        Array.from({ length: 200 }, (_, m) =>
          item(ann, { BTC: '0.01' }, `${serial} ${n} ${m}`.replaceAll(' ', '-')),
        ),
      ),
    );
    const answers = await Promise.all(requests.map((ask) => admin.api.call('adjustWallets', ask)));
    for (const answer of answers) {
      if (answer.status === 200) continue;
      expect(problemIn(answer).code).toBe('overloaded');
      expect(answer.headers.get('retry-after')).toBe('1');
    }
    for (const ask of requests) await admin.api.get('adjustWallets', ask);
    expect(await walletsAt(await head(), ann)).toEqual(['48.00']);
  });
});

describe('adjusting wallets all or none', () => {
  test('applies an account’s items in one append, or none of them, each account for itself', async () => {
    const wrong = item(ann, { BTC: '-100' });
    const [one, two] = [item(ann, { BTC: '10' }), item(ann, { PI: '5' })];
    const answer = await send([one, item(bob, { BTC: '3' }), wrong, two, item(bob, { BTC: '-1' })], {
      atomic: true,
    });
    expect(outcomes(answer)).toEqual([
      'group_refused',
      'applied',
      'insufficient_balance',
      'group_refused',
      'applied',
    ]);
    expect(answer.results[0]).toMatchObject({ problem: { status: 409, code: 'group_refused' } });
    expect(await walletsAt(answer.position, ann, bob)).toEqual(['0.00', '2.00']);
    // What was refused is not remembered: the same keys may come again.
    expect(outcomes(await send([one, two], { atomic: true }))).toEqual(['applied', 'applied']);
  });

  test('an amount that is none, an unknown account and a reused key refuse their account’s group', async () => {
    const done = item(ann, { BTC: '10' });
    await send([done]);
    const unknown = { userId: randomUUID() };
    const answer = await send(
      [
        done,
        item(ann, { BTC: '1' }),
        item(ann, { BTC: 'ten' }),
        item(unknown, { BTC: '1' }),
        item(bob, { BTC: '1' }, 'one'),
        item(bob, { BTC: '1' }, 'one'),
        item(bob, { BTC: '2' }, 'one'),
      ],
      { atomic: true },
    );
    expect(outcomes(answer)).toEqual([
      'replayed',
      'group_refused',
      'amount_invalid',
      'account_not_found',
      'group_refused',
      'group_refused',
      'idempotency_key_reused',
    ]);
    expect(await walletsAt(await head(), ann, bob)).toEqual(['10.00', '0.00']);
  });

  test('an account’s items that are too many for one append are all refused', async () => {
    const before = await booked();
    const many = Array.from({ length: BULK_ITEMS_MAX }, () => item(ann, { BTC: '1', PI: '1', USDT: '1' }));
    const answer = await send(many, { atomic: true });
    expect(new Set(outcomes(answer))).toEqual(new Set(['body_too_large']));
    expect(await booked()).toEqual(before);
  });
});

describe('a bulk request that is not one', () => {
  const good = () => item(ann, { BTC: '1' });
  test.each<readonly [string, () => Ask, string]>([
    ['no items', () => asked([]), 'items'],
    ['items that are no list', () => ({ body: { items: {}, reason: 'x' } }), 'items'],
    ['one item too many', () => asked(Array.from({ length: BULK_ITEMS_MAX + 1 }, good)), 'items'],
    ['an item without a key', () => asked([good(), { ...good(), key: undefined }]), 'items.1.key'],
    ['a key with a blank', () => asked([{ ...good(), key: 'a b' }]), 'items.0.key'],
    ['a key of 256 characters', () => asked([{ ...good(), key: 'k'.repeat(256) }]), 'items.0.key'],
    ['a path for a user', () => asked([{ ...good(), userId: '../x' }]), 'items.0.userId'],
    ['a number for an amount', () => asked([{ ...good(), amounts: { BTC: 1 } }]), 'items.0.amounts.BTC'],
    ['a currency that there is not', () => asked([{ ...good(), amounts: { DOGE: '1' } }]), 'items.0.amounts'],
    ['no reason', () => ({ body: { items: [good()] } }), 'items.0.reason'],
    ['an empty reason', () => asked([{ ...good(), reason: ' ' }]), 'items.0.reason'],
    ['atomic that is no truth', () => asked([good()], { atomic: 'yes' }), 'atomic'],
  ])('is refused whole: %s', async (_, ask, path) => {
    const before = await booked();
    const problem = problemIn(await admin.api.call('adjustWallets', ask()));
    expect([problem.status, problem.code]).toEqual([400, 'validation_failed']);
    expect(problem.errors?.map((issue) => issue.path)).toContain(path);
    expect(await booked()).toEqual(before);
  });

  test('is refused when it is larger than it may be', async () => {
    const raw = `{"items": [], "more": "${'x'.repeat(BULK_BODY_BYTES_MAX)}"}`;
    const headers = { 'Content-Type': 'application/json' };
    const answer = await admin.api.call('adjustWallets', { raw, headers });
    expect(problemIn(answer).code).toBe('body_too_large');
    const other = await admin.api.call('setPrices', { raw: raw.slice(0, BODY_BYTES_MAX + 1), headers });
    expect(problemIn(other).code).toBe('body_too_large');
  });
});
