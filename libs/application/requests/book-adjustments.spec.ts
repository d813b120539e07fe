import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { LodeError, systemTimers } from '#kernel';
import { admin, contextOf, createWorld } from '../testing/index.js';
import { BookAdjustments, BookAdjustmentsHandler } from './book-adjustments.js';

const unheard: unknown[] = [];
const hear = (reason: unknown) => unheard.push(reason);
beforeEach(() => void process.on('unhandledRejection', hear));
afterEach(() => void process.off('unhandledRejection', hear));

const batchOf = (items: BookAdjustments['batch']['items'], atomic = false) =>
  new BookAdjustments({ actor: admin }, { items, atomic, contextFor: ({ key }) => contextOf(admin, key) });

test('portions that fail together refuse the request, and each failure is heard of', async () => {
  const world = createWorld();
  let portions = 0;
  const accounts = {
    executeMany: async () => {
      throw new LodeError('unavailable', `portion ${++portions}`);
    },
  };
  const handler = new BookAdjustmentsHandler({
    ...world,
    aggregates: { ...world.aggregates, accounts: { ...world.aggregates.accounts, ...accounts } },
    timers: systemTimers,
  });
  const items = Array.from({ length: 200 }, (_, n) => ({
    key: `${n}`,
    userId: `${n}`,
    amounts: { BTC: '1' },
  }));
  await expect(handler.execute(batchOf(items))).rejects.toMatchObject({
    code: 'unavailable',
    message: 'portion 1',
  });
  await setImmediate();
  expect(portions).toBeGreaterThan(1);
  expect(unheard).toEqual([]);
});

test('each item is booked or refused by itself, in its place, and once', async () => {
  const world = createWorld();
  await world.openCustomer('eve');
  const handler = new BookAdjustmentsHandler({ ...world, timers: systemTimers });
  const items = [
    { key: '1', userId: 'eve', amounts: { BTC: '5' } },
    { key: '2', userId: 'nobody', amounts: { BTC: '5' } },
    { key: '3', userId: 'eve', amounts: { BTC: 'much' } },
    { key: '4', userId: 'eve', amounts: { PI: '-1' } },
  ];
  const first = await handler.execute(batchOf(items));
  expect(first).toMatchObject([
    { status: 'applied', replayed: false, revision: 1 },
    { status: 'refused', error: { code: 'account_not_found' } },
    { status: 'refused', error: { code: 'amount_invalid' } },
    { status: 'refused', error: { code: 'insufficient_balance' } },
  ]);
  expect(await handler.execute(batchOf(items.slice(0, 1)))).toMatchObject([
    { status: 'applied', replayed: true, revision: 1 },
  ]);
});
