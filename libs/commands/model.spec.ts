import { expect, test } from '@jest/globals';
import { createMemoryEventStore } from '#event-store/memory';
import { checkHistories } from '#commands/testing';
import { accountDecider } from '#ledger';

const RUNS = 1_000;

test('the wallet, beside a model of it, answers and holds what the model says, after every command', async () => {
  const happened = await checkHistories(async () => createMemoryEventStore(), RUNS);
  expect([...happened].toSorted()).toEqual(Object.keys(accountDecider.codecs.versions).toSorted());
});
