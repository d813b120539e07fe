import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isEngineError, type RecordedEvent } from '#kernel';
import { until } from '#kernel/testing';
import { spawnDouble, type DoubleProcess } from '#mongodb/double';
import { readParked } from '#projections';
import {
  budgets,
  dump,
  EVERY,
  EVERY_OF_FEW,
  firstWrite,
  memoryLog,
  noted,
  notes,
  settled,
  started,
  textOf,
  WRITES_MAX,
} from '#projections/testing';
import { foldedLate, type ReadStore } from '#read-store';
import { openMongoReadStore } from '#read-store/mongodb';
import { openSqliteReadStore } from '#read-store/sqlite';

const limits = budgets({ page: 4, events: 4, documents: 100 });
/** A test has dozens of deaths, each with two processes. */
const DEATH_MS = 30_000;
jest.setTimeout(240_000 + (WRITES_MAX / EVERY) * DEATH_MS);

/** A log with an event in it that the model can't handle, and others of its stream behind it. */
function history(count: number): readonly RecordedEvent[] {
  return Array.from({ length: count }, (_, n) => noted(n + 1, `s${n % 4}`, n === 5 ? 'poison' : String(n)));
}

function modelOf(version: number, isCured = false) {
  return notes((event) => {
    if (textOf(event) === 'poison' && !isCured) throw new TypeError('cannot read poison');
  }, version);
}

/** One life of a program: it folds until everything is done, or until the server is dead. */
async function live(store: ReadStore, version: number, count: number, isDead: () => boolean): Promise<void> {
  const running = started({ log: memoryLog(history(count)), store, models: [modelOf(version)], limits });
  const head = String(count);
  const isDone = async () => {
    const { models } = running.runner.health();
    if (!models.every(({ state, position }) => state === 'current' && position === head)) return false;
    return (await store.builds()).every(({ state }) => state === 'active');
  };
  try {
    await until(async () => isDead() || (await isDone().catch(() => false)));
  } finally {
    await running.runner.stop();
  }
}

/** What the documents are, and what is parked. */
async function outcome(store: ReadStore, version: number): Promise<readonly string[]> {
  const active = (await store.builds()).find(({ build }) => build.collection === 'notes');
  const parked = active === undefined ? [] : await readParked(store, active.build);
  return [
    ...(await dump(store, [modelOf(version)])),
    ...parked.map(({ position, state, stream }) => `${state} ${stream} ${position}`),
  ];
}

/** What comes of it where nothing ever dies. */
async function cleanOutcome(lives: readonly (readonly [version: number, count: number])[]) {
  const store = openSqliteReadStore({ file: ':memory:' });
  let last: readonly string[] = [];
  for (const [version, count] of lives) {
    await live(store, version, count, () => false);
    last = await outcome(store, version);
  }
  await store.close();
  return last;
}

describe.each([7, 8] as const)(
  'read models in MongoDB %i (double) after a kill of the server between any two writes',
  (major) => {
    let folder: string;
    let double: DoubleProcess;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'lode-mongodb-deaths-'));
    });
    afterEach(async () => {
      await double.kill();
      rmSync(folder, { recursive: true });
    });

    const spawned = (file: string) => spawnDouble(file, undefined, major);
    const open = (selectMs: number) => openMongoReadStore({ url: double.url(), database: 'lode', selectMs });

    /** A life in which the server dies after so many writes; false when there were not so many. */
    const dyingLife = async (writes: number, version: number, count: number): Promise<boolean> => {
      let isDead = false;
      const died = double.died().then(() => {
        isDead = true;
      });
      await double.dieAfter(writes);
      const opened = async () => {
        try {
          return await open(100);
        } catch (error) {
          if (!isEngineError(error)) throw error;
          return undefined;
        }
      };
      let store = await opened();
      // On a busy machine one that lives may not answer in time either.
      while (store === undefined && !isDead) store = await opened();
      if (store !== undefined) await live(store, version, count, () => isDead);
      await store?.close();
      const wasKilled = !(await double.livesOn());
      await double.kill();
      await died;
      return wasKilled;
    };

    const wholeLife = async (version: number, count: number): Promise<readonly string[]> => {
      const store = await open(10_000);
      await live(store, version, count, () => false);
      const found = await outcome(store, version);
      await store.close();
      return found;
    };

    const first = 1 + firstWrite(EVERY, major);

    test(`a first fold comes to the same, from its write ${first} on`, async () => {
      const expected = await cleanOutcome([[1, 9]]);
      let [isKilled, deaths] = [true, 0];
      for (let writes = first; isKilled && writes < WRITES_MAX; writes += EVERY) {
        double = await spawned(join(folder, `first-${writes}.bson`));
        isKilled = await dyingLife(writes, 1, 9);
        if (isKilled) deaths++;
        await double.revive();
        expect(await wholeLife(1, 9)).toEqual(expected);
        await double.kill();
      }
      expect(isKilled).toBe(false);
      expect(deaths).toBeGreaterThan(30 / EVERY);
    });

    test(`a new version beside the old one, its activation and the removal do, from write ${first} on`, async () => {
      const expected = await cleanOutcome([
        [1, 9],
        [2, 11],
      ]);
      const before = join(folder, 'before.bson');
      double = await spawned(before);
      await wholeLife(1, 9);
      await double.kill();
      let [isKilled, deaths] = [true, 0];
      for (let writes = first; isKilled && writes < WRITES_MAX; writes += EVERY) {
        const file = join(folder, `second-${writes}.bson`);
        copyFileSync(before, file);
        double = await spawned(file);
        isKilled = await dyingLife(writes, 2, 11);
        if (isKilled) deaths++;
        await double.revive();
        expect(await wholeLife(2, 11)).toEqual(expected);
        await double.kill();
      }
      expect(isKilled).toBe(false);
      expect(deaths).toBeGreaterThan(30 / EVERY);
    });

    /** A runner whose model can handle everything by now, once it is at the end of the log. */
    const replayer = async (store: ReadStore, count: number) => {
      const log = memoryLog(history(count));
      const running = started({ log, store, models: [modelOf(1, true)], limits });
      await settled(running, String(count));
      return running.runner;
    };

    test('a replay of parked events that is made again folds each of them once', async () => {
      const whole = openSqliteReadStore({ file: ':memory:' });
      const never = await replayer(whole, 20);
      const expected = await dump(whole, [modelOf(1)]);
      await never.stop();
      const before = join(folder, 'parked.bson');
      double = await spawned(before);
      await wholeLife(1, 14);
      await double.kill();
      let [isKilled, deaths, marks] = [true, 0, 0];
      for (
        let writes = 1 + firstWrite(EVERY_OF_FEW, major);
        isKilled && writes < WRITES_MAX;
        writes += EVERY_OF_FEW
      ) {
        const file = join(folder, `replay-${writes}.bson`);
        copyFileSync(before, file);
        double = await spawned(file);
        // Little patience, for the deaths that follow; a busy machine may need more to begin with.
        const dying = await open(100).catch(() => open(2_000));
        const runner = await replayer(dying, 14);
        await double.dieAfter(writes);
        await runner.replayParked('notes', 's1').catch(() => undefined);
        isKilled = !(await double.livesOn());
        if (isKilled) deaths++;
        await runner.stop();
        await dying.close();
        await double.kill();
        await double.revive();
        const store = await open(10_000);
        const [build] = (await store.builds()).filter((one) => one.build.collection === 'notes');
        const all = build === undefined ? [] : await store.read(build.build, ['all', 's1']);
        if (all.some((document) => foldedLate in document)) marks++;
        // Others change the documents before it is made again.
        const again = await replayer(store, 20);
        await again.replayParked('notes', 's1');
        expect(await dump(store, [modelOf(1)])).toEqual(expected);
        await again.stop();
        await store.close();
        await double.kill();
      }
      expect(deaths).toBeGreaterThan(5 / EVERY_OF_FEW);
      expect(marks).toBeGreaterThan(2 / EVERY_OF_FEW - 1);
    });
  },
);
