import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLodeError, type Position } from '#kernel';
import type { EventStore } from '#event-store';
import { checkLog, startWriting } from '#event-store/testing';
import { spawnDouble, type DoubleProcess } from './double/index.js';
import { openEventStoreDb } from './index.js';

const APPENDERS = 64;
const KILLS = 10;
/** Acknowledged between two kills, at least. */
const ENOUGH = 2 * APPENDERS;

let folder: string;
let server: DoubleProcess;
let store: EventStore;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lode-esdb-'));
  server = await spawnDouble(join(folder, 'log'));
  store = await openEventStoreDb({
    url: server.url,
    retry: { attemptMs: 1_500, appendMs: 120_000, silenceMs: 500 },
  });
});
afterEach(async () => {
  await server.kill();
  await store.close();
  await rm(folder, { recursive: true });
});

// What the client rejects where nobody can catch it is an unhandled rejection, by which this test fails.
test('a server (double) that is killed under load, frozen before every other time, loses and doubles nothing that was acknowledged', async () => {
  const writing = startWriting('killed');
  const acknowledged = new Map<string, Position>();
  const refused: unknown[] = [];
  let isOver = false;

  const appender = async (stream: string) => {
    while (!isOver) {
      try {
        const { revision, position } = await writing.append(store, stream);
        acknowledged.set(`${stream}/${revision}`, position);
      } catch (error) {
        // Its outcome is not known, or it was not written: the same is sent again.
        if (isLodeError(error) && ['unknown_outcome', 'unavailable'].includes(error.code)) continue;
        refused.push(error);
        isOver = true;
      }
    }
  };
  const moreAcknowledged = async () => {
    const before = acknowledged.size;
    while (!isOver && acknowledged.size < before + ENOUGH)
      await new Promise((resolve) => setImmediate(resolve));
  };

  const appending = Promise.all(Array.from({ length: APPENDERS }, (_, n) => appender(`killed-${n}`)));
  for (let kill = 0; kill < KILLS; kill++) {
    await moreAcknowledged();
    if (kill % 2 === 1) {
      server.freeze();
      await expect(store.head()).rejects.toMatchObject({ code: 'unavailable' });
    }
    await server.kill();
    await server.revive();
  }
  await moreAcknowledged();
  isOver = true;
  await appending;
  expect(refused).toEqual([]);

  await store.close();
  store = await openEventStoreDb({ url: server.url });
  const log = await checkLog(store);
  const held = new Map(log.map(({ stream, revision, position }) => [`${stream}/${revision}`, position]));
  expect([...acknowledged].filter(([place, position]) => held.get(place) !== position)).toEqual([]);
  // Whoever appended sent the same until it was acknowledged, so that there is nothing else in the log.
  expect(held.size).toBe(acknowledged.size);
});
