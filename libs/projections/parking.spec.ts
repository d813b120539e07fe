import { describe, expect, test } from '@jest/globals';
import { LodeError, type Position, type RecordedEvent } from '#kernel';
import { until } from '#kernel/testing';
import {
  parkedEvents,
  readParked,
  runnerLimits,
  type ParkedEvent,
  type ReadModel,
  type StreamModel,
} from '#projections';
import type { Document, ReadStore } from '#read-store';
import { openSqliteReadStore } from '#read-store/sqlite';
import {
  at,
  budgets,
  documentsOf,
  dump,
  memoryLog,
  noted,
  notes,
  settled,
  started,
  textOf,
} from './testing/index.js';

const memory = () => openSqliteReadStore({ file: ':memory:' });
const history = [
  noted(1, 'a'),
  noted(2, 'b'),
  noted(3, 'a', 'poison'),
  noted(4, 'b'),
  noted(5, 'a'),
  noted(6, 'c'),
  noted(7, 'a'),
];

/** A read model that fails on poison until it is cured, and the attempts it made. */
function curable() {
  const state = { isCured: false, attempts: 0 };
  const model = notes(({ data }) => {
    if (data.text !== 'poison' || state.isCured) return;
    state.attempts++;
    throw new TypeError('cannot read poison');
  });
  return { state, model };
}

async function parkedOf(store: ReadStore) {
  const active = (await store.builds()).find(
    ({ build, state }) => build.collection === 'notes' && state === 'active',
  );
  if (active === undefined) throw new Error('notes have no active build');
  const parked = await readParked(store, active.build);
  return parked.map(({ position, state, attempts, error, stream, after }) => ({
    position,
    state,
    attempts,
    error,
    stream,
    after,
  }));
}

/** Puts what is parked as the first version kept it: by positions with leading zeros. */
async function keepAsBefore(store: ReadStore): Promise<void> {
  const parked = (await documentsOf(store, 'parked')) as readonly ParkedEvent[];
  const build = await store.begin({ ...parkedEvents, version: 1 }, { bulk: false });
  const put = parked.map((one) => {
    const order = one.position.padStart(20, '0');
    return { ...one, id: `${one.build}/${order}`, order };
  });
  await store.write([{ build, put, remove: [] }]);
  await store.activate(build);
}

async function clean(model: ReadModel, events = history) {
  const store = memory();
  const log = memoryLog(events);
  const running = started({ log, store, models: [model] });
  await settled(running, await log.head());
  await running.runner.stop();
  return dump(store, [model]);
}

describe('an event that a read model fails on', () => {
  test('is tried 5 times and parked; later ones of its stream wait in order, others go on', async () => {
    const { state, model } = curable();
    const store = memory();
    const running = started({ log: memoryLog(history), store, models: [model] });
    await settled(running, '7');
    expect(state.attempts).toBe(runnerLimits.tries);
    expect(await parkedOf(store)).toEqual([
      {
        position: '3',
        state: 'parked',
        attempts: 5,
        error: 'TypeError: cannot read poison',
        stream: 'a',
        after: '2',
      },
      { position: '5', state: 'waiting', attempts: 0, error: '', stream: 'a', after: '4' },
      { position: '7', state: 'waiting', attempts: 0, error: '', stream: 'a', after: '6' },
    ]);
    expect(await documentsOf(store, 'notes')).toEqual([
      { id: 'a', position: '1', texts: ['1'] },
      { id: 'all', position: '6', texts: ['4'] },
      { id: 'b', position: '4', texts: ['2', '4'] },
      { id: 'c', position: '6', texts: ['6'] },
    ]);
    expect(running.runner.health().models).toEqual([
      expect.objectContaining({ state: 'current', parked: 3 }),
    ]);
    const error = 'TypeError: cannot read poison';
    expect(running.reports).toContainEqual({ type: 'parked', model: 'notes', version: 1, parked: 3, error });
    await running.runner.stop();
  });

  test('is still parked after a restart, and its stream still held back', async () => {
    const { model } = curable();
    const store = memory();
    const log = memoryLog(history);
    const first = started({ log, store, models: [model] });
    await settled(first, '7');
    await first.runner.stop();
    log.add(noted(8, 'a'), noted(9, 'b'));
    const second = started({ log, store, models: [model] });
    await settled(second, '9');
    expect((await parkedOf(store)).map(({ position }) => position)).toEqual(['3', '5', '7', '8']);
    expect(await store.get('notes', 'b')).toEqual({ id: 'b', position: '9', texts: ['2', '4', '9'] });
    await second.runner.stop();
  });

  test.each(['goes on', 'starts again'])(
    'stays parked when the documents got ahead of the checkpoint, in a program that %s',
    async (how) => {
      const { state, model } = curable();
      const store = memory();
      let hasFailed = false;
      const broken = () => new LodeError('unknown_outcome', 'The engine did not say.');
      // An engine without transactions that fails before the checkpoint, when the model could do it a moment later.
      const halfway: ReadStore = {
        ...store,
        withoutTransactions: true,
        write: async (batches) => {
          if (hasFailed && how === 'starts again') throw broken();
          const isParking = batches.some(({ build, put }) => build.collection === 'parked' && put.length > 0);
          if (hasFailed || !isParking) return store.write(batches);
          await store.write(batches.map(({ checkpoint: _, ...batch }) => batch));
          hasFailed = true;
          state.isCured = true;
          throw broken();
        },
      };
      const log = memoryLog(history);
      const first = started({ log, store: halfway, models: [model] });
      await until(() => hasFailed);
      if (how === 'starts again') await first.runner.stop();
      const running = how === 'starts again' ? started({ log, store, models: [model] }) : first;
      await settled(running, '7');
      expect((await parkedOf(store)).map(({ position }) => position)).toEqual(['3', '5', '7']);
      expect(await store.get('notes', 'all')).toMatchObject({ texts: ['4'] });
      expect(await running.runner.replayParked('notes', 'a')).toEqual({ replayed: 3, left: 0 });
      // The marks of what was folded late, which queries of such an engine do not see.
      const seen = (await dump(store, [model])).map((line) => line.replace(/"foldedLate":\[[^\]]*\],/, ''));
      expect(seen).toEqual(await clean(model));
      await running.runner.stop();
    },
  );

  test('or not: an interrupted write is told to listeners with the next one', async () => {
    const { model } = curable();
    const store = memory();
    let left = 0;
    const halfway: ReadStore = {
      ...store,
      withoutTransactions: true,
      write: async (batches) => {
        await store.write(left > 0 ? batches.map(({ checkpoint: _, ...batch }) => batch) : batches);
        if (left-- > 0) throw new LodeError('unknown_outcome', 'The engine did not say.');
      },
    };
    const log = memoryLog([noted(1, 'a'), noted(2, 'b')]);
    const running = started({ log, store: halfway, models: [model] });
    await settled(running, '2');
    left = 3;
    log.add(noted(3, 'a'), noted(4, 'c'));
    running.runner.wake();
    await settled(running, '4');
    await running.runner.stop();
    const told = running.reports.flatMap((report) => (report.type === 'advanced' ? report.changes : []));
    expect(told.map(({ id, position }) => [id, position]).toSorted()).toEqual([
      ['a', '3'],
      ['all', '4'],
      ['c', '4'],
    ]);
    expect(await dump(store, [model])).toEqual(await clean(model, [...log.events]));
  });

  test('is not one to be replayed before its batch is at the checkpoint', async () => {
    const { model } = curable();
    const store = memory();
    let isBroken = false;
    const halfway: ReadStore = {
      ...store,
      withoutTransactions: true,
      write: async (batches) => {
        isBroken ||= batches.some(({ build, put }) => build.collection === 'parked' && put.length > 0);
        await store.write(isBroken ? batches.map(({ checkpoint: _, ...batch }) => batch) : batches);
        if (isBroken) throw new LodeError('unknown_outcome', 'The engine did not say.');
      },
    };
    const log = memoryLog([noted(1, 'a'), noted(2, 'b')]);
    const running = started({ log, store: halfway, models: [model] });
    await settled(running, '2');
    log.add(noted(3, 'a', 'poison'));
    running.runner.wake();
    await until(() => isBroken);
    expect(await parkedOf(store)).toHaveLength(1);
    expect(await running.runner.parkedStreams('notes')).toEqual([]);
    await running.runner.stop();
  });

  test('which nobody knows was folded has its model built anew, once when that build stops', async () => {
    const store = memory();
    let [isLost, isBroken, begun] = [false, false, 0];
    const halfway: ReadStore = {
      ...store,
      withoutTransactions: true,
      begin: async (collection, plan) => {
        if (collection.name === 'notes') begun++;
        return store.begin(collection, plan);
      },
      write: async (batches) => {
        const isCut = isLost && batches.some(({ checkpoint }) => checkpoint !== undefined);
        await store.write(isCut ? batches.map(({ checkpoint: _, ...batch }) => batch) : batches);
        if (!isCut) return;
        [isLost, isBroken] = [false, true];
        throw new LodeError('unknown_outcome', 'The engine did not say.');
      },
    };
    const open = (event: RecordedEvent) => {
      if (isBroken) throw new RangeError('bad seal');
      return event;
    };
    const [model, log] = [notes(), memoryLog(history)];
    const limits = { ...budgets({ page: 5, events: 5, documents: 100 }), parked: 3 };
    const running = started({ log, store: halfway, models: [model], limits, open });
    await settled(running, '7');
    isLost = true;
    log.add(noted(8, 'd'));
    running.runner.wake();
    await until(() => running.runner.builds().some(({ isActive, isHalted }) => !isActive && isHalted));
    expect(running.reports).toContainEqual(expect.objectContaining({ type: 'unsure', model: 'notes' }));
    // What is asked for one after the other is done in turns of their own, in each of which another build could begin.
    let asked = 0;
    await until(async () => {
      await running.runner.parkedStreams('notes');
      return ++asked === 10;
    });
    expect(begun).toBe(2);
    expect(running.runner.health().models[0]?.rebuild).toMatchObject({ isHalted: true });
    // Asked for, it is built anew, and is right again.
    isBroken = false;
    await running.runner.rebuild('notes');
    await settled(running, '8');
    await running.runner.stop();
    expect(begun).toBe(3);
    expect(await dump(store, [model])).toEqual(await clean(model, [...log.events]));
  });

  test('is still parked after an upgrade of how parked events are kept, and replayed then', async () => {
    const { state, model } = curable();
    const store = memory();
    const log = memoryLog(history);
    const first = started({ log, store, models: [model] });
    await settled(first, '7');
    await first.runner.stop();
    const parked = await parkedOf(store);
    await keepAsBefore(store);
    log.add(noted(8, 'a'), noted(9, 'b'));
    const second = started({ log, store, models: [model] });
    await settled(second, '9');
    const after = await parkedOf(store);
    expect(after.slice(0, 3)).toEqual(parked);
    expect(after.map(({ position }) => position)).toEqual(['3', '5', '7', '8']);
    state.isCured = true;
    expect(await second.runner.replayParked('notes', 'a')).toEqual({ replayed: 4, left: 0 });
    expect(await documentsOf(store, 'parked')).toEqual([]);
    const buildsOfParked = async () =>
      (await store.builds()).filter(({ build }) => build.collection === 'parked');
    await until(async () => (await buildsOfParked()).length === 1);
    await second.runner.stop();
    expect(await dump(store, [model])).toEqual(await clean(model, [...log.events]));
  });

  test('is replayed in order, and then the documents are those of a clean fold', async () => {
    const { state, model } = curable();
    const store = memory();
    const log = memoryLog(history);
    const running = started({ log, store, models: [model] });
    await settled(running, '7');
    expect(await running.runner.replayParked('notes', 'a')).toEqual({ replayed: 0, left: 3 });
    expect((await parkedOf(store)).map(({ attempts }) => attempts)).toEqual([10, 0, 0]);
    state.isCured = true;
    expect(await running.runner.replayParked('notes', 'a')).toEqual({ replayed: 3, left: 0 });
    expect(await running.runner.replayParked('notes', 'a')).toEqual({ replayed: 0, left: 0 });
    expect(await parkedOf(store)).toEqual([]);
    expect(running.runner.health().models[0]?.parked).toBe(0);
    expect(running.reports.at(-1)).toMatchObject({
      type: 'advanced',
      position: '7',
      changes: [
        { collection: 'notes', id: 'a', position: '7', ownerId: 'a' },
        { collection: 'notes', id: 'all', position: '7', ownerId: null },
      ],
    });
    log.add(noted(8, 'a'));
    running.runner.wake();
    await settled(running, '8');
    await running.runner.stop();
    expect(await dump(store, [model])).toEqual(await clean(model, [...log.events]));
  });

  test('is replayed no further than to the next one when the program stops, and from there by the next', async () => {
    const { state, model } = curable();
    const [store, log] = [memory(), memoryLog(history)];
    let stopped: Promise<void> | undefined;
    const stopping: ReadStore = {
      ...store,
      write: async (batches) => {
        await store.write(batches);
        if (batches.some(({ build, remove }) => build.collection === 'parked' && remove.length > 0))
          stopped = first.runner.stop();
      },
    };
    const first = started({ log, store: stopping, models: [model] });
    await settled(first, '7');
    state.isCured = true;
    await expect(first.runner.replayParked('notes', 'a')).rejects.toMatchObject({ code: 'unavailable' });
    await stopped;
    expect((await parkedOf(store)).map(({ position }) => position)).toEqual(['5', '7']);
    const second = started({ log, store, models: [model] });
    await settled(second, '7');
    expect(await second.runner.replayParked('notes', 'a')).toEqual({ replayed: 2, left: 0 });
    await second.runner.stop();
    expect(await dump(store, [model])).toEqual(await clean(model));
  });

  test('is left out when it is discarded, and its stream goes on; a later build tries it again', async () => {
    const { state, model } = curable();
    const [store, log] = [memory(), memoryLog([...history, noted(8, 'a', 'poison'), noted(9, 'a')])];
    let running = started({ log, store, models: [model] });
    await settled(running, '9');
    const { runner } = running;
    const all = await runner.parked('notes', { after: at(0), limit: 10 });
    expect(all.map(({ position, state: how }) => [position, how])).toEqual([
      ['3', 'parked'],
      ['5', 'waiting'],
      ['7', 'waiting'],
      ['8', 'waiting'],
      ['9', 'waiting'],
    ]);
    expect(await runner.parked('notes', { after: at(5), limit: 2 })).toEqual(all.slice(2, 4));
    expect(await runner.parked('notes', { eventId: 'event-5' })).toEqual([all[1]]);
    await expect(runner.discardParked('notes', 'event-5')).rejects.toMatchObject({
      code: 'validation_failed',
    });
    expect(await runner.discardParked('notes', 'event-6')).toBeUndefined();
    expect(await runner.discardParked('notes', 'event-3')).toEqual({ replayed: 2, left: 2 });
    // Whoever asks again, as the first answer was lost, hears the same of it.
    expect(await runner.discardParked('notes', 'event-3')).toEqual({ replayed: 0, left: 2 });
    expect(await runner.discardParked('notes', 'event-8')).toEqual({ replayed: 1, left: 0 });
    expect((await parkedOf(store)).map(({ position, state: how }) => [position, how])).toEqual([
      ['3', 'discarded'],
      ['8', 'discarded'],
    ]);
    const counts = { parked: 0, discarded: 2 };
    expect(runner.health().models).toEqual([expect.objectContaining(counts)]);
    expect(await runner.parkedStreams('notes')).toEqual([]);
    await runner.stop();
    running = started({ log, store, models: [model] });
    await settled(running, '9');
    expect(running.runner.health().models).toEqual([expect.objectContaining(counts)]);
    expect(await running.runner.replayParked('notes', 'a')).toEqual({ replayed: 0, left: 0 });
    log.add(noted(10, 'a'));
    running.runner.wake();
    await settled(running, '10');
    expect(await store.get('notes', 'a')).toMatchObject({ texts: ['1', '5', '7', '9', '10'] });
    const without = log.events.filter(({ data }) => data['text'] !== 'poison');
    expect(await dump(store, [model])).toEqual(await clean(model, without));
    state.isCured = true;
    await running.runner.rebuild('notes');
    await until(() => running.runner.health().models[0]?.rebuild === undefined);
    await settled(running, '10');
    expect(running.runner.health().models).toEqual([expect.objectContaining({ discarded: 0 })]);
    await until(async () => (await documentsOf(store, 'parked')).length === 0);
    await running.runner.stop();
    expect(await dump(store, [model])).toEqual(await clean(model, [...log.events]));
  });

  test('is folded by a build that can, and its parking goes with the old one', async () => {
    const { state, model } = curable();
    const store = memory();
    const running = started({ log: memoryLog(history), store, models: [model] });
    await settled(running, '7');
    state.isCured = true;
    await running.runner.rebuild('notes');
    await until(() => running.runner.health().models[0]?.parked === 0);
    await settled(running, '7');
    await until(async () => (await documentsOf(store, 'parked')).length === 0);
    await running.runner.stop();
    expect(await dump(store, [model])).toEqual(await clean(model));
  });

  test.each<[string, (document: Document) => Document | undefined]>([
    ['that is not JSON', (document) => ({ ...document, half: 0.5 })],
    ['with another id', (document) => ({ ...document, id: 'other' })],
    ['at another position', (document) => ({ ...document, position: at(1) })],
  ])('because it makes a document %s is parked alone', async (_, spoil) => {
    const plain = notes();
    const model: StreamModel = {
      ...plain,
      on: (event) =>
        plain.on(event).map(({ id, change }) => ({
          id,
          change: (before) => {
            const after = change(before);
            return after && textOf(event) === 'poison' && id !== 'all' ? spoil(after) : after;
          },
        })),
    };
    const store = memory();
    const log = memoryLog([noted(1, 'a'), noted(2, 'b'), noted(3, 'a', 'poison'), noted(4, 'b')]);
    const running = started({ log, store, models: [model] });
    await settled(running, '4');
    await running.runner.stop();
    expect((await parkedOf(store)).map(({ position, attempts }) => [position, attempts])).toEqual([['3', 5]]);
    expect(await store.get('notes', 'a')).toEqual({ id: 'a', position: '1', texts: ['1'] });
    expect(await store.get('notes', 'all')).toEqual({ id: 'all', position: '4', texts: ['3'] });
  });

  test('because its personal data cannot be opened is parked; an engine’s failure there is tried again', async () => {
    const store = memory();
    let failures = 3;
    const running = started({
      log: memoryLog(history),
      store,
      models: [notes()],
      open: async (event) => {
        if (event.data['text'] === 'poison') throw new RangeError('bad seal');
        if (event.position === '6' && failures-- > 0) throw new LodeError('unavailable', 'no keys now');
        return event;
      },
    });
    await settled(running, '7');
    expect(await parkedOf(store)).toEqual([
      expect.objectContaining({ position: '3', state: 'parked', error: 'RangeError: bad seal' }),
      expect.objectContaining({ position: '5', state: 'waiting' }),
      expect.objectContaining({ position: '7', state: 'waiting' }),
    ]);
    expect(running.reports).toContainEqual(
      expect.objectContaining({ type: 'failing', code: 'unavailable', attempts: 3 }),
    );
    await running.runner.stop();
  });

  test('is not parked while what opens it can’t be asked: the page is prepared again', async () => {
    const store = memory();
    let failures = 3;
    const prepared: Position[][] = [];
    const running = started({
      log: memoryLog([noted(1, 'a'), noted(2, 'b'), noted(3, 'a')]),
      store,
      models: [notes()],
      limits: budgets({ page: 2, events: 2, documents: 100 }),
      prepare: async (events) => {
        if (failures-- > 0) throw new LodeError('unavailable', 'no keys now');
        prepared.push(events.map(({ position }) => position));
      },
      open: (event) => {
        expect(prepared.at(-1)).toContain(event.position);
        return event;
      },
    });
    await settled(running, '3');
    await running.runner.stop();
    expect(await parkedOf(store)).toEqual([]);
    expect(prepared.slice(0, 2)).toEqual([['1', '2'], ['3']]);
    expect(running.reports).toContainEqual(
      expect.objectContaining({ type: 'failing', code: 'unavailable', attempts: 3 }),
    );
  });

  test('stops its model, and no other, when it is one of too many', async () => {
    const broken: ReadModel = {
      ...notes(() => {
        throw new Error('always');
      }),
      name: 'broken',
    };
    const store = memory();
    const log = memoryLog(Array.from({ length: 40 }, (_, n) => noted(n + 1, `s${n}`)));
    const limits = {
      parked: 10,
      live: { page: 5, events: 5, documents: 100 },
      catchUp: { page: 5, events: 5, documents: 100 },
    };
    const running = started({
      log,
      store,
      models: [broken, notes()],
      limits: { ...limits, stalledAfterMs: -1 },
    });
    await until(() => running.runner.health().models[1]?.position === '40');
    const [stopped, other] = running.runner.health().models;
    expect(stopped).toMatchObject({ name: 'broken', state: 'stalled', parked: 10, position: '10' });
    expect(other).toMatchObject({ name: 'notes', parked: 0 });
    await running.runner.stop();
  });

  test.each(['the same program', 'one that was started anew'])(
    'halts a rebuild when it is one of too many, and the next rebuild begins anew (%s)',
    async (program) => {
      const { state, model } = curable();
      const poisoned = Array.from({ length: 40 }, (_, n) => noted(n + 1, `s${n}`, 'poison'));
      const log = memoryLog(poisoned);
      const store = memory();
      const limits = { ...budgets({ page: 5, events: 5, documents: 100 }), parked: 10 };
      const start = () => started({ log, store, models: [model], limits });
      const active = { model: 'notes', isActive: true, isHalted: false, parked: 0 };
      state.isCured = true;
      let running = start();
      await settled(running, '40');
      state.isCured = false;
      for (const round of [1, 2]) {
        await running.runner.rebuild('notes');
        await until(() => running.runner.builds().some(({ isHalted }) => isHalted));
        expect(state.attempts).toBe(round * 10 * runnerLimits.tries);
        expect(running.runner.builds()).toEqual([
          active,
          { model: 'notes', isActive: false, isHalted: true, parked: 10 },
        ]);
        if (program === 'the same program') continue;
        await running.runner.stop();
        running = start();
      }
      state.isCured = true;
      await running.runner.rebuild('notes');
      await settled(running, '40');
      expect(running.runner.builds()).toEqual([active]);
      await until(async () => (await documentsOf(store, 'parked')).length === 0);
      const left = async () => (await store.builds()).filter(({ build }) => build.collection === 'notes');
      await until(async () => (await left()).length === 1);
      await running.runner.stop();
      expect(await dump(store, [model])).toEqual(await clean(model, poisoned));
    },
  );
});
