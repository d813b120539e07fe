import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { positionOf, systemTimers as timers, type RecordedEvent } from '#kernel';
import { currencies, formatMoney, parseMoney, type Currency } from '#ledger';
import { histories, logOf, modelsBeingBuilt, recorded } from '#projections/testing';
import { createAccountHistory } from './history.js';
import { statementOf, type StatementAsked, type StatementPage } from './statement.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** The day before the clocks of Berlin go forward. */
const START = Date.parse('2026-03-28T00:00:00Z');

function world(events: readonly RecordedEvent[]) {
  const { eventStore } = logOf(events);
  return { eventStore, history: createAccountHistory({ eventStore, readStore: modelsBeingBuilt, timers }) };
}

/** Histories of some days, in which the clock went back now and then. */
const overDays = fc
  .record({
    history: histories,
    jumps: fc.array(fc.integer({ min: -30, max: 0 }), { minLength: 1, maxLength: 6 }),
  })
  .map(({ history: { events }, jumps }) =>
    events.map((event, n) => ({
      ...event,
      at: new Date(START + n * 2 * HOUR + (jumps[n % jumps.length] ?? 0) * 60_000).toISOString(),
    })),
  );
const dayAt = (n: number) => new Date(START + n * DAY).toISOString().slice(0, 10);
const periods = fc.record({
  zone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/Sao_Paulo', 'Pacific/Kiritimati'),
  cuts: fc.uniqueArray(fc.integer({ min: -1, max: 12 }), { minLength: 2, maxLength: 4 }),
  currency: fc.constantFrom(...currencies),
  limit: fc.integer({ min: 1, max: 9 }),
});

type Asked = Omit<StatementAsked, 'cursor'>;

/** All pages of a statement; each but the first leads back to the one before. */
async function pagesOf(parts: ReturnType<typeof world>, asked: Asked): Promise<readonly StatementPage[]> {
  const pages: StatementPage[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await statementOf(parts, { ...asked, cursor });
    const before = pages.at(-1);
    pages.push(page);
    if (before !== undefined) {
      expect(page.previous).not.toBeNull();
      const back = await statementOf(parts, { ...asked, cursor: page.previous ?? '' });
      expect([back.items, back.first]).toEqual([before.items, before.first]);
    }
    if (page.next === null) return pages;
    cursor = page.next;
  }
}

const minor = (text: string, currency: Currency) => parseMoney(text, currency);

/** The statement adds up: opening and each change in turn are what each entry left, and at last the closing. */
function addsUp({ opening, closing, change, currency }: StatementPage, items: StatementPage['items']): void {
  let balance = minor(opening.balance, currency);
  let held = minor(opening.held, currency);
  for (const entry of items) {
    balance += minor(entry.change, currency);
    held += minor(entry.heldChange, currency);
    expect(entry.after).toEqual({
      balance: formatMoney(balance, currency),
      held: formatMoney(held, currency),
      available: formatMoney(balance - held, currency),
    });
  }
  expect([closing.balance, closing.held]).toEqual([
    formatMoney(balance, currency),
    formatMoney(held, currency),
  ]);
  expect(minor(opening.balance, currency) + minor(change, currency)).toBe(balance);
}

describe('a statement', () => {
  test('adds up, is true at its position, and chains with the next one', async () => {
    const asked = fc.record({ events: overDays, period: periods });
    await fc.assert(
      fc.asyncProperty(asked, async ({ events, period: { zone, cuts, currency, limit } }) => {
        const parts = world(events);
        const days = cuts.toSorted((a, b) => a - b);
        for (const userId of ['anna', 'boris']) {
          const statements: StatementPage[] = [];
          const entries: StatementPage['items'][number][] = [];
          for (const [n, first] of days.slice(0, -1).entries()) {
            const one = {
              userId,
              currency,
              zone,
              limit,
              from: dayAt(first),
              to: dayAt((days[n + 1] ?? 0) - 1),
            };
            const pages = await pagesOf(parts, one);
            const items = pages.flatMap((page) => page.items);
            const [page] = pages as [StatementPage];
            addsUp(page, items);
            if (page.position !== undefined) {
              const then = await parts.history.asOf(userId, { position: positionOf(Number(page.position)) });
              const { balances, wallet } = then?.account ?? {};
              expect(page.closing).toEqual(currency === 'USD' ? wallet : balances?.[currency]);
              expect(then?.revision).toBe(page.revision);
            }
            statements.push(page);
            entries.push(...items);
          }
          for (const [n, page] of statements.entries())
            if (n > 0) expect(page.opening).toEqual(statements[n - 1]?.closing);
          const [from, to] = [dayAt(days[0] ?? 0), dayAt((days.at(-1) ?? 0) - 1)];
          const whole = await pagesOf(parts, { userId, currency, zone, limit: 100, from, to });
          expect(whole.flatMap((page) => page.items)).toEqual(entries);
        }
      }),
      { numRuns: 30 },
    );
  });

  test('has what happened in its days, and nothing else', async () => {
    const amounts = { amount: '1.00', currency: 'PI', price: '1.00000000', converted: '1.0000000' };
    const postings = [
      { account: 'operator/adjustments', currency: 'USD', amount: '-1.00' },
      { account: 'customer/ann/available', currency: 'USD', amount: '1.00' },
    ];
    const times = [
      '2026-03-27T12:00',
      '2026-03-28T22:59',
      '2026-03-28T23:00',
      '2026-03-29T21:59',
      '2026-03-29T22:00',
    ];
    const open = { userId: 'ann', accountNumber: '3012345678', role: 'user', profile: 'sealed' };
    const log = times.map((time, n) => {
      const type = n === 0 ? 'AccountOpened' : 'WalletCredited';
      const event = recorded(n + 1, 'account-ann', type, n === 0 ? open : { ...amounts, postings }, n);
      return { ...event, at: `${time}:00.000Z` };
    });
    const asked = { userId: 'ann', currency: 'USD', limit: 10, cursor: undefined } as const;
    const berlin = { ...asked, zone: 'Europe/Berlin', from: '2026-03-29', to: '2026-03-29' };
    const { items, ...told } = await statementOf(world(log), berlin);
    expect(items.map(({ revision, description }) => [revision, description])).toEqual([
      [2, 'Credited by an admin'],
      [3, 'Credited by an admin'],
    ]);
    expect(told).toMatchObject({
      opening: { balance: '1.00' },
      closing: { balance: '3.00' },
      change: '2.00',
      position: '4',
      begins: '2026-03-28T23:00:00.000Z',
      ends: '2026-03-29T22:00:00.000Z',
    });
    const none = await statementOf(world(log), { ...berlin, from: '2025-01-01', to: '2025-12-31' });
    expect(none).toMatchObject({ items: [], revision: null, opening: { balance: '0.00' }, next: null });
    await expect(statementOf(world(log), { ...berlin, userId: 'bob' })).rejects.toMatchObject({
      code: 'account_not_found',
    });
    await expect(statementOf(world(log), { ...berlin, cursor: 'e30' })).rejects.toMatchObject({
      code: 'validation_failed',
    });
  });

  test('of events that moved nothing comes in pages that may be empty, and goes on', async () => {
    const log = Array.from({ length: 2_100 }, (_, n) => {
      if (n > 0) return recorded(n + 1, 'account-ann', 'ProfileChanged', { profile: 'sealed' }, n);
      const data = { userId: 'ann', accountNumber: '3012345678', role: 'user', profile: 'sealed' };
      return recorded(1, 'account-ann', 'AccountOpened', data);
    });
    const asked = { userId: 'ann', currency: 'USD', zone: 'UTC', limit: 10 } as const;
    const days = { from: '2026-01-01', to: '2026-12-31' };
    const pages = await pagesOf(world(log), { ...asked, ...days });
    expect(pages.map(({ items }) => items.length)).toEqual([0, 0, 0]);
  });
});
