import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isLodeError, logStart, positionOf, type RecordedEvent } from '#kernel';
import { openLogReader, openSqliteEventStore, type LogReader } from '#event-store/sqlite';
import { checkLog, everything, startWriting, type Writing } from '#event-store/testing';

const STREAMS = ['ann', 'bob', 'eve'] as const;
/** Of `bob`, at revision 1; the one before it is of `ann` and the one after it of `eve`. */
const DAMAGED = 5;
const ROUNDS = 4;
const PAGE = 100;

let folder: string;
let file: string;
let writing: Writing;
let original: readonly RecordedEvent[];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lode-checksum-'));
  file = join(folder, 'events.sqlite');
  writing = startWriting();
  const store = await openSqliteEventStore({ file });
  for (let round = 0; round < ROUNDS; round++)
    for (const stream of STREAMS) await writing.append(store, stream);
  original = await everything(store);
  await store.close();
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Changes the file beside whoever has it open. */
function change(sql: string): void {
  const db = new DatabaseSync(file);
  db.exec(`PRAGMA foreign_keys = OFF; ${sql}`);
  db.close();
}

function ask(sql: string): unknown {
  const db = new DatabaseSync(file, { readOnly: true });
  const found = Object.values(db.prepare(sql).get() ?? {})[0];
  db.close();
  return found;
}

function reading<T>(look: (reader: LogReader) => T): T {
  const reader = openLogReader(file);
  try {
    return look(reader);
  } finally {
    reader.close();
  }
}

const all = () => reading((reader) => reader.readAll(logStart, PAGE));
const refusal = (position: number) =>
  expect.objectContaining({
    code: 'storage_failed',
    message: expect.stringMatching(
      new RegExp(`^The event at position ${position} .+ can't be read: restore it`),
    ),
    details: expect.objectContaining({ position: String(position) }),
  });

const flipDigit = () =>
  change(`UPDATE events SET body = replace(body, '"amount":"1', '"amount":"9') WHERE position = ${DAMAGED}`);

/** Flips a bit of the amount's first digit in the closed file, and in what pages that were split have left of it. */
function flipOnDisk(): void {
  const bytes = readFileSync(file);
  let flips = 0;
  for (let at = -1; (at = bytes.indexOf('"commandId":"writing bob 1"', at + 1)) !== -1; flips++) {
    const digit = bytes.lastIndexOf('"amount":"', at) + '"amount":"'.length;
    bytes.writeUInt8(bytes.readUInt8(digit) ^ 8, digit);
  }
  expect(flips).toBeGreaterThan(0);
  writeFileSync(file, bytes);
}

describe.each([
  ['by SQL', flipDigit],
  ['on the disk', flipOnDisk],
])('a digit that was flipped %s', (_, flip) => {
  beforeEach(flip);

  test('is refused by each way of reading, by its place', () => {
    reading((reader) => {
      for (const read of [
        () => reader.readAll(logStart, PAGE),
        () => reader.readAll(positionOf(DAMAGED - 1), 1),
        () => reader.readStream('bob', { limit: PAGE }),
        () => reader.readStream('bob', { from: 1, limit: 1 }),
        () => reader.readStream('bob', { direction: 'backwards', limit: PAGE }),
        () => reader.readStreams(STREAMS, PAGE),
        () => reader.readTypes(['Written'], logStart, PAGE),
      ])
        expect(read).toThrow(refusal(DAMAGED));
    });
  });

  test('leaves what stands before it and beside it as it was', () => {
    const of = (stream: string) => original.filter((event) => event.stream === stream);
    reading((reader) => {
      expect(reader.readAll(logStart, DAMAGED - 1)).toEqual(original.slice(0, DAMAGED - 1));
      expect(reader.readAll(positionOf(DAMAGED), PAGE)).toEqual(original.slice(DAMAGED));
      expect(reader.readStream('bob', { limit: 1 })).toEqual(of('bob').slice(0, 1));
      expect(reader.readStream('ann', { limit: PAGE })).toEqual(of('ann'));
      expect(reader.readStreams(['eve', 'ann'], PAGE)).toEqual([of('eve'), of('ann')]);
      expect(reader.readTypes(['Written'], positionOf(DAMAGED), PAGE).events).toEqual(
        original.slice(DAMAGED),
      );
    });
  });

  test('keeps nobody from writing, and is not taken for what is sent again', async () => {
    const again = startWriting();
    const store = await openSqliteEventStore({ file });
    const requests = [again.next('bob')];
    await again.append(store, 'bob');
    requests.push(again.next('bob'));
    // The same two events at the same places: one is as it was written, the other is not.
    await expect(store.append(requests[0]!)).resolves.toMatchObject({ revision: 0, position: '2' });
    await expect(store.append(requests[1]!)).rejects.toMatchObject({ code: 'conflict' });
    await writing.append(store, 'ann');
    expect(await store.head()).toBe(String(original.length + 1));
    await store.close();
  });
});

describe('a row that is another than the one written is refused', () => {
  const swap = (column: string, a: number, b: number) => {
    const of = (position: number) => `(SELECT ${column} FROM kept WHERE position = ${position})`;
    return `CREATE TEMP TABLE kept AS SELECT * FROM events;
      UPDATE events SET ${column} = ${of(b)} WHERE position = ${a};
      UPDATE events SET ${column} = ${of(a)} WHERE position = ${b}`;
  };
  test.each([
    ['two bodies of different streams swapped', swap('body', DAMAGED, DAMAGED + 1), DAMAGED],
    ['two bodies of a stream swapped', swap('body', DAMAGED, DAMAGED + 3), DAMAGED],
    [
      'two rows of a stream swapped whole, checksums and all',
      `UPDATE events SET position = 1000 WHERE position = 5; UPDATE events SET position = 5 WHERE position = 8;
       UPDATE events SET position = 8 WHERE position = 1000`,
      DAMAGED,
    ],
    [
      'two revisions of a stream swapped',
      `UPDATE events SET revision = 1000 WHERE position = 5; UPDATE events SET revision = 1 WHERE position = 8;
       UPDATE events SET revision = 2 WHERE position = 5`,
      DAMAGED,
    ],
    ['another type', "UPDATE events SET type = 'Writtem' WHERE position = 5", DAMAGED],
    ['another stream', 'UPDATE events SET stream = 3, revision = 1000 WHERE position = 5', DAMAGED],
    ['another revision', 'UPDATE events SET revision = 9 WHERE position = 5', DAMAGED],
    ['a stream that there is not', 'UPDATE events SET stream = 11 WHERE position = 5', DAMAGED],
    ['another name of the stream', "UPDATE streams SET name = 'bod' WHERE name = 'bob'", 2],
    ['no stream any more', "DELETE FROM streams WHERE name = 'bob'", 2],
    ['another checksum', 'UPDATE events SET checksum = checksum + 1 WHERE position = 5', DAMAGED],
    ['no JSON', "UPDATE events SET body = '{', checksum = NULL WHERE position = 5", DAMAGED],
  ])('%s', (_, sql, position) => {
    change(sql);
    expect(all).toThrow(refusal(position));
    expect(reading((reader) => reader.readAll(logStart, position - 1))).toEqual(
      original.slice(0, position - 1),
    );
  });

  test('a number beyond what is counted to', () => {
    change(`UPDATE events SET revision = ${2n ** 60n} WHERE position = ${DAMAGED}`);
    const damaged = { code: 'storage_failed', message: `${file} is damaged: restore it from a backup.` };
    expect(all).toThrow(expect.objectContaining(damaged));
  });

  test('an event that is gone', () => {
    change(`DELETE FROM events WHERE position = ${DAMAGED}`);
    const gap = (position: number) =>
      expect.objectContaining({
        code: 'storage_failed',
        message: expect.stringContaining('is missing: restore it from a backup.'),
        details: expect.objectContaining({ position: String(position) }),
      });
    reading((reader) => {
      expect(() => reader.readAll(logStart, PAGE)).toThrow(gap(DAMAGED + 1));
      expect(() => reader.readStream('bob', { limit: PAGE })).toThrow(gap(DAMAGED + 3));
      expect(() => reader.readStream('bob', { from: 1, limit: PAGE })).toThrow(gap(DAMAGED + 3));
      expect(() => reader.readStream('bob', { direction: 'backwards', limit: PAGE })).toThrow(gap(2));
      expect(() => reader.readStreams(STREAMS, PAGE)).toThrow(gap(DAMAGED + 3));
    });
  });
});

/** What is there, or undefined when it is refused by name; any other failure is thrown. */
function readOrRefused(): readonly RecordedEvent[] | undefined {
  try {
    return all();
  } catch (error) {
    if (!isLodeError(error) || error.code !== 'storage_failed') throw error;
    return undefined;
  }
}

describe('whatever byte is changed', () => {
  test('of a stored body, no other event is ever read', () => {
    const reader = openLogReader(file);
    const db = new DatabaseSync(file);
    const update = db.prepare('UPDATE events SET body = CAST(? AS TEXT) WHERE position = ?');
    const bodies = db
      .prepare('SELECT body FROM events ORDER BY position')
      .all()
      .map(({ body }) => Buffer.from(String(body)));
    fc.assert(
      fc.property(
        fc.nat(bodies.length - 1),
        fc.nat(100_000),
        fc.integer({ min: 1, max: 255 }),
        (n, at, bits) => {
          const bytes = Buffer.from(bodies[n]!);
          const place = at % bytes.length;
          bytes.writeUInt8(bytes.readUInt8(place) ^ bits, place);
          update.run(bytes, n + 1);
          expect(() => reader.readAll(logStart, PAGE)).toThrow(refusal(n + 1));
          update.run(bodies[n]!, n + 1);
        },
      ),
      { numRuns: 500 },
    );
    db.close();
    expect(reader.readAll(logStart, PAGE)).toEqual(original);
    reader.close();
  });

  test('of the schema, so that a column has another name, the log is refused', () => {
    const bytes = readFileSync(file);
    const place = bytes.indexOf('type TEXT');
    expect(place).toBeGreaterThan(0);
    bytes.writeUInt8(bytes.readUInt8(place) ^ 97, place);
    writeFileSync(file, bytes);
    expect(all).toThrow(
      expect.objectContaining({
        code: 'storage_failed',
        message: `${file} is damaged: restore it from a backup.`,
      }),
    );
  });

  test('of the file, the history is read as it was, or the beginning of it, or it is refused', () => {
    const bytes = readFileSync(file);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (place, bits) => {
        const changed = Buffer.from(bytes);
        changed.writeUInt8(changed.readUInt8(place) ^ bits, place);
        writeFileSync(file, changed);
        const events = readOrRefused();
        if (events !== undefined) expect(events).toEqual(original.slice(0, events.length));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('a log from before rows had a checksum', () => {
  beforeEach(() => change('ALTER TABLE events DROP COLUMN checksum; PRAGMA user_version = 1'));

  test('is read as it is, and left so', () => {
    const before = readFileSync(file);
    expect(all()).toEqual(original);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test('is upgraded by whoever writes to it, beside whoever reads it', async () => {
    const early = openLogReader(file);
    const store = await openSqliteEventStore({ file });
    await writing.append(store, 'bob');
    const log = await checkLog(store);
    expect(log.slice(0, -1)).toEqual(original);
    expect(early.readAll(logStart, PAGE)).toEqual(log);
    early.close();
    await store.close();
    expect(ask('PRAGMA user_version')).toBe(3);
    expect(ask('SELECT group_concat(position) FROM events WHERE checksum IS NOT NULL')).toBe(
      String(log.length),
    );
    const again = await openSqliteEventStore({ file });
    expect(await everything(again)).toEqual(log);
    await again.close();
  });

  test('has its new rows checked at every read, and its old ones by their chain', async () => {
    const store = await openSqliteEventStore({ file });
    await writing.append(store, 'bob');
    flipDigit();
    await expect(checkLog(store)).rejects.toThrow('bob@1 is not chained to its stream');
    change(`UPDATE events SET body = replace(body, '"amount":"1', '"amount":"9') WHERE position = 13`);
    await expect(everything(store)).rejects.toEqual(refusal(13));
    await store.close();
  });
});
