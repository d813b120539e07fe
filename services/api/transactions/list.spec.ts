import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { positionOf } from '#kernel';
import { accounts, notifications, transactions } from '#projections';
import type { Document, ReadStore } from '#read-store';
import { openSqliteReadStore } from '#read-store/sqlite';
import { listNotifications, listTransactions } from './list.js';

let store: ReadStore;
beforeEach(async () => {
  store = openSqliteReadStore({ file: ':memory:' });
  await active({ ...accounts, documents: [] });
});
afterEach(() => store.close());

/** Makes documents what queries read. */
async function active({
  name,
  version,
  indexes,
  documents,
}: Pick<typeof accounts, 'name' | 'version' | 'indexes'> & { readonly documents: readonly Document[] }) {
  const build = await store.begin({ name, version, indexes }, { bulk: false });
  await store.write([{ build, checkpoint: positionOf(documents.length), put: documents, remove: [] }]);
  await store.activate(build);
}

/** Documents as version 2 of both models had them: their ids are those of the events, in no order. */
const ofVersion2 = ['event-9', 'event-1', 'event-5'].map((id, n) => ({
  currency: 'PI',
  id,
  kind: 'WalletCredited',
  place: `00${n}`,
  position: positionOf(n + 1),
  type: 'credit',
  userId: 'ann',
}));
const order = ['place'];

describe('what an older version has left, and is still read while the new documents are built, is', () => {
  test.each([[{}], [{ userId: 'ann' }], [{ type: 'credit', currency: 'PI' }]])(
    'no part of the movements of %j',
    async (filter) => {
      const indexes = [
        { name: 'all', equals: [], order },
        { name: 'typeCurrency', equals: ['type', 'currency'], order },
        { name: 'user', equals: ['userId'], order },
      ];
      await active({ name: transactions.name, version: 2, indexes, documents: ofVersion2 });
      await expect(listTransactions(store, { ...filter, limit: 2 })).rejects.toMatchObject({
        code: 'unavailable',
      });
    },
  );

  test('no part of the notifications', async () => {
    const indexes = [{ name: 'user', equals: ['userId'], order }];
    await active({ name: notifications.name, version: 2, indexes, documents: ofVersion2 });
    await expect(listNotifications(store, { userId: 'ann', limit: 2 })).rejects.toMatchObject({
      code: 'unavailable',
    });
  });
});
