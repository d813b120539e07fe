import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { LodeError, positionOf, type Position, type RecordedEvent } from '#kernel';
import * as ledger from '#ledger';
import { ledgerKinds, verifyLog, type LogReport, type VerifyLogOptions } from '#verify';
import { logOf, moved, nextPosition, purseKind, sealedLog } from '#verify/testing';

const facts = [
  moved('ann', 'operator/deposits', 'available', '100.00', { requestId: 'f1' }),
  moved('bob', 'operator/deposits', 'available', '50.00', { requestId: 'f2' }),
  moved('ann', 'available', 'held', '30.00', { requestId: 'w1' }),
  moved('ann', 'available', 'held', '20.00', { requestId: 't1' }),
  moved('ann', 'held', 'operator/payouts', '30.00', { requestId: 'w1' }),
  moved('ann', 'held', 'transit', '20.00', { requestId: 't1' }),
  moved('bob', 'transit', 'available', '20.00', { transferId: 't1' }),
];
const good = sealedLog(facts);

function verify(
  events: readonly RecordedEvent[],
  options: Partial<VerifyLogOptions> = {},
): Promise<LogReport> {
  return verifyLog({
    log: logOf(events),
    kinds: [purseKind],
    upTo: positionOf(1_000),
    nextPosition,
    ...options,
  });
}

/** The log with some events replaced, removed or put elsewhere. */
function spoilt(change: (event: RecordedEvent) => RecordedEvent | undefined): readonly RecordedEvent[] {
  return good.flatMap((event) => change(event) ?? []);
}
const at = (position: number, change: (event: RecordedEvent) => RecordedEvent | undefined) =>
  spoilt((event) => (event.position === String(position) ? change(event) : event));

describe('a log that the program wrote', () => {
  test('has no fault, and the report counts what is in it', async () => {
    expect(await verify(good)).toMatchObject({
      events: 7,
      streams: 2,
      types: { Moved: 7 },
      head: { position: '7', chain: good.at(-1)?.meta.chain },
      transfersUnderWay: 0,
      trialBalance: {
        'customers/available': { USD: '120.00' },
        'operator/deposits': { USD: '-150.00' },
        'operator/payouts': { USD: '30.00' },
        transit: { USD: '0.00' },
      },
      faults: [],
    });
  });

  test('is judged the same with room for one stream in memory', async () => {
    expect(await verify(good, { streamsMax: 1 })).toEqual(await verify(good));
  });

  test('is looked at as far as was asked', async () => {
    const report = await verify(good, { upTo: positionOf(6) });
    expect(report).toMatchObject({ events: 6, transfersUnderWay: 1, faults: [] });
    expect(report.trialBalance['transit']).toMatchObject({ USD: '20.00' });
  });

  test('may count its positions with gaps on an engine that does', async () => {
    const sparse = good.map((event) => ({ ...event, position: positionOf(BigInt(event.position) * 7n) }));
    expect((await verify(sparse, { nextPosition: undefined })).faults).toEqual([]);
    expect((await verify(sparse)).faults[0]).toMatchObject({ kind: 'position', position: '7' });
    const bySevens = { nextPosition: (last: Position) => positionOf(BigInt(last) + 7n) };
    expect((await verify(sparse, bySevens)).faults).toEqual([]);
    const shortened = sparse.filter(({ position }) => position !== '21');
    expect((await verify(shortened, bySevens)).faults[0]).toMatchObject({ kind: 'position', position: '28' });
  });

  test('is empty at first', async () => {
    expect(await verify([])).toMatchObject({ events: 0, faults: [] });
  });
});

describe('what was done to a log afterwards is found, and the first event of it is named', () => {
  test.each<[string, readonly RecordedEvent[], object]>([
    ['a row deleted', at(3, () => undefined), { kind: 'position', position: '4' }],
    ['the first row deleted', at(1, () => undefined), { kind: 'position', position: '2' }],
    [
      'two rows of a stream swapped',
      spoilt((event) =>
        event.position === '3'
          ? { ...event, position: positionOf(4) }
          : event.position === '4'
            ? { ...event, position: positionOf(3) }
            : event,
      ),
      { kind: 'revision', position: '3', stream: 'purse-ann', revision: 2 },
    ],
    [
      'two bodies swapped',
      spoilt((event) => {
        const other = event.position === '1' ? good[1] : event.position === '2' ? good[0] : undefined;
        return other === undefined ? event : { ...other, position: event.position, stream: event.stream };
      }),
      { kind: 'chain', position: '1' },
    ],
    ['another time', at(5, (event) => ({ ...event, at: '2026-01-01T00:00:04.001Z' })), { kind: 'chain' }],
    ['another type', at(5, (event) => ({ ...event, type: 'Movee' })), { kind: 'chain', position: '5' }],
    [
      'another actor',
      at(2, (event) => ({
        ...event,
        meta: { ...event.meta, actor: { ...event.meta.actor, id: 'admin-2' } },
      })),
      { kind: 'chain', position: '2', stream: 'purse-bob', revision: 0 },
    ],
    [
      'a chain',
      at(7, (event) => ({ ...event, meta: { ...event.meta, chain: 'f'.repeat(64) } })),
      { kind: 'chain', position: '7' },
    ],
    ['no data', at(4, (event) => ({ ...event, data: null as never })), { kind: 'unreadable', position: '4' }],
    ['no meta', at(4, (event) => ({ ...event, meta: null as never })), { kind: 'unreadable', position: '4' }],
  ])('%s', async (_, events, fault) => {
    for (const streamsMax of [1, 100]) {
      expect((await verify(events, { streamsMax })).faults[0]).toMatchObject(fault);
    }
  });

  test('any bit of any event', async () => {
    const texts = good.map((event) => JSON.stringify(event));
    await fc.assert(
      fc.asyncProperty(fc.nat(texts.length - 1), fc.nat(10_000), fc.nat(6), async (which, letter, bit) => {
        const text = texts[which] ?? '';
        const place = letter % text.length;
        const flipped =
          text.slice(0, place) +
          String.fromCharCode(text.charCodeAt(place) ^ (1 << bit)) +
          text.slice(place + 1);
        let event: RecordedEvent;
        try {
          event = JSON.parse(flipped) as RecordedEvent;
        } catch {
          return;
        }
        // Its own place in the log is no part of an event, and the rows give it.
        const { position } = good[which]!;
        const { id, type, version, stream, revision, at: time, data, meta } = event;
        const read = { id, type, version, stream, revision, at: time, data, meta, position };
        if (JSON.stringify(read) === JSON.stringify({ ...read, ...good[which] })) return;
        const report = await verify(good.map((one, n) => (n === which ? read : one)));
        expect(report.faults[0]).toMatchObject({ position });
      }),
      { numRuns: 100 },
    );
  });

  test('a place that can’t be read, and then the rest', async () => {
    const { readAll, readStream } = logOf(good);
    const broken: VerifyLogOptions['log'] = {
      readStream,
      readAll: async (after, limit) => {
        const page = await readAll(after, limit);
        if (page.every(({ position }) => position !== '5')) return page;
        throw new LodeError('storage_failed', 'no event', {
          position: '5',
          stream: 'purse-ann',
          revision: 3,
        });
      },
    };
    const report = await verify([], { log: broken });
    expect(report).toMatchObject({
      events: 6,
      faults: [
        { kind: 'unreadable', position: '5', stream: 'purse-ann', revision: 3, what: 'no event' },
        // What the rest of that stream put there can't be known.
        { kind: 'transit', position: '7', stream: 'purse-bob' },
      ],
    });
  });

  test('a history that was made anew, and one that was cut off, beside a backup', async () => {
    const { events, digest } = await verify(good, { upTo: positionOf(6) });
    const since = { events, digest };
    expect((await verify(good, { since })).faults).toEqual([]);
    const other = sealedLog([
      ...facts.slice(0, 1),
      ...facts.slice(1).map((fact) => ({ ...fact, command: JSON.stringify(fact) })),
    ]);
    expect((await verify(other)).faults).toEqual([]);
    expect((await verify(other, { since })).faults).toMatchObject([{ kind: 'history', position: '6' }]);
    expect((await verify(good.slice(0, 5), { since })).faults).toMatchObject([{ kind: 'history' }]);
  });
});

const opened = {
  type: 'AccountOpened',
  data: { userId: 'ann', accountNumber: '3012345678', role: 'user', profile: 'v1.sealed' },
};
const evidence = { fileId: 'f1', sha256: 'ab'.repeat(32) };
const asked = {
  type: 'FundingRequested',
  data: { requestId: 'r1', amount: '1.00', currency: 'BTC', evidence },
};
const rejected = { type: 'FundingRejected', data: { requestId: 'r1', postings: [] } };
const refused = {
  type: 'TransferRefused',
  data: {
    ...{ amount: '1.00', converted: '1.00000000', currency: 'BTC', price: '1.00000000' },
    ...{ from: 'bob', transferId: 't1', why: 'suspended' },
  },
};

describe('what no rule allows is found though every hash is right', () => {
  test.each<[string, Parameters<typeof sealedLog>[0], object]>([
    ['a kind of stream', [{ ...facts[0]!, stream: 'diary-1' }], { kind: 'unknown' }],
    ['an event type', [{ ...facts[0]!, type: 'Lost' }], { kind: 'unknown' }],
    ['a version', [{ ...facts[0]!, version: 2 }], { kind: 'unknown' }],
    [
      'postings that do not add up',
      [
        {
          ...facts[0]!,
          data: { postings: [{ account: 'customer/ann/available', currency: 'USD', amount: '1.00' }] },
        },
      ],
      { kind: 'postings', position: '1' },
    ],
    [
      'a currency',
      [{ ...facts[0]!, data: { postings: [{ account: 'transit', currency: 'EUR', amount: '0.00' }] } }],
      { kind: 'postings' },
    ],
    [
      'an amount',
      [{ ...facts[0]!, data: { postings: [{ account: 'transit', currency: 'USD', amount: 'NaN' }] } }],
      { kind: 'postings' },
    ],
    [
      'another person’s account',
      [moved('ann', 'customer/bob/available', 'transit', '1.00')],
      { kind: 'postings' },
    ],
    [
      'a balance below zero',
      [moved('ann', 'available', 'transit', '1.00', { requestId: 'r' })],
      { kind: 'balance' },
    ],
    [
      'held money of nobody',
      [...facts.slice(0, 1), moved('ann', 'available', 'held', '1.00')],
      { kind: 'hold', position: '2' },
    ],
    ['a hold that is made twice', [facts[0]!, facts[2]!, facts[2]!], { kind: 'hold', position: '3' }],
    [
      'a hold that is taken from twice',
      [...facts.slice(0, 5), moved('ann', 'held', 'available', '20.00', { requestId: 'w1' })],
      { kind: 'hold', position: '6' },
    ],
    [
      'a hold of another amount',
      [facts[0]!, facts[2]!, moved('ann', 'held', 'available', '29.00', { requestId: 'w1' })],
      { kind: 'hold', position: '3' },
    ],
    ['a transfer that arrives twice', [...facts, facts[6]!], { kind: 'transit', position: '8' }],
    ['a transfer that was never sent', [facts[6]!], { kind: 'transit', position: '1' }],
    [
      'a transfer of another amount',
      [...facts.slice(0, 6), moved('bob', 'transit', 'available', '19.00', { transferId: 't1' })],
      { kind: 'transit', position: '7' },
    ],
  ])('%s', async (_, given, fault) => {
    expect((await verify(sealedLog(given))).faults[0]).toMatchObject(fault);
  });

  test('balances that an event tells and did not leave', async () => {
    const telling = (wallet: string, balance: string) =>
      sealedLog(
        facts.map((fact, n) =>
          n === 2 ? { ...fact, data: { ...fact.data, currency: 'BTC', after: { wallet, balance } } } : fact,
        ),
      );
    expect((await verify(telling('100.00', '0.00000000'))).faults).toEqual([]);
    for (const [wallet, balance] of [
      ['70.00', '0.00000000'],
      ['100.00', '0.00000001'],
    ] as const)
      expect((await verify(telling(wallet, balance))).faults[0]).toMatchObject({
        kind: 'balance',
        position: '3',
      });
  });

  test('a command that is there twice in a stream, and one in two streams', async () => {
    const again = { ...facts[0]!, command: 'again' };
    const twice = sealedLog([again, { ...facts[2]!, command: 'between' }, again]);
    expect((await verify(twice)).faults).toEqual([expect.objectContaining({ kind: 'id', position: '3' })]);
    const twins = [
      sealedLog([again])[0]!,
      { ...sealedLog([{ ...facts[1]!, command: 'again' }])[0]!, position: positionOf(2) },
    ];
    expect((await verify(twins)).faults).toEqual([
      expect.objectContaining({ kind: 'id', position: '2', stream: 'purse-bob' }),
    ]);
  });

  test('an event that the aggregate can’t have given', async () => {
    const closed = sealedLog([{ type: 'FundingRejected', stream: 'account-ann', data: { requestId: 'r1' } }]);
    expect((await verify(closed, { kinds: ledgerKinds })).faults).toMatchObject([
      { kind: 'rule', position: '1', stream: 'account-ann', revision: 0, type: 'FundingRejected' },
    ]);
  });

  test.each([
    ['closed twice', [asked, rejected, rejected]],
    ['closed without having been made', [rejected]],
    ['made twice', [asked, asked]],
    ['closed as one of another kind', [asked, { ...rejected, type: 'TransferRejected' }]],
    ['settled as a transfer', [asked, { ...rejected, type: 'TransferSettled' }]],
    ['refused twice by the receiver', [refused, refused]],
  ])('a request that is %s', async (_, path) => {
    const log = sealedLog([opened, ...path].map((fact) => ({ ...fact, stream: 'account-ann' })));
    expect((await verify(log, { kinds: ledgerKinds })).faults).toMatchObject([
      { kind: 'rule', position: String(log.length), type: path.at(-1)?.type },
    ]);
  });

  test('and no more than a hundred of them are looked at', async () => {
    const many = sealedLog(Array.from({ length: 300 }, (_, n) => ({ ...facts[0]!, stream: `diary-${n}` })));
    const report = await verify(many);
    expect([report.faults.length, report.events]).toEqual([100, 100]);
  });
});

test('every aggregate of the ledger has its kind of stream', () => {
  const deciders = Object.entries(ledger).filter(([name]) => name.endsWith('Decider'));
  expect(deciders.length).toBeGreaterThan(1);
  for (const [, decider] of deciders) {
    const { versions } = (decider as { readonly codecs: { readonly versions: unknown } }).codecs;
    expect(ledgerKinds.map((kind) => kind.versions)).toContain(versions);
  }
});
