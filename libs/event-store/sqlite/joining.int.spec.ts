import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeEventStore } from '#event-store/contract';
import { joinSqliteEventStore, openSqliteEventStore, type SqliteEventStore } from '#event-store/sqlite';
import { checkLog, startWriting } from '#event-store/testing';
import type { EventStore } from '#event-store';

const newFolder = () => mkdtempSync(join(tmpdir(), 'lode-join-'));

describeEventStore('SQLite, joined', async () => {
  const folder = newFolder();
  const file = join(folder, 'events.sqlite');
  let owner: SqliteEventStore;
  const open = async () => {
    owner = await openSqliteEventStore({ file });
    return joinSqliteEventStore({ file, port: owner.connect() });
  };
  return {
    open,
    reopen: async (store) => {
      await store.close();
      await owner.close();
      return open();
    },
    partitions: 1,
    cleanUp: async () => {
      await owner.close();
      rmSync(folder, { recursive: true });
    },
  };
});

describe('a log that several threads write to', () => {
  let folder: string;
  let owner: SqliteEventStore;
  let joined: EventStore;
  beforeEach(async () => {
    folder = newFolder();
    const file = join(folder, 'events.sqlite');
    owner = await openSqliteEventStore({ file });
    joined = joinSqliteEventStore({ file, port: owner.connect() });
  });
  afterEach(async () => {
    await joined.close();
    await owner.close();
    rmSync(folder, { recursive: true });
  });

  test('has one order and one end of each stream', async () => {
    const [here, there] = [startWriting('here'), startWriting('there')];
    const answers = await Promise.allSettled(
      Array.from({ length: 50 }, (_, n) => [
        here.append(owner, `s-${n}`),
        there.append(joined, `s-${n}`),
      ]).flat(),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(50);
    expect(await checkLog(owner)).toEqual(await checkLog(joined));
    expect(await checkLog(joined)).toHaveLength(50);
  });

  test('calls every listener when one of them has written', async () => {
    for (const [writes, hears] of [
      [joined, owner],
      [owner, joined],
    ] as const) {
      const rung = new Promise<void>((resolve) => hears.onAppended(resolve));
      await startWriting(String(writes === owner)).append(writes, `by ${writes === owner}`);
      await rung;
    }
    expect(await checkLog(owner)).toHaveLength(2);
  });

  test('takes no append of a thread that outlives the one that opened it', async () => {
    await owner.close();
    // Whichever came first: that the writer has ended, or what was sent to it and nobody answers any more.
    await expect(startWriting().append(joined, 'a')).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:storage_failed|unknown_outcome)$/),
    });
  });
});
