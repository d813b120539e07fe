import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { comparePositions, LodeError, logStart, type RecordedEvent } from '#kernel';
import { until } from '#kernel/testing';
import { openPersonalData, walletModels, type Log } from '#projections';
import type { BuildPlan, ReadStore } from '#read-store';
import { openSqliteReadStore } from '#read-store/sqlite';
import {
  budgets,
  decryptForTests,
  dump,
  histories,
  memoryLog,
  noted,
  notes,
  settled,
  started,
} from './testing/index.js';

const open = openPersonalData(decryptForTests);
const memory = () => openSqliteReadStore({ file: ':memory:' });
const models = walletModels;

/** The documents of a clean fold: everything at once, from the start. */
async function clean(events: readonly RecordedEvent[]): Promise<readonly string[]> {
  const store = memory();
  const log = memoryLog(events);
  const running = started({ log, store, models, open });
  await settled(running, await log.head());
  await running.runner.stop();
  return dump(store, models);
}

/** The states of all builds of the models. */
async function statesOf(store: ReadStore) {
  const builds = await store.builds();
  return models.flatMap(({ name }) =>
    builds.filter(({ build }) => build.collection === name).map(({ state }) => state),
  );
}

/** A log that gives each event 1 to 5 times, and goes back to ones that it gave before. */
function repeating(log: Log, dice: () => number): Log {
  return {
    ...log,
    readAll: async (after, limit) => {
      const page = await log.readAll(after, limit);
      const repeated = page.flatMap((event) =>
        Array.from({ length: 1 + Math.floor(dice() * 5) }, () => event),
      );
      const back = await log.readAll(logStart, 3);
      return dice() < 0.5 || page.length === 0
        ? [...back.filter((one) => comparePositions(one.position, after) <= 0), ...repeated]
        : repeated;
    },
  };
}

/** Fails by the dice: before anything was done, or with no word after all of it was. */
function failing(dice: () => number) {
  const unavailable = () => new LodeError('unavailable', 'gone for a moment');
  return {
    log: (log: Log): Log => ({
      ...log,
      readAll: async (after, limit) => {
        if (dice() < 0.3) throw unavailable();
        return log.readAll(after, limit);
      },
    }),
    store: (store: ReadStore): ReadStore => ({
      ...store,
      read: async (build, ids) => {
        if (dice() < 0.2) throw unavailable();
        return store.read(build, ids);
      },
      write: async (batches) => {
        const luck = dice();
        if (luck < 0.15) throw unavailable();
        await store.write(batches);
        if (luck > 0.85) throw new LodeError('unknown_outcome', 'no answer came');
      },
    }),
  };
}

const dice = fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 30, maxLength: 60 });
/** The drawn numbers, and then a middling one for ever: trouble comes to an end. */
function throwsOf(numbers: readonly number[]): () => number {
  let next = 0;
  return () => numbers[next++] ?? 0.5;
}

const small = fc.record({
  page: fc.integer({ min: 1, max: 7 }),
  events: fc.integer({ min: 1, max: 20 }),
  documents: fc.integer({ min: 1, max: 5 }),
});

describe('documents are the same bytes', () => {
  test('whatever the sizes of batches and caches', async () => {
    await fc.assert(
      fc.asyncProperty(
        histories,
        small,
        fc.integer({ min: 1, max: 4 }),
        async ({ events }, budget, documentsCached) => {
          const store = memory();
          const log = memoryLog(events);
          const running = started({
            log,
            store,
            models,
            open,
            limits: { ...budgets(budget), documentsCached },
          });
          await settled(running, await log.head());
          await running.runner.stop();
          expect(await dump(store, models)).toEqual(await clean(events));
        },
      ),
      { numRuns: 15 },
    );
  });

  test('followed live, stopped and started again, and rebuilt beside while events come', async () => {
    await fc.assert(
      fc.asyncProperty(
        histories,
        small,
        fc.integer({ min: 1, max: 9 }),
        async ({ events }, budget, piece) => {
          const store = memory();
          const log = memoryLog();
          const limits = budgets(budget);
          let running = started({ log, store, models, open, limits });
          for (let from = 0, round = 0; from < events.length; from += piece, round++) {
            log.add(...events.slice(from, from + piece));
            running.runner.wake();
            if (round % 3 === 1) {
              await running.runner.stop();
              running = started({ log, store, models, open, limits });
            }
            if (round % 4 === 0) await running.runner.rebuild(models[round % 3]?.name ?? '');
          }
          await settled(running, await log.head());
          for (const { name } of models) await running.runner.rebuild(name);
          await settled(running, await log.head());
          await running.runner.stop();
          expect(await dump(store, models)).toEqual(await clean(events));
        },
      ),
      { numRuns: 15 },
    );
  });

  test.each<['alone' | 'beside live models', BuildPlan[]]>([
    // Gone on with.
    ['alone', []],
    // Begun anew, as the indexes would be made while somebody waits.
    ['beside live models', models.map(() => ({ bulk: false }))],
  ])('rebuilt alone with the indexes made last, cut off, and finished %s', async (how, begun) => {
    await fc.assert(
      fc.asyncProperty(histories, small, async ({ events }, budget) => {
        const plans: BuildPlan[] = [];
        const plain = memory();
        const store: ReadStore = {
          ...plain,
          begin: (collection, plan) => {
            if (models.some(({ name }) => name === collection.name)) plans.push(plan);
            return plain.begin(collection, plan);
          },
        };
        const options = { log: memoryLog(events), store, models, open, limits: budgets(budget) };
        const head = await options.log.head();
        const first = started(options);
        await settled(first, head);
        await first.runner.stop();
        plans.length = 0;
        const alone = started({ ...options, isAlone: true });
        await Promise.all(models.map(({ name }) => alone.runner.rebuild(name)));
        await alone.runner.stop();
        expect(plans).toMatchObject(models.map(() => ({ bulk: true })));
        expect(await statesOf(store)).toEqual(models.flatMap(() => ['active', 'building']));
        plans.length = 0;
        const last = started({ ...options, isAlone: how === 'alone' });
        await settled(last, head);
        await until(async () => (await statesOf(store)).every((state) => state === 'active'));
        await last.runner.stop();
        expect(plans).toMatchObject(begun);
        expect(await statesOf(store)).toEqual(models.map(() => 'active'));
        expect(await dump(store, models)).toEqual(await clean(events));
      }),
      { numRuns: 10 },
    );
  });

  test('when events are delivered again and again', async () => {
    await fc.assert(
      fc.asyncProperty(histories, small, dice, async ({ events }, budget, numbers) => {
        const store = memory();
        const log = memoryLog(events);
        const repeated = repeating(log, throwsOf(numbers));
        const running = started({ log: repeated, store, models, open, limits: budgets(budget) });
        await settled(running, await log.head());
        await running.runner.stop();
        expect(await dump(store, models)).toEqual(await clean(events));
      }),
      { numRuns: 15 },
    );
  });

  test('when engines fail, also after they did what was asked', async () => {
    await fc.assert(
      fc.asyncProperty(histories, small, dice, async ({ events }, budget, numbers) => {
        const faults = failing(throwsOf(numbers));
        const store = memory();
        const log = memoryLog(events);
        const running = started({
          log: faults.log(log),
          store: faults.store(store),
          models,
          open,
          limits: budgets(budget),
        });
        await settled(running, await log.head());
        await running.runner.stop();
        expect(await dump(store, models)).toEqual(await clean(events));
      }),
      { numRuns: 10 },
    );
  });
});

describe('a rebuild under way', () => {
  const events = Array.from({ length: 4_000 }, (_, n) => noted(n + 1, `s${n % 50}`));
  const limits = budgets({ page: 5, events: 5, documents: 100 });
  const underWay = async (store: ReadStore, log: Log) => {
    const running = started({ log, store, models: [notes()], limits });
    await settled(running, '4000');
    await running.runner.rebuild('notes');
    return running;
  };

  test('tells how far it is, and about how long it takes', async () => {
    const store = memory();
    const running = await underWay(store, memoryLog(events));
    const progress = () => running.runner.health().models[0]?.rebuild;
    expect(progress()).toEqual({ events: 0, of: 4_000, secondsLeft: undefined, isHalted: false });
    await until(() => (progress()?.events ?? 0) > 100);
    const first = progress();
    expect(first).toMatchObject({ of: 4_000, isHalted: false });
    expect(first?.secondsLeft).toBeGreaterThanOrEqual(0);
    await until(() => (progress()?.events ?? Infinity) > (first?.events ?? 0));
    await settled(running, '4000');
    expect(progress()).toBeUndefined();
    await running.runner.stop();
  });

  test.each(['the same program', 'one that is started anew at once'])(
    'is cancelled for good, and what is read stays (%s)',
    async (program) => {
      const [store, log] = [memory(), memoryLog(events)];
      let running = await underWay(store, log);
      const before = await dump(store, [notes()]);
      await until(() => (running.runner.health().models[0]?.rebuild?.events ?? 0) > 100);
      expect(await running.runner.cancelRebuild('notes')).toBe(true);
      if (program !== 'the same program') {
        await running.runner.stop();
        running = started({ log, store, models: [notes()], limits });
      }
      const builds = async () => (await store.builds()).filter(({ build }) => build.collection === 'notes');
      await until(async () => (await builds()).length === 1);
      await settled(running, '4000');
      expect(running.runner.builds()).toEqual([expect.objectContaining({ isActive: true })]);
      expect(await running.runner.cancelRebuild('notes')).toBe(false);
      expect(await dump(store, [notes()])).toEqual(before);
      await running.runner.rebuild('notes');
      await until(() => running.runner.health().models[0]?.rebuild === undefined);
      await settled(running, '4000');
      await running.runner.stop();
      expect(await dump(store, [notes()])).toEqual(before);
    },
  );

  test('is not cancelled while there is nothing else to be read', async () => {
    const running = started({ log: memoryLog(events), store: memory(), models: [notes()], limits });
    await until(() => running.runner.builds().length > 0);
    await expect(running.runner.cancelRebuild('notes')).rejects.toMatchObject({ code: 'validation_failed' });
    await expect(running.runner.cancelRebuild('others')).rejects.toMatchObject({ code: 'route_not_found' });
    await settled(running, '4000');
    await running.runner.stop();
  });
});
