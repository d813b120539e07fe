import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { laneOf, type Lanes, type RecordedEvent } from '#kernel';
import { until } from '#kernel/testing';
import { openPersonalData, walletModels } from '#projections';
import { buildName, type ReadStoreReader } from '#read-store';
import {
  createMemoryReadStore,
  createMemoryReadStoreReader,
  emptyReadModels,
  type MemoryReadModels,
} from '#read-store/memory';
import {
  decryptForTests,
  dump,
  histories,
  memoryLog,
  noted,
  notes,
  settled,
  started,
  textOf,
  type MemoryLog,
  type Started,
} from './testing/index.js';

const OF = 4;
const open = openPersonalData(decryptForTests);
const lanes = (own: readonly number[]): Lanes => ({ of: OF, own });
/** Quick to see what the others do. */
const limits = { followMs: 0 };

/** Folds a log at the writers of some lanes. */
function writers(log: MemoryLog, models: MemoryReadModels, given = walletModels, opened = open) {
  return (...shares: readonly (readonly number[])[]): readonly Started[] =>
    shares.map((own) =>
      started({
        log,
        store: createMemoryReadStore(models, lanes(own)),
        models: given,
        open: opened,
        lanes: lanes(own),
        limits,
      }),
    );
}

async function clean(events: readonly RecordedEvent[]): Promise<readonly string[]> {
  const models = emptyReadModels();
  const log = memoryLog(events);
  const running = started({ log, store: createMemoryReadStore(models), models: walletModels, open });
  await settled(running, await log.head());
  await running.runner.stop();
  return dump(createMemoryReadStoreReader(models), walletModels);
}

async function statesOf(reader: ReadStoreReader, name: string) {
  return (await reader.builds()).filter(({ build }) => build.collection === name).map(({ state }) => state);
}

const layout = fc.constantFrom<readonly (readonly number[])[]>(
  [[0, 1, 2, 3]],
  [[0], [1, 2, 3]],
  [
    [0, 1],
    [2, 3],
  ],
  [[0], [1], [2], [3]],
  [
    [2, 3],
    [0, 1],
  ],
);

describe('lanes', () => {
  test('folded by as many writers as one likes come to what one makes of the log, also when they change hands', async () => {
    await fc.assert(
      fc.asyncProperty(
        histories,
        fc.array(
          fc.record({ layout, share: fc.nat({ max: 100 }), isKilled: fc.boolean(), rebuilds: fc.boolean() }),
          {
            minLength: 1,
            maxLength: 4,
          },
        ),
        layout,
        async ({ events }, steps, last) => {
          const log = memoryLog();
          const kept = emptyReadModels(OF);
          const begin = writers(log, kept);
          const over: Started[] = [];
          for (const { layout: now, share, isKilled, rebuilds } of steps) {
            log.add(...events.slice(log.events.length, Math.ceil((events.length * share) / 100)));
            const running = begin(...now);
            if (!isKilled) {
              const head = await log.head();
              await Promise.all(running.map((one) => settled(one, head)));
              // Whoever is asked begins it, and all of them fold it.
              if (rebuilds) await running.at(-1)?.runner.rebuild('accounts');
            }
            over.push(...running);
          }
          log.add(...events.slice(log.events.length));
          const running = begin(...last);
          const head = await log.head();
          await Promise.all(running.map((one) => settled(one, head)));
          const reader = createMemoryReadStoreReader(kept);
          await until(async () => (await reader.builds()).every(({ state }) => state === 'active'));
          expect(await dump(reader, walletModels)).toEqual(await clean(events));
          await Promise.all([...over, ...running].map(({ runner }) => runner.stop()));
        },
      ),
      { numRuns: 40, endOnFailure: true },
    );
  });

  test('are swapped in together, once the one furthest behind has arrived', async () => {
    const streams = Array.from({ length: 40 }, (_, n) => `account-${n}`);
    const log = memoryLog(streams.map((stream, n) => noted(n + 1, stream)));
    const kept = emptyReadModels(OF);
    const reader = createMemoryReadStoreReader(kept);
    const own = (model = notesOfStreams()) => writers(log, kept, [model], (event) => event);
    const [first] = own()([0, 1]);
    await until(async () => (await reader.builds()).some(({ lanes: at }) => at?.[0]?.ordinal === 40));
    expect(await statesOf(reader, 'notes')).toEqual(['building']);
    expect(await reader.builds()).toContainEqual(expect.objectContaining({ state: 'building' }));
    const [second] = own()([2, 3]);
    await until(async () => (await statesOf(reader, 'notes')).includes('active'));
    const found = await reader.list('notes', { index: 'id', equals: {}, direction: 'ascending', limit: 100 });
    expect(found).toHaveLength(streams.length);
    await second?.runner.rebuild('notes');
    await until(async () => {
      const states = (await reader.builds()).filter(({ build }) => build.collection === 'notes');
      return (
        states.length === 1 && states[0]?.state === 'active' && buildName(states[0].build) === 'notes@1.5'
      );
    });
    await first?.runner.stop();
    await second?.runner.stop();
  });

  test('park an event of theirs, and only they replay it', async () => {
    const bad =
      Array.from({ length: 40 }, (_, n) => `account-${n}`).find((stream) => laneOf(stream, OF) === 3) ?? '';
    const good =
      Array.from({ length: 40 }, (_, n) => `account-${n}`).find((stream) => laneOf(stream, OF) === 0) ?? '';
    const log = memoryLog([noted(1, bad, 'bad'), noted(2, good), noted(3, bad)]);
    const kept = emptyReadModels(OF);
    const trouble = { is: true };
    const model = notesOfStreams((event) => {
      if (trouble.is && textOf(event) === 'bad') throw new Error('no');
    });
    const [low, high] = writers(log, kept, [model], (event) => event)([0, 1], [2, 3]);
    if (low === undefined || high === undefined) throw new Error('two were begun');
    const head = await log.head();
    await Promise.all([settled(low, head), settled(high, head)]);
    const reader = createMemoryReadStoreReader(kept);
    await until(async () => (await statesOf(reader, 'notes')).includes('active'));
    const parked = ({ runner }: Started) => runner.health().models[0]?.parked;
    expect([parked(low), parked(high)]).toEqual([0, 2]);
    expect(await high.runner.parkedStreams('notes')).toEqual([bad]);
    trouble.is = false;
    expect(await high.runner.replayParked('notes', bad)).toEqual({ replayed: 2, left: 0 });
    expect((await reader.getMany('notes', [good, bad])).map(({ texts }) => texts)).toEqual([
      ['2'],
      ['bad', '3'],
    ]);
    await Promise.all([low.runner.stop(), high.runner.stop()]);
  });

  test('are put together at the place of the one furthest behind, also where documents of the others are gone by then', async () => {
    const streams = Array.from({ length: 40 }, (_, n) => `account-${n}`);
    const [low = '', high = ''] = [0, 3].map((lane) => streams.find((one) => laneOf(one, OF) === lane));
    const log = memoryLog([noted(1, low, 'first'), noted(2, high, 'first')]);
    const kept = emptyReadModels(OF);
    const begin = writers(log, kept, [notesThatEnd()], (event) => event);
    const reader = createMemoryReadStoreReader(kept);
    const halves = begin([0, 1], [2, 3]);
    await Promise.all(halves.map((one) => settled(one, '2')));
    await until(async () => (await statesOf(reader, 'notes')).includes('active'));
    const built = await reader.builds();
    await halves[0]?.runner.stop();
    log.add(noted(3, high, 'more'), noted(4, high, 'last'), noted(5, low, 'more'));
    if (halves[1] !== undefined) await settled(halves[1], '5');
    expect(await reader.getMany('notes', [high])).toEqual([]);
    const [all] = begin([0, 1, 2, 3]);
    if (all === undefined) throw new Error('one was begun');
    await settled(all, '5');
    expect(all.reports.filter(({ type }) => type === 'unsure' || type === 'parked')).toEqual([]);
    expect((await reader.builds()).map(({ build }) => build)).toEqual(built.map(({ build }) => build));
    expect((await reader.getMany('notes', [low, high])).map(({ texts }) => texts)).toEqual([
      ['first', 'more'],
    ]);
    await Promise.all([...halves, all].map(({ runner }) => runner.stop()));
  });
});

/** One document a stream, without the one that all share. */
function notesOfStreams(trouble?: Parameters<typeof notes>[0]) {
  const model = notes(trouble);
  return {
    ...model,
    on: (event: Parameters<typeof model.on>[0]) => model.on(event).filter(({ id }) => id !== 'all'),
  };
}

/** As `notesOfStreams`; the text `last` removes the document, and only `first` can be noted where there is none. */
function notesThatEnd() {
  const model = notesOfStreams();
  return {
    ...model,
    on: (event: Parameters<typeof model.on>[0]) =>
      model.on(event).map(({ id, change }) => ({
        id,
        change: (document: Parameters<typeof change>[0]) => {
          if (document === undefined && textOf(event) !== 'first')
            throw new Error('a document that is there');
          return textOf(event) === 'last' ? undefined : change(document);
        },
      })),
  };
}
