import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { logStart, parsePosition } from '#kernel';
import type { EventStore } from '#event-store';
import { openSqliteEventStore } from '#event-store/sqlite';
import { canMount, mountTmpfs, readWal } from '#event-store/sqlite/testing';
import { checkLog, sealedEvents, startWriting } from '#event-store/testing';

let folder: string;
let file: string;
let store: EventStore;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lode-write-'));
  file = join(folder, 'events.sqlite');
  store = await openSqliteEventStore({ file });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const commits = () => readWal(`${file}-wal`).filter((frame) => frame.isCommit).length;

describe('group commit', () => {
  test('appends that are sent in one turn share one commit', async () => {
    const writing = startWriting();
    await writing.append(store, 'before');
    const before = commits();
    await Promise.all(Array.from({ length: 200 }, (_, n) => writing.append(store, `stream-${n}`)));
    expect(commits() - before).toBe(1);
  });

  test('appends that arrive while a commit runs share the next one', async () => {
    const writing = startWriting();
    await writing.append(store, 'before');
    const before = commits();
    const first = writing.append(store, 'first');
    await new Promise((resolve) => setImmediate(resolve));
    const more = Array.from({ length: 200 }, (_, n) => writing.append(store, `stream-${n}`));
    await Promise.all([first, ...more]);
    expect(commits() - before).toBe(2);
    expect(await checkLog(store)).toHaveLength(202);
  });

  test('a refused append among them takes none of the others with it', async () => {
    const [one, other] = [startWriting('one'), startWriting('other')];
    const before = commits();
    const answers = await Promise.allSettled([
      one.append(store, 'a', 2),
      other.append(store, 'a', 2),
      one.append(store, 'b', 2),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(commits() - before).toBe(1);
    expect((await checkLog(store)).map(({ stream, position }) => `${stream}@${position}`)).toEqual([
      'a@1',
      'a@2',
      'b@3',
      'b@4',
    ]);
  });
});

describe('the write-ahead log', () => {
  test('stays small however large the appends are', async () => {
    const writing = startWriting();
    for (let n = 0; n < 70; n++) await writing.append(store, 'large', 1_000, 350);
    expect(statSync(file).size).toBeGreaterThan(32 * 2 ** 20);
    expect(statSync(`${file}-wal`).size).toBeLessThan(44 * 2 ** 20);
  });
});

describe('a log that another program has locked', () => {
  test('is unavailable, and takes the same append when the lock is gone', async () => {
    const writing = startWriting();
    await writing.append(store, 'a');
    const other = new DatabaseSync(file);
    other.exec('BEGIN IMMEDIATE');
    await expect(writing.append(store, 'a')).rejects.toMatchObject({
      code: 'unavailable',
      message: `${file} is locked by another program.`,
    });
    expect(await store.head()).toBe('1');
    other.exec('ROLLBACK');
    other.close();
    await writing.append(store, 'a');
    expect(await checkLog(store)).toHaveLength(2);
  });
});

describe('reading', () => {
  test('after a position beyond all that the log can count gives nothing', async () => {
    await startWriting().append(store, 'a');
    for (const text of ['2', '9223372036854775807', '9223372036854775808', '99999999999999999999']) {
      expect(await store.readAll(parsePosition(text)!, 10)).toEqual([]);
    }
  });
});

describe('reading some types', () => {
  test('looks through a bounded piece of the log a call, however little it finds', async () => {
    const writing = startWriting();
    for (let n = 0; n < 6; n++) await writing.append(store, 'a', 1_000, 10);
    const first = await store.readTypes(['Rare'], logStart, 10);
    expect(first).toEqual({ events: [], scanned: '5000', passed: 5_000 });
    expect(await store.readTypes(['Rare'], first.scanned, 10)).toEqual({
      events: [],
      scanned: '6000',
      passed: 1_000,
    });
    expect((await store.readTypes(['Written'], first.scanned, 1_000)).events).toHaveLength(1_000);
    for (const beyond of ['6000', '9223372036854775807', '99999999999999999999']) {
      const after = parsePosition(beyond)!;
      expect(await store.readTypes(['Written'], after, 10)).toEqual({
        events: [],
        scanned: after,
        passed: 0,
      });
    }
  });
});

describe('a disk that is full', () => {
  (canMount('a full disk') ? test : test.skip)(
    'refuses with nothing appended, and takes appends again when there is room, without a restart',
    async () => {
      const disk = mountTmpfs('size=8m');
      const there = join(disk.folder, 'events.sqlite');
      const ballast = join(disk.folder, 'ballast');
      writeFileSync(ballast, Buffer.alloc(4 * 2 ** 20));
      const full = await openSqliteEventStore({ file: there });
      const writing = startWriting();
      const refusals: unknown[] = [];
      let taken = 0;
      for (let n = 0; refusals.length < 3 && n < 200; n++) {
        // Sizes that meet the end of the disk in the middle of a page, of a commit, and between two.
        const count = [300, 37, 1][refusals.length] ?? 1;
        await writing.append(full, `stream-${n % 3}`, count, 200).then(
          () => (taken += count),
          (error: unknown) => refusals.push(error),
        );
      }
      const refused = { code: 'storage_full', message: 'The disk is full: nothing was written.' };
      expect(refusals).toEqual([refused, refused, refused].map((one) => expect.objectContaining(one)));
      expect(await checkLog(full)).toHaveLength(taken);
      expect(await full.head()).toBe(String(taken));
      const first = { stream: 'new', expected: 'no-stream', events: sealedEvents('new', 0, 300) } as const;
      await expect(full.append(first)).rejects.toMatchObject(refused);
      expect(await full.kinds()).toEqual({ Written: 1 });

      rmSync(ballast);
      await full.append(first);
      expect(await full.kinds()).toEqual({ ContractExample: 1, Written: 1 });
      taken += 300;
      for (let n = 0; n < 3; n++) await writing.append(full, `stream-${n}`, 100, 200);
      expect(await checkLog(full)).toHaveLength(taken + 300);
      await full.close();
      const again = await openSqliteEventStore({ file: there });
      expect(await checkLog(again)).toHaveLength(taken + 300);
      await again.close();
      disk.unmount();
    },
  );
});
