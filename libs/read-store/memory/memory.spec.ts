import { expect, test } from '@jest/globals';
import { describeLanes, describeReadStore } from '#read-store/contract';
import { createMemoryReadStore, createMemoryReadStoreReader, emptyReadModels } from '#read-store/memory';

describeReadStore('memory', async () => {
  const models = emptyReadModels();
  return {
    open: async () => createMemoryReadStore(models),
    reopen: async () => createMemoryReadStore(models),
    cleanUp: async () => undefined,
  };
});

describeLanes('memory', async () => {
  const models = emptyReadModels(4);
  return {
    open: async (lanes) => createMemoryReadStore(models, lanes),
    openReader: async () => createMemoryReadStoreReader(models),
    cleanUp: async () => undefined,
  };
});

test('whoever opened them to write before is refused', async () => {
  const models = emptyReadModels();
  const [earlier, later] = [createMemoryReadStore(models), createMemoryReadStore(models)];
  const collection = { name: 'notes', version: 1, indexes: [] };
  await expect(earlier.begin(collection, { bulk: true })).rejects.toMatchObject({ code: 'conflict' });
  expect(await later.builds()).toEqual([]);
});
