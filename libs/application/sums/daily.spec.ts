import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { DailySums } from '#contracts';
import type { RecordedEvent } from '#kernel';
import { dailySums, postingsIn } from '#projections';
import { atByteOffsets, histories, recorded, worldOf } from '#projections/testing';
import { readDailySums } from './daily.js';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Days that the histories are moved by, so that they cross months and years. */
const shifts = fc.constantFrom(0, -20, 45, 364);

type Sums = Readonly<Record<'bonus' | 'byHand' | 'held' | 'in' | 'out', bigint>>;

/** Digits of an amount, which all amounts of a currency have as many of behind the point. */
const digits = (amount: string) => BigInt(amount.replace('.', ''));

/** What the events of some days come to in a currency, from their postings and nothing else. */
function tally(
  events: readonly RecordedEvent[],
  currency: string,
  isCounted: (day: string) => boolean,
): Sums {
  const postings = events
    .filter(({ at }) => isCounted(at.slice(0, 10)))
    .flatMap(postingsIn)
    .filter((posting) => posting.currency === currency);
  const sum = (account: RegExp) =>
    postings
      .filter((posting) => account.test(posting.account))
      .reduce((total, { amount }) => total + digits(amount), 0n);
  return {
    bonus: -sum(/^operator\/bonus$/),
    byHand: -sum(/^operator\/adjustments$/),
    held: sum(/^customer\/.*\/held$/),
    in: -sum(/^operator\/deposits$/),
    out: sum(/^operator\/payouts$/),
  };
}

function moved(event: RecordedEvent, days: number): RecordedEvent {
  return { ...event, at: new Date(Date.parse(event.at) + days * DAY_MS).toISOString() };
}

/** A request's money that is set aside, or given back, at an instant. */
function held(position: number, at: string, amount: string): RecordedEvent {
  const event = recorded(position, 'account-ann', 'WithdrawalRequested', {
    postings: [
      { account: 'customer/ann/available', currency: 'USD', amount: `-${amount}`.replace('--', '') },
      { account: 'customer/ann/held', currency: 'USD', amount },
    ],
  });
  return { ...event, at };
}

async function read(log: readonly RecordedEvent[], from: string, to: string): Promise<DailySums> {
  const { readStore } = await worldOf(log, [dailySums]);
  return readDailySums(readStore, { from, to });
}

/** What was held of dollars at the end of each day. */
async function heldOf(log: readonly RecordedEvent[], from: string, to: string) {
  const { items } = await read(log, from, to);
  return items.filter(({ currency }) => currency === 'USD').map(({ day, held: amount }) => [day, amount]);
}

describe('sums by day', () => {
  test('are what an independent fold of the same history comes to, day by day', async () => {
    await fc.assert(
      fc.asyncProperty(histories, shifts, fc.boolean(), async ({ events }, days, inBytes) => {
        const shifted = events.map((event) => moved(event, days));
        const log = inBytes ? atByteOffsets(shifted) : shifted;
        const all = log.map(({ at }) => at.slice(0, 10)).toSorted();
        const [first = '2026-01-01', last = first] = [all[0], all.at(-1)];
        // Later than the first day, so that some of what is held is from before.
        const from = all[Math.floor(all.length / 3)] ?? first;
        const { items, position } = await read(log, from, last);
        expect(position).toBe(log.at(-1)?.position ?? '0');
        expect(items).toHaveLength(4 * ((Date.parse(last) - Date.parse(from)) / DAY_MS + 1));
        for (const { day, currency, held: heldThen, ...sums } of items) {
          const { held: _, ...expected } = tally(log, currency, (one) => one === day);
          const found = Object.entries(sums).map(([name, amount]) => [name, digits(amount)]);
          expect([day, currency, Object.fromEntries(found)]).toEqual([day, currency, expected]);
          const until = tally(log, currency, (one) => one <= day);
          expect([day, currency, digits(heldThen)]).toEqual([day, currency, until.held]);
        }
      }),
      { numRuns: 40 },
    );
  });

  test('end with the last millisecond of a day in UTC', async () => {
    const log = [held(1, '2026-02-28T23:59:59.999Z', '5.00'), held(2, '2026-03-01T00:00:00.000Z', '2.00')];
    expect(await heldOf(log, '2026-02-28', '2026-03-01')).toEqual([
      ['2026-02-28', '5.00'],
      ['2026-03-01', '7.00'],
    ]);
  });

  test('have days without events, on which is held what was before', async () => {
    const log = [held(1, '2025-11-30T10:00:00.000Z', '5.00'), held(2, '2026-01-02T10:00:00.000Z', '-4.00')];
    expect(await heldOf(log, '2025-11-29', '2025-12-01')).toEqual([
      ['2025-11-29', '0.00'],
      ['2025-11-30', '5.00'],
      ['2025-12-01', '5.00'],
    ]);
    expect(await heldOf(log, '2026-01-01', '2026-01-03')).toEqual([
      ['2026-01-01', '5.00'],
      ['2026-01-02', '1.00'],
      ['2026-01-03', '1.00'],
    ]);
    expect(await heldOf([], '2026-01-01', '2026-01-01')).toEqual([['2026-01-01', '0.00']]);
  });

  test('count an event whose clock had gone back on the day that it says', async () => {
    const log = [held(1, '2026-02-02T00:10:00.000Z', '5.00'), held(2, '2026-01-31T23:50:00.000Z', '2.00')];
    expect(await heldOf(log, '2026-01-31', '2026-02-02')).toEqual([
      ['2026-01-31', '2.00'],
      ['2026-02-01', '2.00'],
      ['2026-02-02', '7.00'],
    ]);
  });

  test('are of one currency where one is asked for', async () => {
    const { readStore } = await worldOf([held(1, '2026-01-01T10:00:00.000Z', '5.00')], [dailySums]);
    const asked = { from: '2026-01-01', to: '2026-01-02', currency: 'BTC' } as const;
    const { items } = await readDailySums(readStore, asked);
    expect(items.map(({ currency, held: amount }) => [currency, amount])).toEqual([
      ['BTC', '0.00000000'],
      ['BTC', '0.00000000'],
    ]);
  });

  test('can’t be read before they are made', async () => {
    const { readStore } = await worldOf([], []);
    await expect(readDailySums(readStore, { from: '2026-01-01', to: '2026-01-01' })).rejects.toMatchObject({
      code: 'unavailable',
    });
  });
});
