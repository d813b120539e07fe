import { expect, test } from '@jest/globals';
import { createMemoryBell } from '#bell/memory';
import { LodeError, positionOf, systemTimers, thisMachine, type Position, type Timers } from '#kernel';
import { until } from '#kernel/testing';
import { parkedEvents, walletModels, type ChangesElsewhere } from '#projections';
import type { BuildState, Collection, Damage } from '#read-store';
import { followDocuments } from './standby.js';

/** A build that queries read. */
function read({ name, version, indexes }: Collection, position: Position, ordinal: number): BuildState {
  const build = { collection: name, version, number: 1 };
  return { build, indexes, state: 'active', isIndexed: true, checkpoint: { position, ordinal } };
}

/** The usual timers, only that no pause is long. */
const hurried: Timers = { ...systemTimers, after: (_ms, done) => systemTimers.after(0, done) };
/** Timers by which nothing is ever due: who looks again was woken. */
const stopped: Timers = { ...systemTimers, after: () => () => undefined };

/** Somebody who listens to documents that another program writes. */
function world(between: ChangesElsewhere['between'], timers = hurried, machine = thisMachine) {
  const stored = { position: positionOf(1), amendments: 0 };
  const bell = createMemoryBell(systemTimers);
  const awaited = { isAwaited: false, isHeard: true, begin: () => {} };
  const heard = {
    looks: 0,
    reached: positionOf(0),
    forgotten: 0,
    told: [] as string[],
    damage: [] as Damage[],
  };
  const stop = followDocuments({
    models: {
      builds: async () => {
        heard.looks += 1;
        const models = walletModels.map((model) => read(model, stored.position, 0));
        return [...models, read(parkedEvents, positionOf(0), stored.amendments)];
      },
    },
    changes: { between },
    mend: (damage) => heard.damage.push(damage),
    live: {
      hear: (report) => {
        if (report.type === 'advanced') heard.reached = report.position;
      },
      tellChanges: (changes) => heard.told.push(...changes.map(({ id }) => id)),
      forget: () => (heard.forgotten += 1),
      isHeard: () => awaited.isHeard,
      isAwaited: () => awaited.isAwaited,
      onAwaited: (listener) => (awaited.begin = listener),
    },
    bell,
    timers,
    machine,
  });
  /** What was looked for after now has been found. */
  const looked = async () => {
    const before = heard.looks;
    await until(() => heard.looks > before + 1);
  };
  return { stored, heard, bell, awaited, stop, looked };
}

test('pages fetch everything anew once parked events were folded after all, as no checkpoint moves by it', async () => {
  const { stored, heard, stop, looked } = world(async () => []);
  await looked();
  expect(heard.forgotten).toBe(0);
  stored.amendments = 1;
  await until(() => heard.forgotten > 0);
  await looked();
  expect(heard.forgotten).toBe(1);
  await stop();
});

test('a damaged document is mended and keeps no later news back', async () => {
  const damaged = new LodeError('storage_failed', 'damaged', { build: 'accounts@1.1', documents: ['one'] });
  const { stored, heard, stop, looked } = world(async (after) => {
    if (after === positionOf(1)) throw damaged;
    return [{ collection: 'accounts', id: 'two', position: positionOf(3), ownerId: null }];
  });
  await looked();
  stored.position = positionOf(2);
  await until(() => heard.forgotten > 0);
  expect(heard).toMatchObject({ forgotten: 1, damage: [{ build: 'accounts@1.1', ids: ['one'] }] });
  stored.position = positionOf(3);
  await until(() => heard.told.length > 0);
  expect(heard).toMatchObject({ forgotten: 1, told: ['two'] });
  expect(heard.damage).toHaveLength(1);
  await stop();
});

test('whoever waits is answered at the next ring, and does not wait for what changed to be found', async () => {
  const found = Promise.withResolvers<[]>();
  const { stored, heard, bell, awaited, stop } = world(() => found.promise, stopped);
  await until(() => heard.reached === positionOf(1));
  awaited.isAwaited = true;
  for (const position of [positionOf(2), positionOf(3), positionOf(4)]) {
    stored.position = position;
    bell.ring('documents');
    await until(() => heard.reached === position);
  }
  found.resolve([]);
  await stop();
});

test('a bell that rings all the time, while nobody waits, has nobody look all the time', async () => {
  // No time passes.
  const { heard, bell, stop } = world(async () => [], stopped, { ...thisMachine, monotonic: () => 0 });
  await until(() => heard.looks === 1);
  let rung = 0;
  bell.on('documents', () => (rung += 1));
  await until(() => {
    bell.ring('documents');
    return rung > 2;
  });
  expect(heard.looks).toBe(1);
  await stop();
});

test('nothing is found out while nobody hears of it, and whoever comes later fetches everything anew', async () => {
  let asked = 0;
  const { stored, heard, awaited, stop, looked } = world(async () => {
    asked += 1;
    return [{ collection: 'accounts', id: 'two', position: positionOf(3), ownerId: null }];
  });
  awaited.isHeard = false;
  await looked();
  expect(heard.forgotten).toBe(0);
  stored.position = positionOf(2);
  await until(() => heard.forgotten > 0);
  expect([heard.reached, asked]).toEqual([positionOf(2), 0]);
  awaited.isHeard = true;
  stored.position = positionOf(3);
  await until(() => heard.told.length > 0);
  expect(heard).toMatchObject({ forgotten: 1, told: ['two'] });
  await stop();
});
