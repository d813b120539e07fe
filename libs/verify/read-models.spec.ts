import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { at, memoryLog, noted, notes, settled, started, type NotesDocument } from '#projections/testing';
import type { Document, ReadStore } from '#read-store';
import { openSqliteReadStore } from '#read-store/sqlite';
import { compareReadModels, type ReadModelsSnapshot } from '#verify';

const EVENTS = 30;
/** What the checkpoint says, while the documents have got further. */
const CHECKPOINT = 20;
const model = notes();
/** Streams that nothing happens in after the checkpoint, and streams in which something does. */
const events = Array.from({ length: EVENTS }, (_, n) => noted(n + 1, `${n < 15 ? 'old' : 'new'}${n % 3}`));

describe('read models that are written while they are compared', () => {
  let store: ReadStore;
  let scratch: ReadStore;
  beforeEach(async () => {
    [store, scratch] = [openSqliteReadStore({ file: ':memory:' }), openSqliteReadStore({ file: ':memory:' })];
    const folding = started({ log: memoryLog(events), store, models: [model] });
    await settled(folding, at(EVENTS));
    await folding.runner.stop();
  });
  afterEach(async () => {
    await store.close();
    await scratch.close();
  });

  /** The documents as of the end of the log beside a checkpoint before it; `seen` is what is read of each. */
  function live(seen: (document: NotesDocument) => Document | undefined): ReadModelsSnapshot {
    const asSeen = (document: Document | undefined): Document | undefined =>
      document?.id === 'all' || /^(?:old|new)/.test(document?.id ?? '')
        ? seen({ id: '', position: at(0), texts: [], ...document })
        : document;
    const read: Pick<ReadModelsSnapshot, 'get' | 'getMany' | 'list'> = store;
    return {
      get: async (collection, id) => asSeen(await read.get(collection, id)) as never,
      getMany: read.getMany,
      list: async (collection, query) =>
        (await read.list(collection, query)).flatMap((one) => asSeen(one) ?? []) as never,
      builds: async () =>
        (await store.builds()).map((state) =>
          state.build.collection === 'notes'
            ? { ...state, checkpoint: { position: at(CHECKPOINT), ordinal: CHECKPOINT } }
            : state,
        ),
      goesOn: true,
    };
  }

  const compared = async (snapshot: ReadModelsSnapshot, log = memoryLog(events)) => {
    const open = (event: (typeof events)[number]) => event;
    const [report] = await compareReadModels({ log, live: snapshot, scratch, models: [model], open });
    return report;
  };

  test('are equal when each is what the log gives at its own position', async () => {
    expect(await compared(live((document) => document))).toEqual({
      model: 'notes',
      state: 'equal',
      position: at(CHECKPOINT),
      documents: 7,
    });
  });

  test.each<[string, (document: NotesDocument) => Document | undefined, string]>([
    [
      'was changed after the checkpoint and is something else',
      (document) => (document.id === 'new1' ? { ...document, texts: ['1'] } : document),
      'document new1 is not what the log gives in: texts',
    ],
    [
      'says that it was changed where it was not',
      (document) => (document.id === 'new1' ? { ...document, position: at(25) } : document),
      'document new1 is not what the log gives in: position, texts',
    ],
    [
      'says that it was changed after the end of the log',
      (document) => (document.id === 'new1' ? { ...document, position: at(EVENTS + 1) } : document),
      'document new1 is not what the log gives in: position, texts',
    ],
    [
      'is none of the log’s',
      (document) => (document.id === 'new1' ? { ...document, id: 'new1a' } : document),
      'document new1a is not what the log gives: there should be none',
    ],
  ])('are different when one %s', async (_, seen, what) => {
    expect(await compared(live(seen))).toMatchObject({ state: 'different', what });
  });

  test('are different when one is gone that nothing has changed since', async () => {
    const gone = live((document) => (document.id === 'old1' ? undefined : document));
    expect(await compared(gone)).toMatchObject({ state: 'different', what: 'document old1 is missing' });
  });

  test('that don’t go on are different as soon as one is', async () => {
    const { goesOn: _, ...still } = live((document) => document);
    expect(await compared(still)).toMatchObject({ state: 'different' });
  });
});

describe('many documents that were changed while they were compared', () => {
  /** More streams than one look at a time could take, each with one event after the checkpoint. */
  const MANY = 1_500;
  const many = [noted(1, 'old'), ...Array.from({ length: MANY }, (_, n) => noted(n + 2, `new${n}`))];
  let store: ReadStore;
  let scratch: ReadStore;
  beforeEach(async () => {
    [store, scratch] = [openSqliteReadStore({ file: ':memory:' }), openSqliteReadStore({ file: ':memory:' })];
    const folding = started({ log: memoryLog(many), store, models: [model] });
    await settled(folding, at(MANY + 1));
    await folding.runner.stop();
  });
  afterEach(async () => {
    await store.close();
    await scratch.close();
  });

  /** Compares with a checkpoint behind the first event; also tells how many events were read of the log. */
  const compared = async (seen: (document: Document) => Document, laterMax?: number) => {
    const log = memoryLog(many);
    const read: Pick<ReadModelsSnapshot, 'get' | 'getMany' | 'list'> = store;
    let events = 0;
    const [report] = await compareReadModels({
      log: {
        ...log,
        readAll: async (after, limit) => {
          const page = await log.readAll(after, limit);
          events += page.length;
          return page;
        },
      },
      live: {
        get: read.get,
        getMany: read.getMany,
        list: async (collection, query) => (await read.list(collection, query)).map(seen) as never,
        builds: async () =>
          (await store.builds()).map((state) => ({ ...state, checkpoint: { position: at(1), ordinal: 1 } })),
        goesOn: true,
      },
      scratch,
      models: [model],
      open: (event) => event,
      ...(laterMax === undefined ? {} : { laterMax }),
    });
    return { report, events };
  };

  test('are each compared, and the log is read once for the checkpoint and once for all of them', async () => {
    const { report, events } = await compared((document) => document);
    expect(report).toMatchObject({ state: 'equal', documents: MANY + 2 });
    expect(report).not.toHaveProperty('what');
    // And the last event of each of two builds, which says whose log it is.
    expect(events).toBeLessThanOrEqual(2 * many.length + 2);
  });

  test('are different when the last of them is', async () => {
    const { report } = await compared((one) => (one.id === 'new999' ? { ...one, texts: ['x'] } : one));
    expect(report).toMatchObject({
      state: 'different',
      what: 'document new999 is not what the log gives in: texts',
    });
  });

  test('say how many of them were not looked at', async () => {
    const { report } = await compared((document) => document, 100);
    expect(report).toMatchObject({
      state: 'equal',
      what: `${MANY + 1 - 100} documents that were changed meanwhile were not looked at`,
    });
  });
});
