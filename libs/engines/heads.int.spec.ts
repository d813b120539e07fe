import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { MongoClient } from 'mongodb';
import { openEngines, type Engines, type HeadTolerance } from '#engines';
import { startDouble as startEventStore } from '#event-store/eventstoredb/double';
import { startWriting } from '#event-store/testing';
import type { IdentityStore } from '#identity';
import { LodeError } from '#kernel';
import { startDouble } from '#mongodb/double';

/* A log and identities as they were at three moments of one history, put together in every way. */

/** Not the index of a write-ahead log, which is made anew from it: it says that a program may have the folder, and a start waits for that. */
const SUFFIXES = ['', '-wal'];
const FILES = { log: 'events.sqlite', identity: 'identity.sqlite', head: 'head' } as const;
/** Where the log and the identities of a moment end. */
const MOMENTS = ['closed', 'older', 'now'] as const;
/** Anything that came after a head is more than a program that died can have left. */
const STRICT: HeadTolerance = { logMs: -1, changes: 0 };
const EVENTS = 3;

type Part = keyof typeof FILES;
/** Without its write-ahead log a database is as it was when it was closed last. */
type State = 'now' | 'older' | 'without its WAL' | 'removed';

async function register(identity: IdentityStore, userId: string): Promise<void> {
  await identity.reserve({
    userId,
    email: `${userId}@example.org`,
    accountNumber: userId,
    passwordHash: 'hash',
    role: 'user',
    reservedAt: 1,
    owner: '',
    personKey: new Uint8Array(32),
  });
  await identity.activate(userId, 1);
}

let root: string;
const place = (name: string) => join(root, name);

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'lode-heads-'));
  const writing = startWriting();
  let people = 0;
  const goOn = async ({ events, identity, keepHead }: Engines) => {
    await writing.append(events, 'a', EVENTS);
    await register(identity, `person-${(people += 1)}`);
    await keepHead();
  };
  const first = await openEngines({ dataFolder: place('data') }, 'serve');
  await goOn(first);
  await first.close();
  cpSync(place('data'), place('closed'), { recursive: true });
  const second = await openEngines({ dataFolder: place('data') }, 'serve');
  for (const moment of ['older', 'now']) {
    await goOn(second);
    // As a program that is killed leaves it.
    cpSync(place('data'), place(moment), { recursive: true });
  }
  await second.close();
});
afterAll(() => rmSync(root, { recursive: true }));

/** A data folder of these parts, of whichever moment each is. */
function assembled(parts: Readonly<Record<Part, State>>): string {
  const folder = mkdtempSync(join(root, 'one-'));
  for (const [part, name] of Object.entries(FILES)) {
    const state = parts[part === 'log' ? 'log' : part === 'head' ? 'head' : 'identity'];
    if (state === 'removed') continue;
    const from = place(state === 'without its WAL' ? 'now' : state);
    for (const suffix of state === 'without its WAL' ? [''] : SUFFIXES)
      if (existsSync(join(from, name + suffix)))
        cpSync(join(from, name + suffix), join(folder, name + suffix));
  }
  return folder;
}

/** What a start is refused with; undefined when it isn't. */
async function refusal(dataFolder: string, headTolerance?: HeadTolerance): Promise<string | undefined> {
  try {
    const engines = await openEngines({ dataFolder, headTolerance }, 'serve');
    await engines.close();
    return undefined;
  } catch (error) {
    if (error instanceof LodeError && error.code === 'storage_failed') return error.message;
    throw error;
  }
}

async function mismatches(dataFolder: string): Promise<readonly unknown[]> {
  const engines = await openEngines({ dataFolder, headTolerance: STRICT }, 'inspect');
  return engines.mismatches();
}

const STATES: readonly State[] = ['now', 'older', 'without its WAL', 'removed'];
const HEADS: readonly State[] = ['now', 'older', 'removed'];
const every = STATES.flatMap((log) =>
  STATES.flatMap((identity) => HEADS.map((head) => [log, identity, head] as const)),
);

describe('log, identities and head, each as it is, older, without its write-ahead log or removed', () => {
  test.each(every)('log %s, identities %s, head %s', async (log, identity, head) => {
    const folder = assembled({ log, identity, head });
    // One moment of the same history, or nothing at all: no program can tell that from what it is.
    const isOne = log === identity && identity === head;
    const found = await refusal(folder, STRICT);
    if (isOne) expect(found).toBeUndefined();
    else expect(found).toMatch(/\. (?:Put back what belongs together|Restore a backup)/);
    // Whatever is refused stays so, and nothing of it was kept for the next start.
    if (!isOne) expect(await mismatches(folder)).not.toEqual([]);
  });

  test('came to all of them', () => expect(every).toHaveLength(48));
});

describe('a start', () => {
  const now = { log: 'now', identity: 'now', head: 'now' } as const;

  test('goes on after a death, when the head is a moment older than the rest', async () => {
    expect(await refusal(assembled({ ...now, head: 'older' }))).toBeUndefined();
  });

  test('says what is lost of the log, how much, and since when', async () => {
    const found = await refusal(assembled({ ...now, log: 'older' }));
    expect(found).toMatch(
      /ends at position 6, but it went on to 9 at [-0-9T:.]+Z: 3 events since then are lost\./,
    );
    expect(found).toContain('lode accept-stores');
  });

  test('says what is lost of the identities', async () => {
    const found = await refusal(assembled({ ...now, identity: 'older' }));
    expect(found).toMatch(/is as it was 2 changes before [-0-9T:.]+Z: passwords, pins, keys of people/);
  });

  test.each(['log', 'identity'] as const)(
    'names both when %s and head are of another moment',
    async (part) => {
      const found = await refusal(assembled({ ...now, [part]: 'older', head: 'older' }), STRICT);
      expect(found).toMatch(/without \S+head: that is of (?:an )?older copy/);
    },
  );

  test('refuses a head that is damaged, and one that was removed', async () => {
    const damaged = assembled(now);
    const text = readFileSync(join(damaged, 'head'), 'utf8');
    writeFileSync(join(damaged, 'head'), text.replace('"changes"', '"chances"'));
    expect(await refusal(damaged)).toContain('head is damaged');
    expect(await refusal(assembled({ ...now, head: 'removed' }))).toContain('head is missing');
  });

  test('refuses a log that has another event where the head is, and another log', async () => {
    const folder = assembled(now);
    const db = new DatabaseSync(join(folder, 'events.sqlite'));
    db.exec(`UPDATE header SET log_id = 'another'`);
    db.close();
    expect(await refusal(folder)).toMatch(/has the id another, not [0-9a-f-]{36}/);
    const other = assembled({ log: 'removed', identity: 'removed', head: 'removed' });
    const engines = await openEngines({ dataFolder: other }, 'serve');
    const writing = startWriting('another history');
    await writing.append(engines.events, 'a', EVENTS * MOMENTS.length);
    const { logId } = await engines.events.ensureHeader();
    await engines.close();
    const put = assembled({ ...now, log: 'removed' });
    cpSync(join(other, 'events.sqlite'), join(put, 'events.sqlite'));
    const written = new DatabaseSync(join(put, 'events.sqlite'));
    const kept = /"logId":"([^"]+)"/.exec(readFileSync(join(put, 'head'), 'utf8'))?.[1] ?? '';
    expect(kept).not.toBe(logId);
    written.prepare('UPDATE header SET log_id = ?').run(kept);
    written.close();
    expect(await refusal(put)).toContain('has another event at position 9 than it had');
  });

  test('takes a folder from before heads were kept, and keeps one from then on', async () => {
    const folder = assembled({ ...now, head: 'removed' });
    const db = new DatabaseSync(join(folder, 'identity.sqlite'));
    // As the schema of today is made of an earlier one.
    db.exec('UPDATE change_count SET count = 0, has_head = 0');
    db.close();
    expect(await refusal(folder)).toBeUndefined();
    rmSync(join(folder, 'head'));
    expect(await refusal(folder)).toContain('head is missing');
  });

  test('keeps a head each time that something changed, and no other', async () => {
    const folder = assembled(now);
    const engines = await openEngines({ dataFolder: folder }, 'serve');
    const head = () => readFileSync(join(folder, 'head'), 'utf8');
    const before = head();
    await engines.keepHead();
    expect(head()).toBe(before);
    await engines.identity.putPin('person-1', 'hash');
    await engines.keepHead();
    const after = head();
    expect(after).not.toBe(before);
    await engines.close();
    expect(head()).toBe(after);
  });
});

describe('with identities on MongoDB (double)', () => {
  test('one head is there, which tells what the log and the identities have lost', async () => {
    const server = await startDouble({ replicaSet: 'rs0' });
    try {
      const dataFolder = mkdtempSync(join(root, 'mongo-'));
      const settings = { dataFolder, mongodbUrl: server.url };
      const writing = startWriting();
      const engines = await openEngines(settings, 'serve');
      await writing.append(engines.events, 'a', EVENTS);
      await register(engines.identity, 'person-1');
      await engines.keepHead();
      cpSync(dataFolder, place('mongo-older'), { recursive: true });
      await writing.append(engines.events, 'a', EVENTS);
      await engines.keepHead();
      await engines.close();
      const report = async (folder: string) =>
        (await openEngines({ ...settings, dataFolder: folder }, 'inspect')).headReport();
      expect(await report(dataFolder)).toMatchObject({ wrong: [] });
      const older = { ...settings, dataFolder: place('mongo-older') };
      await expect(openEngines(older, 'serve')).rejects.toThrow(
        /went on to 6 at .+: 3 events since then are lost/,
      );
      const client = new MongoClient(server.url, { retryWrites: false });
      const formats = client
        .db('lode')
        .collection<{ readonly _id: string; readonly count: number }>('identity.format');
      await formats.updateOne({ _id: 'changes' }, { $set: { count: 1 } });
      await client.close();
      await expect(openEngines(settings, 'serve')).rejects.toThrow(
        /in MongoDB is as it was \d+ changes? before/,
      );
    } finally {
      await server.stop();
    }
  });

  test('and the log on EventStoreDB (double): one that was emptied is told', async () => {
    const mongo = await startDouble({ replicaSet: 'rs0' });
    const dataFolder = mkdtempSync(join(root, 'servers-'));
    const [before, emptied] = [await startEventStore(), await startEventStore()];
    try {
      const settings = { dataFolder, mongodbUrl: mongo.url, eventStoreUrl: before.url };
      const engines = await openEngines(settings, 'serve');
      await startWriting().append(engines.events, 'a', EVENTS);
      await engines.keepHead();
      await engines.close();
      const again = await openEngines(settings, 'serve');
      await again.close();
      await expect(openEngines({ ...settings, eventStoreUrl: emptied.url }, 'serve')).rejects.toThrow(
        /ends at position 0, but it went on to \d+ at .+: the events since then are lost/,
      );
    } finally {
      for (const server of [mongo, before, emptied]) await server.stop();
    }
  });
});
