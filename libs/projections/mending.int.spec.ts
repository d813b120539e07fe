import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { MongoClient } from 'mongodb';
import { LodeError } from '#kernel';
import { until } from '#kernel/testing';
import { startDouble } from '#mongodb/double';
import { damageIn, type ReadStore } from '#read-store';
import { openMongoReadStore } from '#read-store/mongodb';
import { openSqliteReadStore } from '#read-store/sqlite';
import { lookAtDocuments } from '#scrub';
import { readModel, type StreamModel } from './read-model.js';
import {
  dump,
  memoryLog,
  noted,
  settled,
  started,
  type MemoryLog,
  type NotesDocument,
} from './testing/index.js';

type Noted = { readonly type: 'Noted'; readonly data: { readonly text: string } };

/** What was noted: in each stream, or over all of them. */
function notesIn(name: string, idOf: (stream: string) => string, traits: Partial<StreamModel>): StreamModel {
  const model = readModel<Noted, NotesDocument>({
    name,
    version: 1,
    indexes: [],
    on: {
      Noted: ({ data, position, stream }) => {
        const id = idOf(stream);
        const change = (before: NotesDocument | undefined) => ({
          id,
          position,
          texts: [...(before?.texts ?? []), data.text],
        });
        return [{ id, change }];
      },
    },
    ownerOf: () => null,
  });
  return { ...model, ...traits };
}

const own = notesIn('own', (stream) => stream, { streamOf: (id) => id });
const other = notesIn('other', (stream) => `of ${stream}`, {});
const shared = notesIn('shared', () => 'all', { isShared: true });
const models = [own, other, shared];

const history = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => noted(from + n + 1, `s${(from + n) % 3}`, `text ${from + n}`));

/** An engine, and what changes what it stores beside it. */
type Engine = {
  readonly open: () => Promise<ReadStore>;
  readonly spoil: (name: string, id: string) => Promise<void>;
  readonly end: () => Promise<void>;
};

async function sqlite(): Promise<Engine> {
  const folder = mkdtempSync(join(tmpdir(), 'lode-mending-'));
  const file = join(folder, 'read-models.sqlite');
  return {
    open: async () => openSqliteReadStore({ file }),
    spoil: async (name, id) => {
      const db = new DatabaseSync(file);
      const spoil = db.prepare(
        `UPDATE "${name}" SET document = replace(document, 'text', 'lies') WHERE id = ?`,
      );
      expect(spoil.run(id).changes).toBe(1);
      db.close();
    },
    end: async () => rmSync(folder, { recursive: true }),
  };
}

async function mongodb(): Promise<Engine> {
  const server = await startDouble();
  return {
    open: () => openMongoReadStore({ url: server.url, database: 'lode' }),
    spoil: async (name, id) => {
      const client = await MongoClient.connect(server.url);
      const documents = client.db('lode').collection<{ _id: string; pos: string }>(`read-models.${name}`);
      // Later than any event, so that what is written again has to pass it.
      const { matchedCount } = await documents.updateOne({ _id: id }, { $set: { pos: '~' } });
      expect(matchedCount).toBe(1);
      await client.close();
    },
    end: () => server.stop(),
  };
}

/** The documents that come of a log where nothing is ever damaged. */
async function clean(log: MemoryLog): Promise<readonly string[]> {
  const store = openSqliteReadStore({ file: ':memory:' });
  const running = started({ log: memoryLog(log.events), store, models });
  await settled(running, String(log.events.length));
  await running.runner.stop();
  const documents = await dump(store, models);
  await store.close();
  return documents;
}

describe.each([
  ['SQLite', sqlite],
  ['MongoDB (double)', mongodb],
])('damaged documents on %s', (_, begin) => {
  let engine: Engine;
  let store: ReadStore;
  let log: MemoryLog;
  beforeEach(async () => {
    engine = await begin();
    store = await engine.open();
    log = memoryLog(history(0, 9));
    const running = started({ log, store, models });
    await settled(running, '9');
    await running.runner.stop();
  });
  afterEach(async () => {
    await store.close();
    await engine.end();
  });

  const buildOf = async (name: string) => {
    const state = (await store.builds()).find(({ build }) => build.collection === name);
    if (state === undefined) throw new Error(`${name} has a build`);
    return `${name}@${state.build.version}.${state.build.number}`;
  };
  const mended = ({ reports }: ReturnType<typeof started>) =>
    reports.flatMap((report) => (report.type === 'damaged' ? [[report.model, report.mended]] : []));

  test.each([
    ['own', 's1', 'made again'],
    ['other', 'of s1', 'built anew'],
    ['shared', 'all', 'built anew'],
  ])('of the model %s are not folded on, and are %3$s', async (name, id, how) => {
    await engine.spoil(await buildOf(name), id);
    log.add(...history(9, 15));
    const running = started({ log, store, models });
    await settled(running, '15');
    await running.runner.stop();
    expect(mended(running)).toEqual([[name, how]]);
    expect(await dump(store, models)).toEqual(await clean(log));
    expect(running.runner.health().models.map(({ damaged, parked }) => [damaged, parked])).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
    ]);
  });

  test.each([
    ['own', 's1'],
    ['other', 'of s1'],
    ['shared', 'all'],
  ])(
    'that a query of the model %s meets are mended, and the others are served meanwhile',
    async (name, id) => {
      const running = started({ log, store, models });
      await settled(running, '9');
      await engine.spoil(await buildOf(name), id);
      const refused: unknown = await store.get(name, id).catch((error: unknown) => error);
      const damage = damageIn(refused);
      expect(damage?.ids).toEqual([id]);
      if (damage === undefined) return;
      await Promise.all([running.runner.mend(damage), running.runner.mend(damage)]);
      await until(async () => (await store.get(name, id).catch(() => undefined)) !== undefined);
      await settled(running, '9');
      expect(mended(running)).toHaveLength(1);
      await running.runner.stop();
      expect(await dump(store, models)).toEqual(await clean(log));
      // Live pages hear of it: of the document that was made again, or that another build is read.
      expect(running.reports).toContainEqual(
        name === 'own'
          ? { type: 'advanced', position: '9', changes: [expect.objectContaining({ collection: name, id })] }
          : expect.objectContaining({ type: 'activated', collection: name }),
      );
    },
  );

  test.each([
    ['own', 's1'],
    ['other', 'of s1'],
    ['shared', 'all'],
  ])('of the model %s that nobody asks for are found by a look at all, and mended', async (name, id) => {
    await engine.spoil(await buildOf(name), id);
    const running = started({ log, store, models });
    await settled(running, '9');
    const looked = await lookAtDocuments(store, name)(undefined);
    expect(looked.found).toHaveLength(1);
    for (const { damage } of looked.found) if (damage !== undefined) await running.runner.mend(damage);
    await until(async () => (await lookAtDocuments(store, name)(undefined)).found.length === 0);
    await settled(running, '9');
    await running.runner.stop();
    expect(mended(running)).toHaveLength(1);
    expect(await dump(store, models)).toEqual(await clean(log));
  });

  test('are held while the log can not be read for them, and go on when it can', async () => {
    let isDamaged = true;
    const readStream: NonNullable<typeof log.readStream> = async (stream, read) => {
      if (isDamaged) throw new LodeError('storage_failed', 'A bad event.', { stream });
      return (await log.readStream?.(stream, read)) ?? [];
    };
    await engine.spoil(await buildOf('own'), 's1');
    log.add(...history(9, 15));
    const running = started({ log: { ...log, readStream }, store, models });
    await settled(running, '15');
    expect(running.runner.health().models[0]).toMatchObject({ name: 'own', damaged: 1, parked: 2 });
    const refused: unknown = await store.get('own', 's1').catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'storage_failed' });
    expect((await store.get('own', 's2'))?.position).toBe('15');
    isDamaged = false;
    const damage = damageIn(refused);
    if (damage !== undefined) await running.runner.mend(damage);
    expect(running.runner.health().models[0]).toMatchObject({ damaged: 0, parked: 0 });
    await running.runner.stop();
    expect(await dump(store, models)).toEqual(await clean(log));
    expect(mended(running)).toEqual([
      ['own', 'held'],
      ['own', 'made again'],
    ]);
  });
});
