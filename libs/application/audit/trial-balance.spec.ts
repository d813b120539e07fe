import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { positionOf, systemTimers, type Position, type RecordedEvent } from '#kernel';
import { postingsIn } from '#projections';
import { atByteOffsets, histories, worldOf } from '#projections/testing';
import type { Log } from './find.js';
import { trialBalanceAt, type LogMoment } from './trial-balance.js';

/** How many events there were before, so that the log crosses stretches of every length. */
const counts = fc.constantFrom(0, 2 ** 7 - 10, 2 ** 12 - 30, 2 ** 17 - 1, 2 ** 22 - 50, 3 * 2 ** 22 - 40);

/** A position that is so much after another. */
function just(position: Position, after: number): Position {
  return positionOf(BigInt(position) + BigInt(after));
}

/** Digits of an amount, which all amounts of a currency have as many of behind the point. */
const digits = (amount: string) => BigInt(amount.replace('.', ''));

/** The sums of a log's postings, added up by the names of their accounts. */
function tally(events: readonly RecordedEvent[]): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const event of events) {
    for (const { account, amount, currency } of postingsIn(event)) {
      const name = account.replace(/^customer\/.*\//, 'customers ').replace(/^operator\//, '');
      const key = `${name} ${currency}`;
      sums.set(key, (sums.get(key) ?? 0n) + digits(amount));
    }
  }
  return new Map([...sums].filter(([, sum]) => sum !== 0n).sort());
}

const balanceAt = (log: Log, moment: LogMoment | undefined) =>
  trialBalanceAt({ ...log, timers: systemTimers }, moment);

async function found(log: Log, moment: LogMoment | undefined) {
  const { lines, ...rest } = await balanceAt(log, moment);
  const sums = lines.flatMap(({ account, amounts }) => {
    const name = account.replace(/^customers(.)/, (_, first: string) => `customers ${first.toLowerCase()}`);
    return Object.entries(amounts).map(
      ([currency, amount]) => [`${name} ${currency}`, digits(amount)] as const,
    );
  });
  return { ...rest, lines, sums: new Map(sums.filter(([, sum]) => sum !== 0n).sort()) };
}

describe('the trial balance', () => {
  test('is the tally of all events up to any position or instant, and always zero in sum', async () => {
    await fc.assert(
      fc.asyncProperty(histories, counts, fc.boolean(), async ({ events }, ordinal, inBytes) => {
        const log = inBytes ? atByteOffsets(events, ordinal * 300) : events;
        const counted = { position: positionOf(inBytes ? ordinal * 300 : 0), ordinal };
        const world = await worldOf(log, undefined, undefined, counted);
        const last = log.at(-1)?.position;
        for (const [n, { at, position }] of log.entries()) {
          const prefix = log.slice(0, n + 1);
          const one = await found(world, { position });
          expect(one.sums).toEqual(tally(prefix));
          expect(one.position).toBe(position);
          expect(await found(world, { position: just(position, inBytes ? 40 : 0) })).toEqual(one);
          expect(one.balanced).toBe(true);
          expect(Object.values(one.sum).map(digits)).toEqual([0n, 0n, 0n, 0n]);
          expect(await found(world, { time: Date.parse(at) })).toEqual(one);
        }
        const now = await found(world, undefined);
        expect([now.position, now.sums]).toEqual([last, tally(log)]);
        expect(await found(world, { position: positionOf(10n ** 19n) })).toEqual(now);
      }),
      { numRuns: 25 },
    );
  });

  test('is nothing before the first event', async () => {
    const world = await worldOf([]);
    const { position, balanced, sums } = await found(world, undefined);
    expect([position, balanced, sums.size]).toEqual(['0', true, 0]);
    expect(await found(world, { time: 0 })).toEqual(await found(world, { position: positionOf(0) }));
  });

  test('says so when the books do not balance', async () => {
    const postings = [{ account: 'operator/deposits', currency: 'USD', amount: '-1.00' }];
    const log: readonly RecordedEvent[] = [{ ...(await oneEvent()), data: { postings } }];
    const { balanced, sum } = await balanceAt(await worldOf(log), undefined);
    expect([balanced, sum.USD]).toEqual([false, '-1.00']);
  });

  test('adds to what customers are owed what is on its way to them', async () => {
    const postings = [
      { account: 'customer/ann/available', currency: 'USD', amount: '2.00' },
      { account: 'customer/ann/held', currency: 'USD', amount: '3.00' },
      { account: 'transit', currency: 'USD', amount: '4.00' },
      { account: 'operator/payouts', currency: 'USD', amount: '-9.00' },
    ];
    const world = await worldOf([{ ...(await oneEvent()), data: { postings } }]);
    const { liabilities, lines } = await balanceAt(world, undefined);
    expect(liabilities).toEqual({ USD: '9.00', BTC: '0.00000000', PI: '0.0000000', USDT: '0.000000' });
    expect(lines.find(({ account }) => account === 'payouts')).toMatchObject({
      side: 'operator',
      amounts: { USD: '-9.00' },
    });
  });
});

async function oneEvent(): Promise<RecordedEvent> {
  const [history] = fc.sample(histories, 1);
  const event = history?.events[0];
  if (event === undefined) throw new Error('a history has events');
  return event;
}
