import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Why } from '#contracts';
import { logStart, systemTimers as timers, type RecordedEvent } from '#kernel';
import { accountDecider, currencies, parseMoney } from '#ledger';
import { histories, logOf, modelsBeingBuilt } from '#projections/testing';
import { createAccountHistory } from './history.js';
import { whyThisBalance, type WhyAsked, type WhyParts } from './why.js';

function partsOf(events: readonly RecordedEvent[]): WhyParts {
  const { eventStore } = logOf(events);
  const { codecs, evolve, initial } = accountDecider;
  const load = async (stream: string) => {
    const own = events.filter((event) => event.stream === stream);
    const state = own.map((event) => codecs.decode(event)).reduce(evolve, initial);
    const last = own.at(-1);
    return {
      state,
      revision: own.length - 1,
      position: last?.position ?? logStart,
      chain: last?.meta.chain ?? '',
    };
  };
  return {
    aggregates: { accounts: { load } },
    eventStore,
    history: createAccountHistory({ eventStore, readStore: modelsBeingBuilt, timers }),
  };
}

const ask = (parts: WhyParts, asked: WhyAsked) =>
  whyThisBalance(parts, asked, async () => (actor) => `the ${actor.role}`);

/** All that is said of a balance, page by page. */
async function pagesOf(parts: WhyParts, asked: Omit<WhyAsked, 'before'>): Promise<readonly Why[]> {
  const pages: Why[] = [];
  let before: number | undefined;
  for (;;) {
    const page = await ask(parts, { ...asked, before });
    pages.push(page);
    if (page.before === null) return pages;
    expect(page.before).toBeLessThan(before ?? Infinity);
    before = page.before;
  }
}

describe('why a balance is what it is', () => {
  test('is said page by page, each movement once, down to nothing', async () => {
    const asked = fc.record({
      history: histories,
      userId: fc.constantFrom('anna', 'boris'),
      currency: fc.constantFrom(...currencies),
      limit: fc.integer({ min: 1, max: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(asked, async ({ history: { events }, userId, currency, limit }) => {
        if (!events.some(({ stream }) => stream === `account-${userId}`)) return;
        const pages = await pagesOf(partsOf(events), { userId, currency, limit });
        for (const { entries } of pages) expect(entries.length).toBeLessThanOrEqual(limit);
        const entries = pages.flatMap((page) => page.entries);
        expect(new Set(entries.map(({ eventId }) => eventId)).size).toBe(entries.length);
        let left = parseMoney(pages[0]?.balance ?? '', currency);
        for (const { balanceAfter, change } of entries) {
          expect(parseMoney(balanceAfter, currency)).toBe(left);
          left -= parseMoney(change, currency);
        }
        expect(left).toBe(0n);
      }),
    );
  });

  test('is said of nobody’s account by no one', async () => {
    const asked = { userId: 'nobody', currency: 'USD', before: undefined, limit: 10 } as const;
    await expect(ask(partsOf([]), asked)).rejects.toMatchObject({ code: 'account_not_found' });
  });
});
