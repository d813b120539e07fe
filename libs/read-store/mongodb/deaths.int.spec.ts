import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isEngineError, type RecordedEvent } from '#kernel';
import { spawnDouble, type DoubleProcess } from '#mongodb/double';
import { readParked } from '#projections';
import { budgets, dump, memoryLog, noted, notes, started, textOf, until } from '#projections/testing';
import type { ReadStore } from '#read-store';
import { openMongoReadStore } from '#read-store/mongodb';
import { openSqliteReadStore } from '#read-store/sqlite';

const limits = budgets({ page: 4, events: 4, documents: 100 });
/** More than any life here has; the loop over deaths ends by itself before. */
const WRITES_MAX = 400;

/** A log with an event in it that the model can't handle, and others of its stream behind it. */
function history(count: number): readonly RecordedEvent[] {
  return Array.from({ length: count }, (_, n) => noted(n + 1, `s${n % 4}`, n === 5 ? 'poison' : String(n)));
}

function modelOf(version: number) {
  return notes((event) => {
    if (textOf(event) === 'poison') throw new TypeError('cannot read poison');
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

describe('read models in MongoDB (double) after a kill of the server between any two writes', () => {
  let folder: string;
  let double: DoubleProcess;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lode-mongodb-deaths-'));
  });
  afterEach(async () => {
    await double.kill();
    rmSync(folder, { recursive: true });
  });

  const open = (selectMs: number) => openMongoReadStore({ url: double.url(), database: 'lode', selectMs });

  /** A life in which the server dies after so many writes; false when there were not so many. */
  const dyingLife = async (writes: number, version: number, count: number): Promise<boolean> => {
    let isDead = false;
    const died = double.died().then(() => {
      isDead = true;
    });
    await double.dieAfter(writes);
    try {
      const store = await open(100);
      await live(store, version, count, () => isDead);
      await store.close();
    } catch (error) {
      if (!isEngineError(error)) throw error;
    }
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

  test.each([0, 1, 2])('a first fold comes to the same (%i)', async (third) => {
    const expected = await cleanOutcome([[1, 9]]);
    let [isKilled, deaths] = [true, 0];
    for (let writes = 1 + third; isKilled && writes < WRITES_MAX; writes += 3) {
      double = await spawnDouble(join(folder, `first-${writes}.bson`));
      isKilled = await dyingLife(writes, 1, 9);
      if (isKilled) deaths++;
      await double.revive();
      expect(await wholeLife(1, 9)).toEqual(expected);
      await double.kill();
    }
    expect(isKilled).toBe(false);
    expect(deaths).toBeGreaterThan(10);
  });

  test.each([0, 1, 2])(
    'a new version beside the old one, its activation and the removal do (%i)',
    async (third) => {
      const expected = await cleanOutcome([
        [1, 9],
        [2, 11],
      ]);
      const before = join(folder, 'before.bson');
      double = await spawnDouble(before);
      await wholeLife(1, 9);
      await double.kill();
      let [isKilled, deaths] = [true, 0];
      for (let writes = 1 + third; isKilled && writes < WRITES_MAX; writes += 3) {
        const file = join(folder, `second-${writes}.bson`);
        copyFileSync(before, file);
        double = await spawnDouble(file);
        isKilled = await dyingLife(writes, 2, 11);
        if (isKilled) deaths++;
        await double.revive();
        expect(await wholeLife(2, 11)).toEqual(expected);
        await double.kill();
      }
      expect(isKilled).toBe(false);
      expect(deaths).toBeGreaterThan(10);
    },
  );
});
