import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventStore } from '#event-store';
import { isLodeError } from '#kernel';
import { openSqliteEventStore } from '#event-store/sqlite';
import { checkLog } from '#event-store/testing';
import { contextOf, startTally, watched } from '#commands/testing';

const STREAM = 'tally-1';
const add = { do: 'add', amount: 1 } as const;

describe('the executor on SQLite', () => {
  let folder: string;
  let store: EventStore;
  const open = () => openSqliteEventStore({ file: join(folder, 'events.sqlite') });
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lode-commands-'));
    store = await open();
  });
  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });

  test('gives the first answers again after the program was started again', async () => {
    const keys = Array.from({ length: 300 }, (_, n) => `k${n}`);
    const send = (executor: ReturnType<typeof startTally>) =>
      Promise.all(keys.map((key) => executor.execute(STREAM, { ...add, events: 3 }, contextOf(key))));
    const first = await send(startTally(store));
    await store.close();
    store = await open();
    const again = await send(startTally(store, { year: 2027 }));
    expect(again).toEqual(first.map((one) => ({ ...one, replayed: true })));
    expect(await checkLog(store)).toHaveLength(900);
  });

  test('carries out many commands to one stream in few appends, in the order they came', async () => {
    const { store: seen, appends } = watched(store);
    const executor = startTally(seen);
    const executions = await Promise.all(
      Array.from({ length: 2_000 }, (_, n) => executor.execute(STREAM, add, contextOf(`k${n}`))),
    );
    expect(executions.map(({ position }) => position)).toEqual(executions.map((_, n) => String(n + 1)));
    expect(appends.length).toBeLessThanOrEqual(1 + Math.ceil(1_999 / 256));
    await checkLog(store);
  });

  test('two of them on one log carry out each command once', async () => {
    const racers = [startTally(store), startTally(store, { year: 2030 })];
    const insist = async (which: number, key: string, tries = 20): Promise<unknown> =>
      racers[which % 2]!.execute(STREAM, add, contextOf(key)).catch((error: unknown) => {
        if (!isLodeError(error) || error.code !== 'conflict' || tries === 1) throw error;
        return insist(which, key, tries - 1);
      });
    await Promise.all(Array.from({ length: 400 }, (_, n) => insist(n, `k${Math.floor(n / 2)}`)));
    expect(await checkLog(store)).toHaveLength(200);
    for (const each of racers) expect((await each.load(STREAM)).state.sum).toBe(200);
  });
});
