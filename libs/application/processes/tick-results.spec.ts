import { expect, test } from '@jest/globals';
import { positionOf, type RecordedEvent } from '#kernel';
import { accounts, events } from '#projections';
import { recorded, worldOf } from '#projections/testing';
import { tickRunId } from '../bonus/accrue.js';
import { ListTickResults, ListTickResultsHandler } from './tick-results.js';

const SLOT = '2026-01-03T13:00:00.000Z';
const [FIRST, LATER] = [tickRunId(SLOT), tickRunId('2026-01-03T20:00:00.000Z')];

/** The bonus of a person, booked by a run. */
function paid(position: number, userId: string, run: string): RecordedEvent {
  const posting = (account: string, sign: '' | '-') => [
    { account, currency: 'USD', amount: `${sign}61.90` },
    { account, currency: 'USDT', amount: `${sign}61.900000` },
  ];
  const event = recorded(position, `account-${userId}`, 'BonusAccrued', {
    days: 2,
    bonusDays: 4,
    updatedTime: SLOT,
    policy: { rate: '0.10', windowDays: 7, everyHours: 7, capDays: 7, currency: 'USDT' },
    currency: 'USDT',
    amount: '61.90',
    price: '1.00000000',
    converted: '61.900000',
    after: { wallet: '371.40', balance: '92.400000' },
    postings: [...posting('operator/bonus', '-'), ...posting(`customer/${userId}/available`, '')],
  });
  return { ...event, meta: { ...event.meta, correlationId: run, causationId: run } };
}

test('a run of the bonus tick is told account by account, from its events, a page at a time', async () => {
  const log = [paid(1, 'ann', FIRST), paid(2, 'bob', FIRST), paid(3, 'cleo', FIRST), paid(4, 'ann', LATER)];
  const handler = new ListTickResultsHandler(await worldOf(log, [events, accounts]));
  const page = await handler.execute(new ListTickResults('2026-01-03T13:00:00Z', { limit: 2 }));
  expect(page.items.map(({ userId }) => userId)).toEqual(['ann', 'bob']);
  expect(page.items[0]).toEqual({
    userId: 'ann',
    name: 'Unknown',
    eventId: 'event-1',
    position: positionOf(1),
    at: log[0]?.at,
    days: 2,
    bonusDays: 4,
    amount: '61.90',
    currency: 'USDT',
    converted: '61.900000',
  });
  const rest = await handler.execute(new ListTickResults(SLOT, { limit: 2, cursor: page.next ?? '' }));
  expect(rest.items.map(({ userId }) => userId)).toEqual(['cleo']);
  expect(rest.next).toBeNull();
  const none = await handler.execute(new ListTickResults('2026-01-03T06:00:00.000Z', { limit: 2 }));
  expect(none.items).toEqual([]);
});
