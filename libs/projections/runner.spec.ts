import { describe, expect, test } from '@jest/globals';
import { laneOf, LodeError, logStart, systemTimers, type Timers } from '#kernel';
import { until } from '#kernel/testing';
import { createPositionGate, runnerLimits, type Log, type ReadModel, type StreamModel } from '#projections';
import type { BuildPlan, ReadStore } from '#read-store';
import { openSqliteReadStore } from '#read-store/sqlite';
import { at, documentsOf, memoryLog, noted, notes, settled, started, textOf } from './testing/index.js';

const memory = () => openSqliteReadStore({ file: ':memory:' });
const many = (count: number, from = 1) =>
  Array.from({ length: count }, (_, n) => noted(from + n, `s${n % 7}`));

async function buildsOfNotes(store: ReadStore) {
  return (await store.builds()).filter(({ build }) => build.collection === 'notes');
}

/** A log that gives no more than its first page, and single events, until it is let on. */
function held(log: Log) {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const slow: Log = {
    ...log,
    readAll: async (after, limit) => {
      if (after !== logStart && limit > 1) await promise;
      return log.readAll(after, limit);
    },
  };
  return { slow, letOn: () => resolve(undefined) };
}

/** Timers that fire when the test says so. */
function manualTimers() {
  const waiting = new Set<() => void>();
  const timers: Timers = {
    after: (_, done) => {
      const fire = () => {
        waiting.delete(fire);
        done();
      };
      waiting.add(fire);
      return () => waiting.delete(fire);
    },
    yieldNow: systemTimers.yieldNow,
  };
  return {
    timers,
    waiting,
    fire: () => {
      for (const one of [...waiting]) one();
    },
  };
}

describe('the runner', () => {
  test('folds what is there, then what comes when it is woken, and reports what changed', async () => {
    const store = memory();
    const log = memoryLog([noted(1, 'a')]);
    const { timers } = manualTimers();
    const running = started({ log, store, models: [notes()], timers });
    await settled(running, '1');
    expect(running.reports).toEqual([
      { type: 'activated', collection: 'notes', version: 1 },
      { type: 'advanced', position: '1', changes: [] },
    ]);
    log.add(noted(5, 'b'));
    running.runner.wake();
    await settled(running, '5');
    expect(running.reports.slice(2)).toEqual([
      {
        type: 'advanced',
        position: '5',
        changes: [
          { collection: 'notes', id: 'b', position: '5', ownerId: 'b' },
          { collection: 'notes', id: 'all', position: '5', ownerId: null },
        ],
      },
    ]);
    await running.runner.stop();
  });

  test('reports on its next start what it has folded before, so that nobody waits for that', async () => {
    const store = memory();
    const log = memoryLog([noted(1, 'a')]);
    const first = started({ log, store, models: [notes()] });
    await settled(first, '1');
    await first.runner.stop();
    const second = started({ log, store, models: [notes()] });
    await settled(second, '1');
    expect(second.reports).toEqual([{ type: 'advanced', position: '1', changes: [] }]);
    await second.runner.stop();
  });

  test('finds what nobody rang for, by its slow poll', async () => {
    const log = memoryLog();
    const store = memory();
    const { timers, waiting, fire } = manualTimers();
    const running = started({ log, store, models: [notes()], timers });
    await until(() => waiting.size > 0);
    log.add(noted(1, 'a'));
    fire();
    await settled(running, '1');
    await running.runner.stop();
  });

  test.each([
    ['a short batch, at least as long as is always waited', 1, 5],
    ['a longer one, as long again', 8, 8],
    ['a very long one, no longer than is ever waited', 1_000, 12],
    ['one that ended before it began, by a clock that was set back', -1_000, 5],
  ])('gathers events after %s', async (_, took, waited) => {
    const log = memoryLog([noted(1, 'a')]);
    const { gatherMs, gatherMostMs } = runnerLimits;
    const rests: number[] = [];
    let now = 0;
    const running = started({
      log,
      store: memory(),
      models: [notes()],
      clock: () => now,
      open: (event) => {
        now += took;
        return event;
      },
      timers: {
        after: (ms, done) => {
          rests.push(ms);
          return systemTimers.after(0, done);
        },
        yieldNow: systemTimers.yieldNow,
      },
      limits: { gatherFrom: 0, gatherMs, gatherMostMs },
    });
    await until(() => rests.length > 0);
    expect(rests[0]).toBe(waited);
    await running.runner.stop();
  });

  test.each([
    ['that come slowly are written as they come', 1],
    ['that come fast gather', 0],
  ])('events %s', async (_, slower) => {
    const { gatherFrom, gatherMs, gatherMostMs, pollMs } = runnerLimits;
    const rests: number[] = [];
    let now = 0;
    const log = memoryLog([noted(1, 'a')]);
    const running = started({
      log,
      store: memory(),
      models: [notes()],
      clock: () => now,
      timers: {
        ...systemTimers,
        after: (ms, done) => {
          rests.push(ms);
          return systemTimers.after(ms, done);
        },
      },
      limits: { gatherFrom, gatherMs, gatherMostMs, pollMs },
    });
    // How fast the first ones came nobody knows.
    await until(() => rests.length > 0);
    expect(rests.splice(0)).toEqual([pollMs]);
    now += 1_000 / gatherFrom + slower;
    log.add(noted(2, 'a'));
    running.runner.wake();
    await until(() => rests.length > 0);
    expect(rests[0]).toBe(slower > 0 ? pollMs : gatherMs);
    await running.runner.stop();
  });

  test('swaps in an empty model at once on an empty log', async () => {
    const store = memory();
    const running = started({ log: memoryLog(), store, models: [notes()] });
    await settled(running, logStart);
    expect(await store.get('notes', 'a')).toBeUndefined();
    await running.runner.stop();
  });

  test('removes a document that a model takes away, and makes it again', async () => {
    const plain = notes();
    const model: StreamModel = {
      ...plain,
      on: (event) => {
        const changes = plain.on(event).filter(({ id }) => id !== 'all');
        return textOf(event) === 'gone'
          ? changes.map(({ id }) => ({ id, change: () => undefined }))
          : changes;
      },
    };
    const store = memory();
    const log = memoryLog([noted(1, 'a'), noted(2, 'b')]);
    const running = started({ log, store, models: [model] });
    await settled(running, '2');
    log.add(noted(3, 'a', 'gone'), noted(4, 'b', 'gone'), noted(5, 'b'));
    running.runner.wake();
    await settled(running, '5');
    expect(await documentsOf(store, 'notes')).toEqual([{ id: 'b', position: '5', texts: ['5'] }]);
    expect(running.reports.at(-1)).toMatchObject({
      changes: [
        { id: 'b', ownerId: 'b' },
        { id: 'a', position: '5', ownerId: null },
      ],
    });
    await running.runner.stop();
  });

  test('refuses a page that is out of order, and takes it when it comes right', async () => {
    const log = memoryLog(many(6));
    let isWrong = true;
    const disordered: Log = {
      ...log,
      readAll: async (after, limit) => {
        const page = [...(await log.readAll(after, limit))];
        return isWrong ? page.toReversed() : page;
      },
    };
    const store = memory();
    const running = started({ log: disordered, store, models: [notes()] });
    await until(() => running.reports.some(({ type }) => type === 'failing'));
    const { code, message } = running.runner.health().failing ?? {};
    // In the error's own words, which a person may be shown.
    expect([code, message]).toEqual(['unavailable', expect.not.stringContaining('Error:')]);
    isWrong = false;
    await settled(running, '6');
    expect(await store.get('notes', 'all')).toMatchObject({ texts: ['6'] });
    expect(running.runner.health().failing).toBeUndefined();
    expect(running.reports).toContainEqual({ type: 'recovered' });
    await running.runner.stop();
  });

  test('stops at the end of a batch, refuses what is asked then, and goes on from there', async () => {
    const store = memory();
    const log = memoryLog(many(50));
    const limits = { catchUp: { page: 3, events: 100, documents: 100 } };
    let isReading = () => {};
    const reading = new Promise<void>((resolve) => (isReading = resolve));
    const watched: Log = {
      ...log,
      readAll: async (after, limit) => {
        isReading();
        return log.readAll(after, limit);
      },
    };
    const first = started({ log: watched, store, models: [notes()], limits });
    await reading;
    await first.runner.stop();
    await expect(first.runner.rebuild('notes')).rejects.toMatchObject({ code: 'unavailable' });
    const stopped = (await store.builds()).find(({ build }) => build.collection === 'notes');
    expect(stopped?.checkpoint).toEqual({ position: '3', ordinal: 3 });
    const second = started({ log, store, models: [notes()], limits });
    await settled(second, '50');
    expect(await store.get('notes', 'all')).toMatchObject({ texts: ['50'] });
    await second.runner.stop();
  });

  test.each(['rebuild', 'replayParked'] as const)('refuses to %s a model that there is not', async (what) => {
    const running = started({ log: memoryLog(), store: memory(), models: [notes()] });
    await expect(running.runner[what]('nothing', 's')).rejects.toMatchObject({ code: 'route_not_found' });
    await running.runner.stop();
  });
});

describe('versions', () => {
  const limits = { catchUp: { page: 10, events: 10, documents: 100 } };

  test.each([{}, { oldestServed: 1 }])(
    'a new one is built beside the old, which is read until the swap and removed after it (%j)',
    async (traits) => {
      const store = memory();
      const log = memoryLog(many(30));
      const first = started({ log, store, models: [notes()] });
      await settled(first, '30');
      await first.runner.stop();
      log.add(...many(5, 31));

      const { slow, letOn } = held(log);
      const second = started({ log: slow, store, models: [{ ...notes(undefined, 2), ...traits }], limits });
      await until(() => second.runner.health().models[0]?.state === 'rebuilding');
      await until(() => second.runner.health().models[0]?.position === '30');
      expect(second.runner.health().models[0]).toMatchObject({ version: 1, position: '30' });
      expect(await store.get('notes', 's1')).toMatchObject({ texts: expect.arrayContaining(['2', '9']) });
      expect(await second.runner.waitFor(at(31), 0)).toBe(false);
      // What is read until then is nothing that this version would change, or say is not there.
      const later = [second.runner.discardParked('notes', 'event-1'), second.runner.parkedStreams('notes')];
      const refused = Promise.all(
        later.map((asked) => expect(asked).rejects.toMatchObject({ code: 'unavailable' })),
      );
      letOn();
      await refused;
      await settled(second, '35');
      expect(second.runner.health().models[0]).toMatchObject({ version: 2 });
      expect(await store.get('notes', 's1')).toMatchObject({
        texts: expect.arrayContaining(['2 v2', '32 v2']),
      });
      await until(async () => (await buildsOfNotes(store)).length === 1);
      await second.runner.stop();
    },
  );

  test('a new one is read once it may be, and one of the same version at once', async () => {
    const store = memory();
    const log = memoryLog(many(30));
    const first = started({ log, store, models: [notes()], mayActivate: async () => true });
    await settled(first, '30');
    await first.runner.stop();

    const may = { be: false, asked: 0 };
    const mayActivate = async () => {
      may.asked += 1;
      return may.be;
    };
    const second = started({ log, store, models: [notes(undefined, 2)], limits, mayActivate });
    const asks = () => {
      second.runner.wake();
      return may.asked > 1;
    };
    await until(asks);
    expect(second.runner.health().models).toMatchObject([{ version: 1, state: 'rebuilding' }]);
    expect(await store.get('notes', 's1')).toMatchObject({ texts: expect.arrayContaining(['2', '9']) });
    may.be = true;
    second.runner.wake();
    await until(() => second.runner.health().models[0]?.version === 2);
    expect(await store.get('notes', 's1')).toMatchObject({ texts: expect.arrayContaining(['2 v2', '9 v2']) });

    may.be = false;
    const { asked } = may;
    const active = async () =>
      (await buildsOfNotes(store)).find(({ state }) => state === 'active')?.build.number;
    const before = await active();
    await second.runner.rebuild('notes');
    await until(async () => (await active()) !== before);
    expect(may.asked).toBe(asked);
    await second.runner.stop();
  });

  test('one that queries would misread is not read from the start on, however often the build is interrupted', async () => {
    const store = memory();
    const log = memoryLog(many(30));
    const first = started({ log, store, models: [notes()] });
    await settled(first, '30');
    await first.runner.stop();

    const models: readonly ReadModel[] = [{ ...notes(undefined, 2), oldestServed: 2 }];
    for (const round of [1, 2]) {
      const { slow, letOn } = held(log);
      const { runner } = started({ log: slow, store, models, limits });
      await until(() => runner.health().models[0]?.position === `${round}0`);
      expect(runner.health().models).toMatchObject([{ version: 2, state: 'rebuilding' }]);
      await expect(store.get('notes', 's1')).rejects.toMatchObject({
        code: 'unavailable',
        message: 'The read model notes is being built.',
      });
      expect(await runner.waitFor(at(30), 0)).toBe(false);
      const stopped = runner.stop();
      letOn();
      await stopped;
    }
    const last = started({ log, store, models });
    await settled(last, '30');
    expect(await store.get('notes', 's1')).toMatchObject({ texts: expect.arrayContaining(['2 v2', '9 v2']) });
    await until(async () => (await buildsOfNotes(store)).length === 1);
    await last.runner.stop();
  });

  test('a build that a stop interrupted is gone on with, not begun again', async () => {
    const store = memory();
    const log = memoryLog(many(20));
    const asked: string[] = [];
    const watched: Log = {
      ...log,
      readAll: async (after, limit) => {
        asked.push(after);
        return log.readAll(after, limit);
      },
    };
    const limits = { catchUp: { page: 4, events: 4, documents: 100 } };
    const first = started({ log: watched, store, models: [notes()], limits });
    await until(() => asked.includes('8'));
    await first.runner.stop();
    asked.length = 0;
    const second = started({ log: watched, store, models: [notes()], limits });
    await settled(second, '20');
    expect(asked).not.toContain(logStart);
    expect(await store.get('notes', 'all')).toMatchObject({ texts: ['20'] });
    await second.runner.stop();
  });

  test('a rebuild joins a log that never rests', async () => {
    const store = memory();
    const log = memoryLog(many(200));
    let position = 200;
    const restless: Log = {
      ...log,
      readAll: async (after, limit) => {
        log.add(noted(++position, 's1'));
        return log.readAll(after, limit);
      },
    };
    const limits = { beside: { page: 20, events: 20, documents: 100 } };
    const running = started({ log: restless, store, models: [notes()], limits });
    await until(() => running.reports.some(({ type }) => type === 'activated'));
    await running.runner.rebuild('notes');
    await until(() => running.reports.filter(({ type }) => type === 'activated').length === 2);
    await running.runner.stop();
  });

  test.each([
    ['alone', true],
    ['beside live models', false],
  ])('one that is built %s has its indexes made last: %s', async (_, isAlone) => {
    const plans: BuildPlan[] = [];
    const plain = memory();
    const store: ReadStore = {
      ...plain,
      begin: (collection, plan) => {
        plans.push(plan);
        return plain.begin(collection, plan);
      },
    };
    const log = memoryLog(many(10));
    const added: ReadModel = { ...notes(), name: 'added' };
    const first = started({ log, store, models: [notes(), added] });
    await settled(first, '10');
    await first.runner.stop();
    plans.length = 0;
    const second = started({ log, store, models: [notes(undefined, 2), added], isAlone });
    await settled(second, '10');
    await second.runner.stop();
    expect(plans).toEqual([{ bulk: isAlone, writesOnce: false }]);
  });

  test('a model that is added catches up by itself while the others follow the log', async () => {
    const store = memory();
    const log = memoryLog(many(100));
    const first = started({ log, store, models: [notes()] });
    await settled(first, '100');
    await first.runner.stop();
    const added: ReadModel = { ...notes(), name: 'added' };
    const limits = { beside: { page: 10, events: 10, documents: 100 } };
    const second = started({ log, store, models: [notes(), added], limits });
    await settled(second, '100');
    expect(await documentsOf(store, 'added')).toEqual(await documentsOf(store, 'notes'));
    await second.runner.stop();
  });
});

describe('health', () => {
  const standing = {
    name: 'notes',
    version: 1,
    eventsBehind: 0,
    secondsBehind: 0,
    parked: 0,
    discarded: 0,
    damaged: 0,
  };

  test('is current, behind by seconds, stalled when nothing advances, and current again', async () => {
    const log = memoryLog([noted(1, 'a')]);
    const started0 = Date.parse('2026-01-01T00:00:00.000Z');
    let now = started0 + 1_000;
    let failure: LodeError | undefined;
    const log2: Log = {
      ...log,
      readAll: async (after, limit) => {
        if (failure !== undefined) throw failure;
        return log.readAll(after, limit);
      },
    };
    const { timers, waiting, fire } = manualTimers();
    const running = started({ log: log2, store: memory(), models: [notes()], timers, clock: () => now });
    await settled(running, '1');
    await until(() => waiting.size > 0);
    expect(running.runner.health()).toEqual({
      models: [{ ...standing, position: '1', ordinal: 1, state: 'current', movedAt: now }],
    });
    now += 3_600_000;
    expect(running.runner.health().models[0]).toMatchObject({ state: 'current', secondsBehind: 0 });

    failure = new LodeError('unavailable', 'the log is away');
    log.add(noted(2, 'a'));
    running.runner.wake();
    await until(() => running.runner.health().failing !== undefined);
    now += 2_000;
    expect(running.runner.health().models[0]).toMatchObject({ state: 'behind', secondsBehind: 2 });
    now += 12_999;
    expect(running.runner.health().models[0]).toMatchObject({ state: 'behind' });
    now += 2;
    expect(running.runner.health().models[0]).toMatchObject({ state: 'stalled' });
    fire();
    await until(() => running.runner.health().failing?.attempts === 2);
    expect(running.runner.health().models[0]).toMatchObject({ state: 'stalled', position: '1' });

    failure = undefined;
    fire();
    await until(() => running.runner.health().models[0]?.state === 'current');
    expect(running.runner.health().models[0]).toMatchObject({ position: '2', secondsBehind: 0 });
    await running.runner.stop();
  });

  test('is stalled when the read store can’t be opened, and tells of a first build as rebuilding', async () => {
    let now = 0;
    const store = memory();
    let isAway = true;
    const away = {
      ...store,
      builds: async () => {
        if (isAway) throw new LodeError('unavailable', 'no engine');
        return store.builds();
      },
    };
    const running = started({ log: memoryLog(), store: away, models: [notes()], clock: () => now });
    expect(running.runner.health().models).toEqual([
      { ...standing, position: '0', ordinal: 0, state: 'rebuilding' },
    ]);
    await until(() => running.runner.health().failing !== undefined);
    now = 15_001;
    expect(running.runner.health().models[0]?.state).toBe('stalled');
    isAway = false;
    await settled(running, '0');
    await running.runner.stop();
  });
});

describe('waiting for a position', () => {
  test('is answered when every active model has it, or when time is up', async () => {
    const store = memory();
    const log = memoryLog([noted(1, 'a')]);
    const { timers, waiting, fire } = manualTimers();
    const running = started({ log, store, models: [notes(), { ...notes(), name: 'others' }], timers });
    await settled(running, '1');
    await until(() => waiting.size > 0);
    expect(await running.runner.waitFor(at(1), 10)).toBe(true);
    const reached = running.runner.waitFor(at(2), 10);
    log.add(noted(2, 'a'));
    running.runner.wake();
    expect(await reached).toBe(true);
    const late = running.runner.waitFor(at(3), 10);
    fire();
    expect(await late).toBe(false);
    const stopped = running.runner.waitFor(at(3), 10);
    await running.runner.stop();
    expect(await stopped).toBe(false);
  });

  test('compares positions as numbers of any length', async () => {
    const gate = createPositionGate(systemTimers, 10);
    gate.reached(at(9));
    const waiting = gate.waitFor(at(10), 60_000);
    gate.reached(at(100));
    expect(await waiting).toBe(true);
    gate.close();
  });

  test('waits for the lane of a subject alone, where lanes stand at places of their own', async () => {
    const gate = createPositionGate(systemTimers, 10);
    const lanes = [at(3), at(9)];
    const subjectIn = (lane: number) =>
      Array.from({ length: 40 }, (_, n) => String(n)).find((one) => laneOf(`account-${one}`, 2) === lane);
    gate.reached(at(3), lanes);
    expect(await gate.waitFor(at(9), 60_000, subjectIn(1))).toBe(true);
    expect([gate.has(at(9), subjectIn(1)), gate.has(at(9), subjectIn(0)), gate.has(at(9))]).toEqual([
      true,
      false,
      false,
    ]);
    const [slow, all] = [gate.waitFor(at(9), 60_000, subjectIn(0)), gate.waitFor(at(9), 60_000)];
    const order: string[] = [];
    void slow.then(() => order.push('the lane'));
    void all.then(() => order.push('all of them'));
    gate.reached(at(8), [at(9), at(8)]);
    expect(await slow).toBe(true);
    gate.reached(at(9), [at(9), at(9)]);
    expect(await all).toBe(true);
    expect(order).toEqual(['the lane', 'all of them']);
    gate.close();
  });

  test('is refused at once when as many wait as may', async () => {
    const { timers, waiting } = manualTimers();
    const gate = createPositionGate(timers, 2);
    const two = [gate.waitFor(at(5), 10), gate.waitFor(at(6), 10)];
    expect(await gate.waitFor(at(5), 10)).toBe(false);
    gate.reached(at(5));
    expect(await two[0]).toBe(true);
    expect(waiting.size).toBe(1);
    gate.close();
    expect(await two[1]).toBe(false);
    expect(waiting.size).toBe(0);
    expect(await gate.waitFor(at(7), 10)).toBe(false);
  });
});
