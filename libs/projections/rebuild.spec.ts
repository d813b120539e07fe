import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { comparePositions, LodeError, logStart, type RecordedEvent } from '#kernel';
import { openPersonalData, walletModels, type Log } from '#projections';
import type { BuildPlan, ReadStore } from '#read-store';
import { openSqliteReadStore } from '#read-store/sqlite';
import { budgets, decryptForTests, dump, histories, memoryLog, settled, started } from './testing/index.js';

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
      { numRuns: 40 },
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
      { numRuns: 40 },
    );
  });

  test('rebuilt alone with the indexes made last, cut off, and gone on with beside live models', async () => {
    await fc.assert(
      fc.asyncProperty(histories, small, async ({ events }, budget) => {
        const store = memory();
        const log = memoryLog(events);
        const limits = budgets(budget);
        const head = await log.head();
        let running = started({ log, store, models, open, limits });
        await settled(running, head);
        await running.runner.stop();
        const plans: BuildPlan[] = [];
        const heard: ReadStore = {
          ...store,
          begin: (collection, plan) => {
            plans.push(plan);
            return store.begin(collection, plan);
          },
        };
        running = started({ log, store: heard, models, open, limits, isAlone: true });
        await Promise.all(models.map(({ name }) => running.runner.rebuild(name)));
        await running.runner.stop();
        running = started({ log, store, models, open, limits });
        await settled(running, head);
        await running.runner.stop();
        expect(plans.map(({ bulk }) => bulk)).toEqual(models.map(() => true));
        expect(await dump(store, models)).toEqual(await clean(events));
      }),
      { numRuns: 20 },
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
      { numRuns: 40 },
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
      { numRuns: 25 },
    );
  });
});
