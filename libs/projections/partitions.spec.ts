import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { partitionOf, partsOf, positionOf, type RecordedEvent } from '#kernel';
import { accountDecider, accountStream, knownKinds } from '#ledger';
import { openPersonalData, walletModels } from '#projections';
import { decryptForTests, histories } from './testing/index.js';

/* Which partitions' events write a document: what lanes can be folded by several writers for. */

const LEDGER = fileURLToPath(new URL('../../../libs/ledger/', import.meta.url));
const open = openPersonalData(decryptForTests);
/** Beyond every event of a history. */
const FROZEN_FROM = 1_000_000;

/** The frozen examples of all events of streams that histories have none of, one after another in a log. */
const others = globSync('*/frozen-events.spec.ts', { cwd: LEDGER })
  .toSorted()
  .flatMap((name) => [...readFileSync(`${LEDGER}${name}`, 'utf8').matchAll(/String\.raw`(\{.*\})`/g)])
  .map(([, json = ''], n) => ({
    ...(JSON.parse(json) as Omit<RecordedEvent, 'position'>),
    position: positionOf(FROZEN_FROM + n),
  }))
  .filter(({ stream }) => !stream.startsWith(accountStream('')));

/** Of each document, by its model and id, the partitions of the events that change it. */
async function partitionsByDocument(events: readonly RecordedEvent[]) {
  const found = new Map<string, ReadonlyMap<string, Set<number>>>();
  for (const model of walletModels) {
    const documents = new Map<string, Set<number>>();
    for (const [n, stored] of events.entries()) {
      const changes = model.handles === 'all' ? model.on(stored, n + 1) : model.on(await open(stored));
      const partition = partitionOf(partsOf(stored.stream).subject);
      for (const { id } of changes) documents.set(id, (documents.get(id) ?? new Set()).add(partition));
    }
    found.set(model.name, documents);
  }
  return found;
}

test('there is an example of every type of event of all streams but accounts', () => {
  const ofAccounts = Object.keys(accountDecider.codecs.versions);
  const expected = Object.keys(knownKinds).filter((type) => !ofAccounts.includes(type));
  expect(new Set(others.map(({ type }) => type))).toEqual(new Set(expected));
});

test('a document is changed by events of one partition, of whatever kind their streams are, unless its model is shared', async () => {
  await fc.assert(
    fc.asyncProperty(histories, async ({ events }) => {
      const found = await partitionsByDocument([...events, ...others]);
      for (const { name, isShared = false } of walletModels) {
        const documents = [...(found.get(name) ?? [])];
        const parted = documents.filter(([, partitions]) => partitions.size > 1);
        if (isShared) expect([name, parted.length > 0]).toEqual([name, true]);
        else expect([name, parted]).toEqual([name, []]);
      }
    }),
    { numRuns: 60, endOnFailure: true },
  );
});

test('every model has documents of these events', async () => {
  const [history] = fc.sample(fc.array(histories, { minLength: 20, maxLength: 20 }), { numRuns: 1, seed: 1 });
  const found = await partitionsByDocument([...(history ?? []).flatMap(({ events }) => events), ...others]);
  expect([...found].filter(([, documents]) => documents.size === 0)).toEqual([]);
});
