import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { positionOf, systemTimers, type RecordedEvent } from '#kernel';
import { currencies, ledgerClasses } from '#ledger';
import { atByteOffsets, histories, recorded, worldOf, type World } from '#projections/testing';
import { trialBalanceAt } from './trial-balance.js';
import { trialPostingsAt, type CellAsked } from './trial-postings.js';

type Asked = Omit<CellAsked, 'cursor'>;

const booksOf = (world: World) => ({ ...world, timers: systemTimers });
const digits = (amount: string) => BigInt(amount.replace('.', ''));

/** All pages from the first on, or back from one of them. */
async function walk(world: World, asked: Asked, way: 'next' | 'previous', from?: string) {
  const pages: Awaited<ReturnType<typeof trialPostingsAt>>[] = [];
  let cursor = from;
  do {
    const page = await trialPostingsAt(booksOf(world), { ...asked, cursor });
    pages.push(page);
    cursor = page[way] ?? undefined;
  } while (cursor !== undefined);
  return pages;
}

const idsOf = (pages: Awaited<ReturnType<typeof walk>>) =>
  pages.flatMap(({ items }) => items.map(({ event }) => event.id));

describe('what is behind a cell of the trial balance', () => {
  test('adds up to the cell as of any position, page by page, there and back', async () => {
    const cells = fc.record({
      account: fc.constantFrom(...ledgerClasses),
      currency: fc.constantFrom(...currencies),
      limit: fc.integer({ min: 1, max: 5 }),
      upTo: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    await fc.assert(
      fc.asyncProperty(histories, cells, fc.boolean(), async ({ events }, { upTo, ...cell }, inBytes) => {
        const log = inBytes ? atByteOffsets(events, 0) : events;
        const world = await worldOf(log);
        const position = log[Math.floor(upTo * (log.length - 1))]?.position;
        const moment = position === undefined ? undefined : { position };
        const { lines } = await trialBalanceAt(booksOf(world), moment);
        const line = lines.find(({ account }) => account === cell.account);
        const there = await walk(world, { ...cell, moment }, 'next');
        const sum = there.flatMap(({ items }) => items).reduce((all, { amount }) => all + digits(amount), 0n);
        expect(sum).toBe(digits(line?.amounts[cell.currency] ?? ''));
        expect(there[0]?.previous).toBeNull();
        const back = await walk(world, { ...cell, moment }, 'previous', there.at(-2)?.next ?? undefined);
        expect(idsOf(back.toReversed())).toEqual(idsOf(there));
        expect(back.at(-1)?.first).toBe(1);
      }),
      { numRuns: 40 },
    );
  });

  test('is found over long stretches that have nothing of it, without reading them', async () => {
    const postings = [
      { account: 'operator/deposits', amount: '-1.00', currency: 'USD' },
      { account: 'customer/ann/available', amount: '1.00', currency: 'USD' },
    ];
    const log: RecordedEvent[] = Array.from({ length: 30_000 }, (_, n) =>
      recorded(n + 1, 'account-ann', 'FundingConfirmed', n % 14_000 === 3 ? { postings } : {}, n),
    );
    const world = await worldOf(log);
    const readAll: World['eventStore']['readAll'] = (after, limit) => {
      reads += 1;
      return world.eventStore.readAll(after, limit);
    };
    let reads = 0;
    const watched = { ...world, eventStore: { ...world.eventStore, readAll } };
    const asked = { account: 'deposits', currency: 'USD', limit: 10, moment: undefined } as const;
    const pages = await walk(watched, asked, 'next');
    expect(idsOf(pages)).toEqual([28_004, 14_004, 4].map((n) => log[n - 1]?.id));
    expect(reads).toBe(3);
    expect(pages[0]?.position).toBe(positionOf(30_000));
  });
});
