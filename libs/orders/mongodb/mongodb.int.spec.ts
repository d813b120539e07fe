import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { isEngineError } from '#kernel';
import { startDouble, type Fault, type MongoDbDouble } from '#mongodb/double';
import { describeOrders } from '#orders/contract';
import { forgetMongoOrders, openMongoOrders } from '#orders/mongodb';

const LOG = 'log';

for (const replicaSet of [undefined, 'rs0']) {
  describeOrders(`MongoDB (double, replica set: ${replicaSet})`, async () => {
    const server = await startDouble(replicaSet === undefined ? {} : { replicaSet });
    const opened: (() => Promise<void>)[] = [];
    return {
      open: async () => {
        const orders = await openMongoOrders({ url: server.url, database: 'lode', logId: LOG });
        opened.push(orders.close);
        return orders;
      },
      cleanUp: async () => {
        for (const close of opened) await close();
        await server.stop();
      },
    };
  });
}

describe('orders on MongoDB (double)', () => {
  type Opened = Awaited<ReturnType<typeof openMongoOrders>>;
  const order = { id: 'a', to: 'projector', what: { ask: 'rebuild', model: 'accounts' } };
  let server: MongoDbDouble;
  let orders: Opened;
  const open = (logId: string) => openMongoOrders({ url: server.url, database: 'lode', logId });
  beforeEach(async () => {
    server = await startDouble({ replicaSet: 'rs0' });
    orders = await open(LOG);
  });
  afterEach(async () => {
    await orders.close();
    await server.stop();
  });

  /** Does something until no engine fails it: those whose connection was cut find that out. */
  const onceDone = async (work: () => Promise<unknown>) => {
    for (;;) {
      try {
        await work();
        return;
      } catch (error) {
        if (!isEngineError(error)) throw error;
      }
    }
  };

  test.each(
    (
      ['not-primary', 'write-concern', 'cut-before', 'cut-after', 'timeout-after', 'disk-full'] as const
    ).flatMap((fault: Fault) =>
      (['findAndModify', 'insert', 'update'] as const).map((command) => [fault, command] as const),
    ),
  )('are placed and settled once when there is %s at the first %s', async (fault, command) => {
    server.failNext(command, fault);
    await onceDone(() => orders.place(order));
    expect(await orders.waiting(['projector'])).toEqual([order]);
    await onceDone(() => orders.settle(order, { done: true }));
    expect(server.faultsLeft()).toBe(0);
    expect(await orders.waiting(['projector'])).toEqual([]);
    expect(await orders.outcome('a')).toEqual({ done: true });
  });

  test('of another log are not seen', async () => {
    await orders.place(order);
    const others = await open('another');
    expect(await others.waiting(['projector'])).toEqual([]);
    await others.close();
  });

  test('are forgotten with what came of them, those of another log not', async () => {
    const others = await open('another');
    await others.place(order);
    await orders.place(order);
    await orders.place({ ...order, id: 'done' });
    await orders.settle({ ...order, id: 'done' }, { done: null });
    await forgetMongoOrders({ url: server.url, database: 'lode', logId: LOG });
    expect(await orders.waiting(['projector'])).toEqual([]);
    expect(await orders.outcome('done')).toBeUndefined();
    expect(await others.waiting(['projector'])).toEqual([order]);
    await orders.place(order);
    expect(await orders.waiting(['projector'])).toEqual([order]);
    await others.close();
  });
});
