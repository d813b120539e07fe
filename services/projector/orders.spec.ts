import { expect, test } from '@jest/globals';
import { LodeError, systemTimers, type Failing, type Json, type Timers } from '#kernel';
import { until } from '#kernel/testing';
import { createMemoryOrders, type MemoryOrderStore } from '#orders/memory';
import { createOrderer, takeOrders, type OrderKind } from './orders.js';

const TO = 'projector';
const WAIT_MS = 60_000;
const timers = systemTimers;
/** Pauses that nobody waits for. */
const hurried: Timers = { ...timers, after: (_ms, done) => timers.after(0, done) };

/** Programs that share orders: who asks, and who may have the lease. */
function world() {
  const store: MemoryOrderStore = new Map();
  const failures: Failing[] = [];
  const take = (carryOut: (what: Json) => Promise<Json>, timers: Timers = systemTimers) =>
    takeOrders({
      orders: createMemoryOrders(store),
      to: [TO],
      carryOut,
      onFailing: (failing) => failures.push(failing),
      timers,
    });
  const { order, orderOnce, end } = createOrderer({ orders: createMemoryOrders(store), timers });
  return {
    store,
    failures,
    take,
    end,
    order: (what: Json, timeoutMs: number) => order(TO, what, timeoutMs),
    orderOnce: (...[what, timeoutMs, kind]: [Json, number, OrderKind]) =>
      orderOnce(TO, what, timeoutMs, kind),
  };
}

test('an order is answered by whoever has the lease, in the order in which it came', async () => {
  const { order, take } = world();
  const done: Json[] = [];
  const [first, second] = [order('one', WAIT_MS), order('two', WAIT_MS)];
  const stop = take(async (what) => {
    done.push(what);
    return { did: what };
  });
  expect([await first, await second]).toEqual([{ did: 'one' }, { did: 'two' }]);
  expect(done).toEqual(['one', 'two']);
  await stop();
});

test('an order that nobody carried out in time is kept, and done by whoever has the lease next', async () => {
  const { order, take, store } = world();
  await expect(order('later', 0)).rejects.toMatchObject({ code: 'unknown_outcome' });
  const done: Json[] = [];
  const stop = take(async (what) => {
    done.push(what);
    return null;
  });
  await until(() => [...store.values()].every(({ outcome }) => outcome !== undefined));
  expect(done).toEqual(['later']);
  await stop();
});

test('an order that is waited for when the program stops is answered at once, and kept', async () => {
  const { order, end, store } = world();
  const ordered = order('later', WAIT_MS);
  const refused = expect(ordered).rejects.toMatchObject({ code: 'unknown_outcome' });
  await until(() => store.size === 1);
  end();
  await refused;
  expect([...store.values()]).toMatchObject([{ order: { what: 'later' }, outcome: undefined }]);
  await expect(order('last', WAIT_MS)).rejects.toMatchObject({ code: 'unknown_outcome' });
  expect(store.size).toBe(2);
});

test('a refusal is told to whoever asked; an engine that fails, or another that has the lease by now, is waited for', async () => {
  const { order, take, failures } = world();
  const answers = [
    () => Promise.reject(new LodeError('unavailable', 'away')),
    () => Promise.reject(new LodeError('conflict', 'replaced')),
    () => Promise.reject(new LodeError('validation_failed', 'There is nothing else to be read.')),
    () => Promise.reject(new TypeError('a bug')),
  ];
  const stop = take(() => answers.shift()?.() ?? Promise.resolve(null));
  await expect(order('refused', WAIT_MS)).rejects.toMatchObject({
    code: 'validation_failed',
    message: 'There is nothing else to be read.',
  });
  expect(failures.map(({ code }) => code)).toEqual(['unavailable', 'conflict']);
  await expect(order('broken', WAIT_MS)).rejects.toMatchObject({ code: 'internal' });
  await stop();
});

test('an order that always fails holds up no other one, and is refused in the end with what it fails with', async () => {
  const { order, take, failures } = world();
  const [broken, well] = [order('broken', WAIT_MS), order('well', WAIT_MS)];
  const refused = expect(broken).rejects.toMatchObject({ code: 'storage_failed', message: 'a broken disk' });
  const stop = take(async (what) => {
    if (what === 'broken') throw new LodeError('storage_failed', 'a broken disk');
    return { after: failures.length };
  }, hurried);
  expect(await well).toEqual({ after: 0 });
  await refused;
  expect(failures.map(({ code }) => code)).toEqual(Array.from({ length: 9 }, () => 'storage_failed'));
  await stop();
});

test('an order is not refused because another program has the lease by now', async () => {
  const { order, take, failures } = world();
  const stop = take(async () => {
    if (failures.length < 20) throw new LodeError('conflict', 'replaced');
    return 'done';
  }, hurried);
  expect(await order('later', WAIT_MS)).toBe('done');
  await stop();
});

test('what programs order again and again is one order while it waits, and leaves room for what people order', async () => {
  const { order, orderOnce, take, store } = world();
  const kind = { has: (what: Json) => typeof what === 'number', most: 2 };
  const first = orderOnce(1, WAIT_MS, kind);
  await until(() => store.size === 1);
  const later = [1, 2, 1].map((what) => orderOnce(what, WAIT_MS, kind));
  await until(() => store.size === 2);
  await expect(orderOnce(3, WAIT_MS, kind)).rejects.toMatchObject({ code: 'overloaded' });
  const ordered = order('by a person', WAIT_MS);
  const done: Json[] = [];
  const stop = take(async (what) => {
    done.push(what);
    return what;
  });
  expect(await Promise.all([first, ...later, ordered])).toEqual([1, 1, 2, 1, 'by a person']);
  expect(done).toEqual([1, 2, 'by a person']);
  // What is met after that is mended anew.
  expect(await orderOnce(1, WAIT_MS, kind)).toBe(1);
  expect(done).toEqual([1, 2, 'by a person', 1]);
  await stop();
});
