import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { openEventStoreDb } from '#event-store/eventstoredb';
import { openS3FileStore } from '#files/s3';
import { openSqliteFileCatalogue } from '#files/sqlite';
import { connectRedis } from '#jobs/bullmq';
import { LodeError, systemClock, systemRandom, type ErrorCode } from '#kernel';
import { connectMongo } from '#mongodb';
import { quietApi, quietSettings } from '../../lode/testing/index.js';

/** A port of this machine that nobody listens on. */
const HOST = '127.0.0.1:1';
const [NAME, PASSWORD] = ['canary-name', 'canary-password'];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lode-failures-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What the API answers where asking the log fails with an error, and what it logs. */
async function answerTo(error: unknown): Promise<{ status: number; body: string; log: string }> {
  const lines: string[] = [];
  const logger = pino({}, { write: (line: string) => void lines.push(line) });
  const head = () => Promise.reject(error instanceof Error ? error : new Error(String(error)));
  const ports = {
    eventStore: { head },
    acknowledged: { unseen: () => ({ events: 0, since: undefined }) },
    projections: { onChanges: () => undefined, onRebuilt: () => undefined, status: async () => [] },
    readStore: { get: async () => undefined, list: async () => [] },
    processes: {
      reactors: () => [],
      jobsCondition: async () => ({ runsJobs: 'no', failure: undefined, unseenMs: 0 }),
    },
    condition: {
      scrub: () => ({ isOurs: false, state: { pass: undefined, last: undefined, checkedAt: {} } }),
      beyond: () => ({ kinds: {}, models: {} }),
      damagedEvents: () => 0,
      head: () => ({ ageMs: 0, failure: undefined }),
      identity: async () => ({ damagedRows: 0, refusal: undefined }),
    },
    hasRoom: () => true,
    storage: { full: () => undefined },
    clock: systemClock,
  };
  const app = await quietApi({ ports }, { ...quietSettings, logger });
  const { statusCode: status, body } = await app.inject({ method: 'GET', url: '/health/ready' });
  await app.close();
  return { status, body, log: lines.join('') };
}

const failureOf = async (work: () => Promise<unknown>): Promise<unknown> =>
  work().then(
    () => undefined,
    (error: unknown) => error,
  );

/** Each engine, asked at an address where there is none, and what a caller hears of that. */
const engines: readonly (readonly [string, () => Promise<unknown>, string])[] = [
  [
    'EventStoreDB',
    async () => {
      const url = `esdb://${NAME}:${PASSWORD}@${HOST}?tls=false`;
      const store = await openEventStoreDb({ url, retry: { attempts: 1 } });
      return store.head().finally(() => store.close());
    },
    "The event store can't be reached.",
  ],
  [
    'MongoDB',
    () => connectMongo({ url: `mongodb://${NAME}:${PASSWORD}@${HOST}`, database: 'lode', selectMs: 50 }),
    "A part of Lode can't be reached. Try again in a moment.",
  ],
  [
    'Redis',
    () =>
      connectRedis({ url: `redis://${NAME}:${PASSWORD}@${HOST}`, random: systemRandom, timeoutMs: 1_000 }),
    "The store of jobs can't be reached.",
  ],
  [
    'S3',
    async () => {
      const catalogue = await openSqliteFileCatalogue({ file: join(folder, 'catalogue') });
      const url = `http://${NAME}:${PASSWORD}@${HOST}/bucket`;
      const limits = { openMs: 1_000 };
      return openS3FileStore({ url, catalogue, limits, spool: folder }).finally(() => catalogue.close());
    },
    "The store of files can't be reached.",
  ],
];

describe('an engine that can’t be reached', () => {
  test.each(engines)(
    'is no address in an answer, and no name or password anywhere: %s',
    async (_, ask, told) => {
      const error = await failureOf(ask);
      const { status, body, log } = await answerTo(error);
      expect(error).toMatchObject({ code: 'unavailable' });
      expect(status).toBe(503);
      expect(JSON.parse(body)).toMatchObject({
        status: 'unavailable',
        checks: { log: told, disk: 'has room' },
      });
      expect(body).not.toContain('127.0.0.1');
      expect(log).toContain(HOST);
      for (const secret of [NAME, PASSWORD]) expect(`${body}${log}`).not.toContain(secret);
    },
  );
});

describe('a failure', () => {
  const message = 'lode.db at esdb://10.0.0.7:2113 is broken';

  test.each<[ErrorCode, number]>([
    ['unavailable', 503],
    ['storage_full', 503],
    ['storage_failed', 503],
    ['unknown_outcome', 503],
    ['internal', 500],
  ])('is told to callers in other words than to operators: %s', async (code, expected) => {
    const { status, body, log } = await answerTo(new LodeError(code, message));
    expect(status).toBe(expected);
    expect(body).not.toMatch(/lode\.db|10\.0\.0\.7/);
    const told = { [code === 'internal' ? 'detail' : 'log']: expect.stringMatching(/^[A-Z].+\.$/) };
    expect(JSON.parse(body)).toMatchObject(code === 'internal' ? told : { checks: told });
    expect(log).toContain(message);
  });

  test('is told in the words that were written for callers', async () => {
    const { body, log } = await answerTo(new LodeError('unavailable', message, {}, { told: 'It is away.' }));
    expect(JSON.parse(body)).toMatchObject({ checks: { log: 'It is away.' } });
    expect(log).toContain(message);
  });
});
