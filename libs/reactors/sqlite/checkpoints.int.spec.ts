import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { logStart, positionOf } from '#kernel';
import { createSqliteLeases } from '#leases/sqlite';
import type { ParkedEvent } from '#reactors';
import { describeCheckpoints } from '#reactors/contract';
import { createSqliteCheckpoints, readReactors } from '#reactors/sqlite';

let folder: string;
let database: DatabaseSync;
const open = () => new DatabaseSync(join(folder, 'processes.sqlite'));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lode-checkpoints-'));
  database = open();
});
afterEach(() => {
  if (database.isOpen) database.close();
  rmSync(folder, { recursive: true });
});

describeCheckpoints('SQLite', async () => {
  const contract = new DatabaseSync(':memory:');
  const leases = createSqliteLeases(contract, 'ann', () => 0);
  return {
    take: async () => {
      const lease = await leases.acquire('reactors');
      return createSqliteCheckpoints(contract, () => lease && leases.check(lease));
    },
    cleanUp: async () => contract.close(),
  };
});

const parked = (position: number, attempts = 1): ParkedEvent => ({
  position: positionOf(position),
  eventId: `event-${position}`,
  stream: 'account-anna',
  revision: position,
  type: 'TransferConfirmed',
  key: 'anna',
  attempts,
  error: 'Error: no',
  since: '2026-01-01T00:00:00.000Z',
});

test('what was saved is there for the next one, each reactor by itself', async () => {
  const checkpoints = createSqliteCheckpoints(database);
  expect(await checkpoints.load('one')).toEqual({ position: logStart, ordinal: 0, parked: [] });
  const huge = positionOf(18_446_744_073_709_551_615n);
  await checkpoints.save('one', {
    position: positionOf(7),
    ordinal: 7,
    put: [parked(3), parked(5)],
    remove: [],
  });
  await checkpoints.save('one', { position: huge, ordinal: 8, put: [parked(5, 2)], remove: [positionOf(3)] });
  await checkpoints.save('two', { position: positionOf(1), ordinal: 1, put: [], remove: [] });
  database.close();
  database = open();
  const again = createSqliteCheckpoints(database);
  expect(await again.load('one')).toEqual({ position: huge, ordinal: 8, parked: [parked(5, 2)] });
  expect(await again.load('two')).toEqual({ position: '1', ordinal: 1, parked: [] });
});

test('a file that another one holds, or that is closed, is unavailable, and nothing is half saved', async () => {
  const checkpoints = createSqliteCheckpoints(database);
  await checkpoints.save('one', { position: positionOf(1), ordinal: 1, put: [], remove: [] });
  const other = open();
  other.exec('BEGIN IMMEDIATE');
  const save = () =>
    checkpoints.save('one', { position: positionOf(2), ordinal: 2, put: [parked(2)], remove: [] });
  await expect(save()).rejects.toMatchObject({ code: 'unavailable' });
  other.exec('ROLLBACK');
  other.close();
  expect(await checkpoints.load('one')).toEqual({ position: '1', ordinal: 1, parked: [] });
  await save();
  expect(await checkpoints.load('one')).toEqual({ position: '2', ordinal: 2, parked: [parked(2)] });
  database.close();
  await expect(checkpoints.load('one')).rejects.toMatchObject({ code: 'unavailable' });
});

test('what was saved before ordinals were kept counts the embedded log’s events, and goes on with ordinals', async () => {
  database.exec(`
    CREATE TABLE reactor (name TEXT PRIMARY KEY, position TEXT NOT NULL) STRICT;
    CREATE TABLE reactor_parked (
      reactor TEXT NOT NULL, position TEXT NOT NULL, event TEXT NOT NULL, PRIMARY KEY (reactor, position)
    ) STRICT;
    INSERT INTO reactor (name, position) VALUES ('one', '41');
  `);
  const before = { position: positionOf(41), ordinal: 41, parked: [] };
  expect(readReactors(database)).toEqual([{ name: 'one', ...before }]);
  const checkpoints = createSqliteCheckpoints(database);
  expect(await checkpoints.load('one')).toEqual(before);
  await checkpoints.save('one', { position: positionOf(9_000), ordinal: 42, put: [], remove: [] });
  const after = { position: positionOf(9_000), ordinal: 42, parked: [] };
  expect(await createSqliteCheckpoints(database).load('one')).toEqual(after);
  expect(readReactors(database)).toEqual([{ name: 'one', ...after }]);
});

test('an ordinal that a program from before ordinals has left behind counts no more', async () => {
  const checkpoints = createSqliteCheckpoints(database);
  await checkpoints.save('one', { position: positionOf(7), ordinal: 7, put: [], remove: [] });
  database.exec(`
    INSERT INTO reactor (name, position) VALUES ('one', '41')
    ON CONFLICT DO UPDATE SET position = excluded.position
  `);
  const moved = { position: positionOf(41), ordinal: 41, parked: [] };
  expect(await checkpoints.load('one')).toEqual(moved);
  expect(readReactors(database)).toEqual([{ name: 'one', ...moved }]);
  await checkpoints.save('one', { position: positionOf(9_000), ordinal: 42, put: [], remove: [] });
  expect(await checkpoints.load('one')).toEqual({ position: '9000', ordinal: 42, parked: [] });
});

test('an ordinal that was kept without its place is read as none', async () => {
  database.exec(`
    CREATE TABLE reactor (name TEXT PRIMARY KEY, position TEXT NOT NULL, ordinal INTEGER) STRICT;
    CREATE TABLE reactor_parked (
      reactor TEXT NOT NULL, position TEXT NOT NULL, event TEXT NOT NULL, PRIMARY KEY (reactor, position)
    ) STRICT;
    INSERT INTO reactor (name, position, ordinal) VALUES ('one', '41', 7);
  `);
  const before = { position: positionOf(41), ordinal: 41, parked: [] };
  expect(readReactors(database)).toEqual([{ name: 'one', ...before }]);
  expect(await createSqliteCheckpoints(database).load('one')).toEqual(before);
});
