import { expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describeClockMarks } from '#clock/contract';
import { createSqliteClockMarks, createSqliteClockRequests, readClockMark } from '#clock/sqlite';

describeClockMarks('SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lode-clock-'));
  const opened: DatabaseSync[] = [];
  return {
    open: async () => {
      const database = new DatabaseSync(join(folder, 'clock.sqlite'), { timeout: 1_000 });
      opened.push(database);
      return createSqliteClockMarks(database);
    },
    cleanUp: async () => {
      for (const database of opened) database.close();
      rmSync(folder, { recursive: true });
    },
  };
});

test('a mark is read where there may be none', async () => {
  const database = new DatabaseSync(':memory:');
  expect(readClockMark(database)).toBeUndefined();
  const marks = createSqliteClockMarks(database);
  expect(readClockMark(database)).toBeUndefined();
  await marks.save({ accepted: 2, instant: 5 });
  expect(readClockMark(database)).toEqual({ accepted: 2, instant: 5 });
});

test('a request waits until it is answered, and the last one counts', () => {
  const requests = createSqliteClockRequests(new DatabaseSync(':memory:'));
  expect(requests.pending()).toBeUndefined();
  requests.ask({ id: 'one', reason: undefined });
  requests.ask({ id: 'two', reason: 'a wrong year' });
  expect(requests.pending()).toEqual({ id: 'two', reason: 'a wrong year' });
  requests.answer('one', '{}');
  expect([requests.answerOf('one'), requests.answerOf('two')]).toEqual([undefined, undefined]);
  requests.answer('two', '{"ok":true}');
  expect([requests.pending(), requests.answerOf('two')]).toEqual([undefined, '{"ok":true}']);
});
