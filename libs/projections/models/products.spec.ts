import { describe, expect, test } from '@jest/globals';
import { logStart, type RecordedEvent } from '#kernel';
import { openPersonalData, products, searchKey, type ProductDocument } from '#projections';
import { openSqliteReadStore } from '#read-store/sqlite';
import { decryptForTests, documentsOf, memoryLog, recorded, settled, started } from '../testing/index.js';

const data = {
  amount: '249.99',
  description: 'Six cards, quiet.',
  image: 'i1',
  isActive: true,
  isOutOfStock: false,
  ownerImage: 'o1',
  ownerName: 'Mary Okafor',
  productName: 'Rig One',
  recommendedImages: ['r1'],
  subtitle: 'Ready to run',
  title: 'A rig for a start',
};
const created = (position: number, productId: string, changed: object = {}) =>
  recorded(position, `product-${productId}`, 'ProductCreated', { productId, ...data, ...changed });
const event = (position: number, productId: string, type: string, changed: object = {}) =>
  recorded(position, `product-${productId}`, type, { ...changed });

/** What the model makes of a log. */
async function folded(events: readonly RecordedEvent[]) {
  const log = memoryLog(events);
  const store = openSqliteReadStore({ file: ':memory:' });
  const running = started({ log, store, models: [products], open: openPersonalData(decryptForTests) });
  await settled(running, await log.head());
  expect(running.runner.health().models.map(({ parked }) => parked)).toEqual([0]);
  await running.runner.stop();
  return { store, documents: (await documentsOf(store, 'products')) as readonly ProductDocument[] };
}

describe('the read model of products', () => {
  test('has what was created, with what it is found by', async () => {
    const { documents } = await folded([created(1, 'a')]);
    expect(documents).toEqual([
      {
        ...data,
        createdAt: '2026-01-01T00:00:00.001Z',
        id: 'a',
        nameKey: 'rig one',
        position: '1',
        shown: 'yes',
      },
    ]);
  });

  test('follows every change, and what it is found by follows too', async () => {
    const { documents } = await folded([
      created(1, 'a'),
      event(2, 'a', 'ProductChanged', { isActive: false, productName: 'ＲＩＧ Two', recommendedImages: [] }),
      event(3, 'a', 'ProductStockChanged', { isOutOfStock: true }),
    ]);
    expect(documents).toEqual([
      {
        ...data,
        createdAt: '2026-01-01T00:00:00.001Z',
        id: 'a',
        isActive: false,
        isOutOfStock: true,
        nameKey: 'rig two',
        position: '3',
        productName: 'ＲＩＧ Two',
        recommendedImages: [],
        shown: 'no',
      },
    ]);
  });

  test('forgets what was deleted', async () => {
    const { documents } = await folded([created(1, 'a'), created(2, 'b'), event(3, 'a', 'ProductDeleted')]);
    expect(documents.map(({ id }) => id)).toEqual(['b']);
  });

  test('lists by name, whatever its case, the newest first and those that are shown only', async () => {
    const { store } = await folded([
      created(1, 'a', { productName: 'rig one ' }),
      created(2, 'b', { productName: 'RIG ONE' }),
      created(3, 'c', { isActive: false }),
      created(4, 'd', { productName: 'Another' }),
    ]);
    const query = {
      index: 'name',
      equals: { shown: 'yes', nameKey: searchKey('Rig One') },
      direction: 'descending',
      limit: 10,
    } as const;
    expect((await store.list('products', query)).map(({ id }) => id)).toEqual(['b', 'a']);
  });

  test.each([
    ['a second creation', created(2, 'a'), { id: 'a', position: logStart }],
    ['a change of what was never created', event(2, 'a', 'ProductDeleted'), undefined],
  ])('refuses %s, so that it is parked and seen', (_, given, document) => {
    const [change] = products.on(given);
    expect(() => change?.change(document)).toThrow();
  });

  test('tells admins only when a product changed', () => {
    expect(products.ownerOf({ id: 'a', position: logStart })).toBeNull();
  });
});
