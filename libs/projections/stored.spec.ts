import { expect, test } from '@jest/globals';
import { LodeError, logStart, positionOf } from '#kernel';
import { until } from '#kernel/testing';
import { amendmentsIn, createStoredModels, runnerLimits, type ModelHealth } from '#projections';
import type { ReadStore, ReadStoreReader } from '#read-store';
import { openSqliteReadStore } from '#read-store/sqlite';
import { memoryLog, noted, notes, settled, started } from './testing/index.js';

const memory = () => openSqliteReadStore({ file: ':memory:' });
const poisonous = notes(({ data }) => {
  if (data.text === 'poison') throw new TypeError('cannot read poison');
});

/** What a runner knows of a model that is stored too. */
function storedOf({ name, version, position, ordinal, state, parked, discarded }: ModelHealth) {
  return { name, version, position, ordinal, state, parked, discarded };
}

test('what is stored of a model says of it what the runner that folds it does', async () => {
  const [store, log] = [memory(), memoryLog([noted(1, 'a'), noted(2, 'a', 'poison'), noted(3, 'a')])];
  const { runner, ...running } = started({ log, store, models: [poisonous] });
  await settled({ runner, ...running }, '3');
  const stored = createStoredModels(store, [poisonous], () => 0);
  const asked = { after: logStart, limit: 10 };
  const same = async () => {
    const status = await stored.status(await log.head());
    expect(status.map(storedOf)).toEqual(runner.health().models.map(storedOf));
    expect(await stored.parked('notes', asked)).toEqual(await runner.parked('notes', asked));
    return status[0];
  };
  expect(await same()).toMatchObject({ state: 'current', position: '3', parked: 2, discarded: 0 });
  const [first] = await stored.parked('notes', asked);
  await runner.discardParked('notes', first?.eventId ?? '');
  expect(await same()).toMatchObject({ parked: 0, discarded: 1 });
  log.add(noted(4, 'b'));
  runner.wake();
  await settled({ runner, ...running }, '4');
  expect(await same()).toMatchObject({ state: 'current', position: '4', movedAt: 0 });
  await expect(stored.parked('nothing', asked)).rejects.toMatchObject({ code: 'route_not_found' });
  await runner.stop();
});

test('that documents were changed by a discard or a replay is stored, as no checkpoint moves by it', async () => {
  const [store, log] = [memory(), memoryLog([noted(1, 'a'), noted(2, 'a', 'poison'), noted(3, 'a')])];
  const running = started({ log, store, models: [poisonous] });
  await settled(running, '3');
  const [before] = await store.builds();
  expect(amendmentsIn(await store.builds())).toBe(0);
  expect(await running.runner.replayParked('notes', 'a')).toEqual({ replayed: 0, left: 2 });
  expect(amendmentsIn(await store.builds())).toBe(0);
  // What waits behind the event that is left out is folded.
  const [first] = await running.runner.parked('notes', { after: logStart, limit: 10 });
  await running.runner.discardParked('notes', first?.eventId ?? '');
  const amended = amendmentsIn(await store.builds());
  expect(amended).toBe(2);
  expect((await store.builds())[0]).toEqual(before);
  await running.runner.stop();
  const again = started({ log, store, models: [notes()] });
  await settled(again, '3');
  await again.runner.stop();
  expect(amendmentsIn(await store.builds())).toBe(amended);
});

test('a replay that a death ended is told of by whoever folds next, and an end in order of nothing', async () => {
  const [store, log] = [memory(), memoryLog([noted(1, 'a'), noted(2, 'a', 'poison'), noted(3, 'a')])];
  let [isAboutToDie, isDead] = [false, false];
  const mortal: ReadStore = {
    ...store,
    // It dies once the documents of the replay are written, and before it says that they are others.
    write: async (batches) => {
      if (isDead) throw new LodeError('unavailable', 'This program is dead.');
      await store.write(batches);
      isDead = isAboutToDie && batches.some(({ put }) => put.some(({ position }) => position === '3'));
    },
  };
  const first = started({ log, store: mortal, models: [poisonous] });
  await settled(first, '3');
  isAboutToDie = true;
  const [parked] = await first.runner.parked('notes', { after: logStart, limit: 10 });
  const before = amendmentsIn(await store.builds());
  await expect(first.runner.discardParked('notes', parked?.eventId ?? '')).rejects.toMatchObject({
    code: 'unavailable',
  });
  await first.runner.stop();
  expect(await store.get('notes', 'a')).toMatchObject({ position: '3' });
  const died = amendmentsIn(await store.builds());
  // Of what was left out alone.
  expect(died).toBe(before + 1);
  const second = started({ log, store, models: [poisonous] });
  await settled(second, '3');
  expect(amendmentsIn(await store.builds())).toBe(died + 1);
  await second.runner.stop();
  const third = started({ log, store, models: [poisonous] });
  await settled(third, '3');
  expect(amendmentsIn(await store.builds())).toBe(died + 1);
  await third.runner.stop();
});

test('a store that nothing can be written to after a death still answers for what was folded before', async () => {
  const [store, log] = [memory(), memoryLog([noted(1, 'a'), noted(2, 'a')])];
  let isFull = false;
  const full: ReadStore = {
    ...store,
    write: async (batches) => {
      if (isFull) throw new LodeError('storage_full', 'The disk is full.');
      await store.write(batches);
    },
  };
  const first = started({ log, store: full, models: [notes()] });
  await settled(first, '2');
  isFull = true;
  // As after a death: that it ended in order is not written.
  await first.runner.stop();
  const second = started({ log, store: full, models: [notes()] });
  expect(await second.runner.waitFor(positionOf(2), 5_000)).toBe(true);
  await until(() => second.runner.health().failing?.code === 'storage_full');
  await second.runner.stop();
});

test('what is parked is counted once in some seconds, however often is asked how the models stand', async () => {
  const [store, log] = [memory(), memoryLog([noted(1, 'a'), noted(2, 'a', 'poison')])];
  const running = started({ log, store, models: [poisonous] });
  await settled(running, '2');
  let [now, lists] = [0, 0];
  const reader: Pick<ReadStoreReader, 'builds' | 'list'> = {
    builds: store.builds,
    list: (collection, query) => {
      lists++;
      return store.list(collection, query);
    },
  };
  const stored = createStoredModels(reader, [poisonous], () => now);
  const parked = async () => (await stored.status(await log.head()))[0]?.parked;
  for (; now < 9_000; now += 1_000) expect(await parked()).toBe(1);
  expect(lists).toBe(1);
  log.add(noted(3, 'a'));
  running.runner.wake();
  await settled(running, '3');
  await running.runner.stop();
  now += 1_000;
  expect(await parked()).toBe(2);
  expect(lists).toBe(2);
});

test('a build beside the one that is read is told of with how far it is', async () => {
  const [store, log] = [memory(), memoryLog([noted(1, 'a'), noted(2, 'b')])];
  const running = started({ log, store, models: [notes()] });
  await settled(running, '2');
  await running.runner.stop();
  const beside = await store.begin(notes(), { bulk: false });
  const stored = createStoredModels(store, [notes()], () => 0);
  const [begun] = await stored.status(positionOf(2));
  expect(begun).toMatchObject({ state: 'rebuilding', position: '2', rebuild: { events: 0, of: 2 } });
  await store.write([
    { build: beside, checkpoint: { position: positionOf(1), ordinal: 1 }, put: [], remove: [] },
  ]);
  const [further] = await stored.status(positionOf(2));
  expect(further?.rebuild).toMatchObject({ events: 1, of: 2, isHalted: false });
  await store.retire(beside);
  expect(await stored.status(positionOf(2))).toMatchObject([{ state: 'current', rebuild: undefined }]);
});

test('a model that stands still while the log goes on is behind, then stalled, and current once it has moved', async () => {
  const [store, log] = [memory(), memoryLog([noted(1, 'a')])];
  const running = started({ log, store, models: [notes()] });
  await settled(running, '1');
  await running.runner.stop();
  let now = 0;
  const stored = createStoredModels(store, [notes()], () => now);
  log.add(noted(2, 'b'));
  const look = async () => (await stored.status(await log.head()))[0];
  expect(await look()).toMatchObject({ state: 'behind', secondsBehind: 0 });
  now = runnerLimits.stalledAfterMs + 1;
  expect(await look()).toMatchObject({ state: 'stalled', secondsBehind: now / 1_000 });
  const again = started({ log, store, models: [notes()] });
  await settled(again, '2');
  await again.runner.stop();
  expect(await look()).toMatchObject({ state: 'current', secondsBehind: 0, movedAt: now });
});

test('a model that keeps up under a steady load is behind by what it has not got to yet, and no more', async () => {
  const store = memory();
  const build = await store.begin(notes(), { bulk: false });
  await store.activate(build);
  let now = 0;
  const stored = createStoredModels(store, [notes()], () => now);
  for (let second = 1; second <= 60; second++) {
    now = second * 1_000;
    const checkpoint = { position: positionOf(second), ordinal: second };
    await store.write([{ build, checkpoint, put: [], remove: [] }]);
    // Each look finds another event that it has not got to yet.
    const [model] = await stored.status(positionOf(second + 1));
    expect(model).toMatchObject({ state: 'behind', secondsBehind: 0 });
  }
  now += 5_000;
  expect(await stored.status(positionOf(65))).toMatchObject([{ secondsBehind: 5 }]);
});

test('before anything is folded every model is told of as being built', async () => {
  const stored = createStoredModels(memory(), [notes()], () => 0);
  expect(await stored.status(logStart)).toMatchObject([
    { name: 'notes', state: 'rebuilding', position: logStart, parked: 0 },
  ]);
});
