import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { orderLimits, type Order, type Orders } from '#orders';

/** What a test needs of an adapter: programs over one empty store. */
export type OrdersFixture = {
  readonly open: () => Promise<Orders>;
  readonly cleanUp: () => Promise<void>;
};

const TO = 'projector';
const orderOf = (id: string, to = TO): Order => ({ id, to, what: { ask: 'rebuild', model: id } });

/** The promises of the orders port, run against an adapter. */
export function describeOrders(name: string, fixture: () => Promise<OrdersFixture>): void {
  describe(`orders contract: ${name}`, () => {
    let store: OrdersFixture;
    let asking: Orders;
    let doing: Orders;
    beforeEach(async () => {
      store = await fixture();
      [asking, doing] = [await store.open(), await store.open()];
    });
    afterEach(() => store.cleanUp());
    const idsOf = async (to = TO) => (await doing.waiting([to])).map(({ id }) => id);

    test('wait in the order in which they were placed, each for the one whom it is to', async () => {
      const [first, second] = [orderOf('z'), orderOf('a')];
      await asking.place(first);
      await doing.place(second);
      await asking.place(orderOf('m', 'reactors'));
      expect(await doing.waiting([TO])).toEqual([first, second]);
      expect(await idsOf('reactors')).toEqual(['m']);
      expect(await asking.outcome('z')).toBeUndefined();
    });

    test('are one however often they are placed, also once they are done', async () => {
      await asking.place(orderOf('a'));
      await asking.place(orderOf('a'));
      expect(await idsOf()).toEqual(['a']);
      await doing.settle(orderOf('a'), { done: null });
      await asking.place(orderOf('a'));
      expect(await idsOf()).toEqual([]);
    });

    test('are told of what came of them, by what was written first', async () => {
      await asking.place(orderOf('a'));
      await asking.place(orderOf('b'));
      await doing.settle(orderOf('a'), { done: { replayed: 3 } });
      await doing.settle(orderOf('a'), { done: { replayed: 0 } });
      const refused = { refused: { code: 'validation_failed', message: 'No.' } };
      await doing.settle(orderOf('b'), refused);
      expect(await asking.outcome('a')).toEqual({ done: { replayed: 3 } });
      expect(await asking.outcome('b')).toEqual(refused);
      expect(await idsOf()).toEqual([]);
      await doing.settle(orderOf('never placed'), { done: null });
      expect(await asking.outcome('never placed')).toBeUndefined();
    });

    test('are refused when too many wait, and taken when some are done', async () => {
      for (let n = 0; n < orderLimits.waiting; n++) await asking.place(orderOf(`order ${n}`));
      await expect(asking.place(orderOf('one more'))).rejects.toMatchObject({ code: 'overloaded' });
      await asking.place(orderOf('of another', 'reactors'));
      await doing.settle(orderOf('order 0'), { done: null });
      await asking.place(orderOf('one more'));
      expect((await idsOf()).at(-1)).toBe('one more');
    });

    test('are forgotten when many later ones to the same program are done', async () => {
      await asking.place(orderOf('of another', 'reactors'));
      await doing.settle(orderOf('of another', 'reactors'), { done: 'kept' });
      for (let n = 0; n <= orderLimits.kept; n++) {
        await asking.place(orderOf(`order ${n}`));
        await doing.settle(orderOf(`order ${n}`), { done: n });
      }
      expect(await asking.outcome('order 0')).toBeUndefined();
      expect(await asking.outcome('order 1')).toEqual({ done: 1 });
      expect(await asking.outcome('of another')).toEqual({ done: 'kept' });
      expect(await asking.outcome(`order ${orderLimits.kept}`)).toEqual({ done: orderLimits.kept });
    });
  });
}
