import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { laneOf, LodeError, type Lanes, type RecordedEvent } from '#kernel';
import { until } from '#kernel/testing';
import { openPersonalData, readParked, walletModels } from '#projections';
import { buildName, type ReadStoreReader } from '#read-store';
import {
  createMemoryReadStore,
  createMemoryReadStoreReader,
  emptyReadModels,
  type MemoryReadModels,
} from '#read-store/memory';
import {
  budgets,
  decryptForTests,
  dump,
  histories,
  isSettled,
  memoryLog,
  noted,
  notes,
  settled,
  started,
  textOf,
  type MemoryLog,
  type NotesDocument,
  type Started,
} from './testing/index.js';

const OF = 4;
const open = openPersonalData(decryptForTests);
const lanes = (own: readonly number[]): Lanes => ({ of: OF, own });
/** Several batches of a few events. */
const small = budgets({ page: 4, events: 4, documents: 100 });
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

type Layout = readonly (readonly number[])[];
const OF_ONE: Layout = [[0, 1, 2, 3]];
const OF_TWO: Layout = [
  [0, 1],
  [2, 3],
];
const OTHERWISE: Layout = [[0], [1, 2], [3]];
/** Once in the batch, once in a part of it, and the rest by itself: as often as any event is tried. */
const DELIVERIES = 5;
const LIVES_MAX = 60;

describe('an event that whoever has its lane dies of', () => {
  const streams = Array.from({ length: 40 }, (_, n) => `account-${n}`);
  const inLane = (lane: number) => streams.find((one) => laneOf(one, OF) === lane) ?? '';

  /** Has the writers of some lanes fold a log until each is dead or at its end, and stops them. Gives of what each died. */
  async function live(log: MemoryLog, kept: MemoryReadModels, shares: Layout) {
    const died: string[] = [];
    const running = shares.map((own) => {
      const life = { isOver: false };
      const model = notesOfStreams((event) => {
        const text = textOf(event) ?? '';
        if (!text.startsWith('poison') || life.isOver) return;
        life.isOver = true;
        died.push(text);
      });
      const store = createMemoryReadStore(kept, lanes(own));
      // Nothing is written by the dead, who don't say that they have ended either.
      const write = async (batches: Parameters<typeof store.write>[0]) => {
        if (life.isOver) throw new LodeError('unavailable', 'This program is dead.');
        await store.write(batches);
      };
      const options = { log, store: { ...store, write }, models: [model], lanes: lanes(own) };
      return { life, ...started({ ...options, limits: { ...small, ...limits } }) };
    });
    const head = await log.head();
    await until(() => running.every((one) => one.life.isOver || isSettled(one, head)));
    await Promise.all(running.map(({ runner }) => runner.stop()));
    return died;
  }

  /** Lives one after another, each with the next of some layouts, until nobody dies any more. */
  async function livesOn(log: MemoryLog, kept: MemoryReadModels, layouts: readonly Layout[]) {
    const died: string[] = [];
    for (let lives = 0; lives < LIVES_MAX; lives++) {
      const now = await live(log, kept, layouts[lives % layouts.length] ?? []);
      if (now.length === 0) break;
      died.push(...now);
    }
    return died;
  }

  /** What is not folded, in the order of the log. */
  async function parkedIn(kept: MemoryReadModels) {
    const parked = await readParked(createMemoryReadStoreReader(kept));
    return parked.map(({ position, state, attempts }) => [position, state, attempts]);
  }

  test.each([
    ['stay with the same writers', [OF_TWO]],
    ['go to others and come back', [OF_TWO, OF_ONE]],
    ['are joined and parted', [OF_ONE, OF_TWO, OTHERWISE]],
    ['are parted and joined', [OTHERWISE, OF_TWO, OF_ONE, OF_TWO]],
  ])(
    'is parked after as many deaths as it has tries where lanes %s, and others go on',
    async (_, layouts) => {
      const log = memoryLog(streams.map((stream, n) => noted(n + 1, stream)));
      const kept = emptyReadModels(OF);
      expect(await live(log, kept, OF_ONE)).toEqual([]);
      const others = streams.filter((stream) => stream !== inLane(3));
      log.add(noted(41, inLane(3), 'poison'), ...others.map((stream, n) => noted(50 + n, stream)));
      log.add(noted(90, inLane(3)));
      expect(await livesOn(log, kept, layouts)).toEqual(Array<string>(DELIVERIES).fill('poison'));
      expect(await parkedIn(kept)).toEqual([
        ['41', 'parked', DELIVERIES],
        ['90', 'waiting', 0],
      ]);
      const found = await createMemoryReadStoreReader(kept).getMany<NotesDocument>('notes', others);
      expect(found.map(({ texts }) => texts.length)).toEqual(others.map(() => 2));
    },
  );

  test('leaves no mark once it is parked, which whoever has its lane from further behind would suspect', async () => {
    const log = memoryLog(streams.map((stream, n) => noted(n + 1, stream)));
    const kept = emptyReadModels(OF);
    const marks = () =>
      [...kept.builds]
        .filter(([name]) => name.startsWith('deliveries@'))
        .flatMap(([, { documents }]) => [...documents.keys()])
        .filter((id) => !id.startsWith('session/'));
    expect(await live(log, kept, OF_ONE)).toEqual([]);
    log.add(noted(41, inLane(3), 'poison'), noted(42, inLane(1)));
    for (let n = 0; n < DELIVERIES; n++) expect(await live(log, kept, OF_ONE)).toEqual(['poison']);
    expect(marks()).not.toEqual([]);
    expect(await live(log, kept, OF_ONE)).toEqual([]);
    expect(marks()).toEqual([]);
  });

  test('is parked also where what is kept says, as before there were lanes, that somebody died of it', async () => {
    const log = memoryLog(streams.map((stream, n) => noted(n + 1, stream)));
    const kept = emptyReadModels(OF);
    expect(await live(log, kept, OF_ONE)).toEqual([]);
    log.add(noted(41, inLane(3), 'poison'));
    // In a batch, in a part of one, and then alone, which is what a mark of one event says.
    const lives = [];
    for (let n = 0; n < 3; n++) lives.push(await live(log, kept, OF_ONE));
    expect(lives).toEqual([['poison'], ['poison'], ['poison']]);
    // Until then it was alone, and its mark was everybody's.
    let former = 0;
    for (const { documents } of kept.builds.values())
      for (const [id, text] of documents) {
        const { lanes: _, ...mark } = JSON.parse(text) as Record<string, unknown>;
        if (!id.endsWith('/3') || mark['events'] !== 1) continue;
        documents.delete(id);
        const base = id.slice(0, -'/3'.length);
        documents.set(base, JSON.stringify({ ...mark, id: base }));
        former += 1;
      }
    expect(former).toBe(1);
    expect(await livesOn(log, kept, [OF_ONE])).toHaveLength(DELIVERIES - lives.length);
    expect(await parkedIn(kept)).toEqual([['41', 'parked', DELIVERIES]]);
  });

  test('is parked also where somebody died of another one in another of these lanes before', async () => {
    const log = memoryLog(streams.map((stream, n) => noted(n + 1, stream)));
    const kept = emptyReadModels(OF);
    expect(await live(log, kept, OF_ONE)).toEqual([]);
    log.add(noted(41, inLane(2)), noted(42, inLane(3), 'poison'));
    expect(await livesOn(log, kept, [OF_TWO])).toHaveLength(DELIVERIES);
    log.add(noted(43, inLane(0), 'poison again'), noted(44, inLane(1)));
    expect(await livesOn(log, kept, [OF_ONE])).toEqual(Array<string>(DELIVERIES).fill('poison again'));
    expect(await parkedIn(kept)).toEqual([
      ['42', 'parked', DELIVERIES],
      ['43', 'parked', DELIVERIES],
    ]);
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
