import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { LodeError, logStart, positionOf, uuidV5, type Position } from '#kernel';
import type { EventStore } from '#event-store';
import { contextOf, damaged, withFaults } from '#commands/testing';
import { createMemoryEventStore } from '#event-store/memory';
import { checkLog } from '#event-store/testing';
import { until } from '#kernel/testing';
import { createWorld, echo, type Life, type World } from './testing/index.js';

const ADDED = [
  ['in-a', 3],
  ['in-b', 5],
  ['in-a', 7],
  ['in-c', 11],
  ['in-a', 13],
] as const;
const EXPECTED = { 'out-a': 23, 'out-b': 5, 'out-c': 11, sum: 39 };

let keys = 0;
const add = (world: World, stream: string, amount: number, note?: string) =>
  world.tally.execute(
    stream,
    { do: 'add', amount, ...(note === undefined ? {} : { note }) },
    contextOf(`key-${(keys += 1)}`),
  );

async function prepared(): Promise<World> {
  const world = createWorld();
  for (const [stream, amount] of ADDED) await add(world, stream, amount);
  return world;
}

/** What the reactor's streams hold, counted from the log. */
async function effects(world: World): Promise<Readonly<Record<string, number>>> {
  const sums: Record<string, number> = {};
  for (const { stream, data } of await checkLog(world.store)) {
    if (!stream.startsWith('in-')) sums[stream] = (sums[stream] ?? 0) + Number(data['amount']);
  }
  return sums;
}

const isCurrent = async (world: World, { runner }: Life) =>
  runner.health().state === 'current' && runner.health().position === (await world.store.head());

async function settled(world: World, life: Life): Promise<void> {
  life.runner.wake();
  await until(() => isCurrent(world, life));
}

describe('a reactor', () => {
  test('issues the commands of what is there, and of what comes when it is woken', async () => {
    const world = await prepared();
    const life = world.live();
    await settled(world, life);
    expect(await effects(world)).toEqual(EXPECTED);
    await add(world, 'in-b', 100);
    await settled(world, life);
    expect(await effects(world)).toEqual({ ...EXPECTED, 'out-b': 105, sum: 139 });
    expect(life.runner.health()).toEqual({
      name: 'echo',
      position: await world.store.head(),
      state: 'current',
      secondsBehind: 0,
      parked: [],
      owed: 0,
    });
    await life.runner.stop();
  });

  test('finds what nobody rang for', async () => {
    const world = createWorld();
    const life = world.live();
    await settled(world, life);
    await add(world, 'in-a', 1);
    await until(async () => (await effects(world))['sum'] === 1);
    await life.runner.stop();
  });

  test('says of each command what caused it, and gives it an id of its own', async () => {
    const world = createWorld();
    const { events } = await add(world, 'in-a', 3);
    const [cause] = events;
    const life = world.live();
    await settled(world, life);
    await life.runner.stop();
    const [effect] = await world.store.readStream('out-a', { limit: 1 });
    expect(effect?.meta).toMatchObject({
      actor: { kind: 'system', id: 'echo', role: 'system' },
      commandId: uuidV5(cause!.id, 'echo/echo'),
      correlationId: cause!.meta.correlationId,
      causationId: cause!.id,
    });
  });
});

test('a reactor does nothing while the clock is not accepted, and all of it once it is', async () => {
  const world = await prepared();
  await add(world, 'in-d', 10, 'take');
  const inDoubt = new LodeError('unavailable', 'the clock is in doubt');
  let held: LodeError | undefined = inDoubt;
  let looks = 0;
  const hold = () => {
    looks += 1;
    return held;
  };
  const looksAround = async () => {
    const enough = looks + 3;
    await until(() => looks >= enough);
  };
  const life = world.live({ hold });
  await looksAround();
  expect([await effects(world), world.checkpoints.saves]).toEqual([{}, 0]);
  held = undefined;
  await until(async () => (await world.checkpoints.load('echo')).parked.length === 1);
  await settled(world, life);
  expect(await effects(world)).toEqual(EXPECTED);

  // What is new waits, and so does what is to be tried again.
  held = inDoubt;
  await looksAround();
  await add(world, 'in-b', 100);
  await add(world, 'bank-d', 25);
  life.runner.retryParked();
  life.runner.wake();
  await looksAround();
  expect(await effects(world)).toEqual({ ...EXPECTED, 'bank-d': 25 });
  held = undefined;
  await until(() => life.runner.health().owed === 0);
  await settled(world, life);
  await life.runner.stop();
  expect(await effects(world)).toEqual({ ...EXPECTED, 'bank-d': 15, 'out-b': 105, sum: 139 });
});

describe('how far a reactor has got', () => {
  /** The store as one that numbers its events by bytes. */
  function atByteOffsets(store: EventStore, bytes: bigint): EventStore {
    const offset = (position: Position) => positionOf(BigInt(position) * bytes);
    return {
      ...store,
      readTypes: async (types, after, limit) => {
        const read = await store.readTypes(types, positionOf(BigInt(after) / bytes), limit);
        const events = read.events.map((event) => ({ ...event, position: offset(event.position) }));
        return { ...read, events, scanned: offset(read.scanned) };
      },
      head: async () => offset(await store.head()),
    };
  }

  test.each([1, 2, 500])('is counted in events and not in positions, %d a page', async (page) => {
    const world = createWorld(atByteOffsets(createMemoryEventStore(), 137n));
    for (const [stream, amount] of ADDED) await add(world, stream, amount);
    const life = world.live({ limits: { page } });
    await settled(world, life);
    await life.runner.stop();
    const heir = world.live({ limits: { page } });
    await add(world, 'in-b', 100);
    await settled(world, heir);
    await heir.runner.stop();
    const events = (await checkLog(world.store)).length;
    const position = positionOf(BigInt(events) * 137n);
    expect(await world.checkpoints.load('echo')).toMatchObject({ position, ordinal: events });
  });
});

describe('a reactor that dies', () => {
  test('between any two steps has done everything once when the next one has run', async () => {
    let deaths = 0;
    for (let stepsToLive = 0; ; stepsToLive++) {
      const world = await prepared();
      const mortal = world.live({ stepsToLive, limits: { page: 2, concurrency: 2 } });
      await until(async () => mortal.isDead() || (await isCurrent(world, mortal)));
      if (!mortal.isDead()) {
        await mortal.end();
        break;
      }
      deaths += 1;
      const heir = world.live();
      await settled(world, heir);
      expect({ stepsToLive, effects: await effects(world) }).toEqual({ stepsToLive, effects: EXPECTED });
      await heir.runner.stop();
    }
    // Each of the ten commands, and what was read and saved in between, was the last thing that one of them did.
    expect(deaths).toBeGreaterThan(30);
  });

  test('again and again, forgetting where it was, gets there, however it is woken', async () => {
    const lives = fc.array(
      fc.record({ stepsToLive: fc.nat({ max: 40 }), forgets: fc.constantFrom('no', 'all', 'some') }),
      { maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(lives, async (drawn) => {
        const world = await prepared();
        for (const { stepsToLive, forgets } of drawn) {
          const life = world.live({ stepsToLive, limits: { page: 3 } });
          await until(async () => life.isDead() || (await isCurrent(world, life)));
          await life.end();
          if (forgets === 'all') world.checkpoints.lose();
          if (forgets === 'some') world.checkpoints.back(positionOf(2));
        }
        const last = world.live();
        await settled(world, last);
        await last.runner.stop();
        expect(await effects(world)).toEqual(EXPECTED);
      }),
      { numRuns: 50 },
    );
  });

  test('and lives on in a second one does everything once all the same', async () => {
    const world = await prepared();
    const lives = [world.live(), world.live(), world.live({ limits: { page: 1 } })];
    await Promise.all(lives.map((life) => settled(world, life)));
    expect(await effects(world)).toEqual(EXPECTED);
    await Promise.all(lives.map(({ runner }) => runner.stop()));
  });

  test('before a log that is shorter than what it remembers begins anew', async () => {
    const world = await prepared();
    await world.checkpoints.save('echo', {
      position: positionOf(1_000),
      ordinal: 1_000,
      put: [],
      remove: [],
    });
    const life = world.live();
    await settled(world, life);
    await life.runner.stop();
    expect(await effects(world)).toEqual(EXPECTED);
  });
});

describe('an event whose command fails', () => {
  const orderOf = async (world: World, stream: string) =>
    (await world.store.readStream(stream, { limit: 100 })).map(({ data }) => data['amount']);

  test('is tried again, holds back those of its key and nobody else, and is shown', async () => {
    const world = createWorld();
    const { events } = await add(world, 'in-a', 10, 'take');
    await add(world, 'in-a', 3);
    await add(world, 'in-b', 5);
    const life = world.live({ limits: { tries: 3 } });
    await until(() => life.reports.some(({ type }) => type === 'parked'));
    expect(await effects(world)).toEqual({ 'out-b': 5, sum: 5 });
    expect(life.runner.health()).toMatchObject({
      owed: 2,
      parked: [
        {
          stream: 'in-a',
          revision: 0,
          type: 'Added',
          key: 'in-a',
          error: expect.stringContaining('not enough'),
        },
      ],
    });
    await add(world, 'in-a', 4);
    await settled(world, life);
    expect(life.runner.health().owed).toBe(3);

    await add(world, 'bank-a', 25);
    life.runner.retryParked();
    await until(() => life.runner.health().owed === 0);
    await life.runner.stop();
    expect(await effects(world)).toEqual({ 'bank-a': 15, 'out-a': 7, 'out-b': 5, sum: 12 });
    expect(await orderOf(world, 'out-a')).toEqual([3, 4]);
    const correlationId = events[0]?.meta.correlationId;
    expect(correlationId).toEqual(expect.any(String));
    expect(life.reports).toMatchObject([
      { type: 'parked', correlationId },
      { type: 'released', correlationId },
    ]);
  });

  test('and then succeeds is let go of in what is saved, also when the save right after it failed', async () => {
    const world = createWorld();
    await add(world, 'in-a', 10, 'take');
    const life = world.live();
    await until(async () => (await world.checkpoints.load('echo')).parked.length === 1);
    const { save } = world.checkpoints;
    let failures = 0;
    world.checkpoints.save = async (name, progress) => {
      if (progress.remove.length > 0 && (failures += 1) === 1)
        throw new LodeError('unavailable', 'The file is busy.');
      await save.call(world.checkpoints, name, progress);
    };
    await add(world, 'bank-a', 25);
    await until(() => failures > 0);
    await until(async () => (await world.checkpoints.load('echo')).parked.length === 0);
    await life.runner.stop();
    expect(await effects(world)).toEqual({ 'bank-a': 15 });
  });

  test('because one stream is damaged holds back nobody else', async () => {
    const world = createWorld(damaged(createMemoryEventStore(), 'out-a'));
    await add(world, 'in-a', 3);
    await add(world, 'in-b', 5);
    const life = world.live({ limits: { tries: 3 } });
    await until(() => life.reports.length > 2 || life.runner.health().parked.length > 0);
    expect(life.runner.health().parked).toMatchObject([
      { stream: 'in-a', error: expect.stringContaining('read') },
    ]);
    await life.runner.stop();
    expect(await effects(world)).toEqual({ 'out-b': 5, sum: 5 });
  });

  test('outlives the process, dying at any step of being tried again', async () => {
    for (let stepsToLive = 0; ; stepsToLive++) {
      const world = createWorld();
      await add(world, 'in-a', 10, 'take');
      await add(world, 'in-a', 3);
      const first = world.live();
      await until(() => first.runner.health().owed === 2);
      await first.runner.stop();
      await add(world, 'bank-a', 10);
      const mortal = world.live({ stepsToLive });
      await until(async () => mortal.isDead() || (await isCurrent(world, mortal)));
      const wasLast = !mortal.isDead();
      await mortal.end();
      const heir = world.live();
      await settled(world, heir);
      await until(() => heir.runner.health().owed === 0);
      await heir.runner.stop();
      expect(await effects(world)).toEqual({ 'bank-a': 0, 'out-a': 3, sum: 3 });
      expect(await world.checkpoints.load('echo')).toMatchObject({ parked: [] });
      if (wasLast) break;
    }
  });

  test('and is not in the log any more, which another has taken the place of, is let go', async () => {
    const world = await prepared();
    await world.checkpoints.save('echo', {
      position: logStart,
      ordinal: 0,
      put: [
        {
          position: positionOf(1),
          eventId: 'of another log',
          stream: 'in-a',
          revision: 0,
          type: 'Added',
          key: 'in-a',
          attempts: 9,
          error: 'x',
          since: '2026-01-01T00:00:00.000Z',
        },
      ],
      remove: [],
    });
    const life = world.live();
    await settled(world, life);
    await until(() => life.runner.health().owed === 0);
    await life.runner.stop();
    expect(await effects(world)).toEqual(EXPECTED);
  });

  test('because of the reactor itself is parked as well', async () => {
    const world = await prepared();
    const broken = {
      ...echo,
      on: (event: Parameters<typeof echo.on>[0]) => {
        if (event.stream === 'in-b') throw new TypeError('a bug');
        return echo.on(event);
      },
    };
    const life = world.live({ reactor: broken });
    await until(() => life.runner.health().parked.length === 1);
    expect(life.runner.health().parked[0]).toMatchObject({ stream: 'in-b', error: 'TypeError: a bug' });
    await life.runner.stop();
    expect(await effects(world)).toEqual({ 'out-a': 23, 'out-c': 11, sum: 34 });
  });

  test('with too many like it stops the reactor, until enough of them succeed', async () => {
    const world = createWorld();
    for (const x of ['a', 'b', 'c']) await add(world, `in-${x}`, 10, 'take');
    await add(world, 'in-d', 1);
    const life = world.live({ limits: { parked: 2, page: 1 } });
    await until(() => life.runner.health().state === 'halted');
    expect(life.runner.health().owed).toBe(2);
    for (const x of ['a', 'b', 'c']) await add(world, `bank-${x}`, 10);
    await settled(world, life);
    await life.runner.stop();
    expect(await effects(world)).toEqual({ 'bank-a': 0, 'bank-b': 0, 'bank-c': 0, 'out-d': 1, sum: 1 });
  });
});

describe('an engine that fails', () => {
  test('is tried again without an event being blamed, and said', async () => {
    const faulty = withFaults(createMemoryEventStore());
    const world = createWorld(faulty.store);
    for (const [stream, amount] of ADDED) await add(world, stream, amount);
    faulty.plan('unavailable', 'lost-answer', 'storage_full', 'late', 'unavailable');
    const life = world.live();
    await settled(world, life);
    await life.runner.stop();
    expect(await effects(world)).toEqual(EXPECTED);
    const types = life.reports.map(({ type }) => type);
    expect(types.at(-1)).toBe('recovered');
    expect(types).not.toContain('parked');
    expect(life.reports[0]).toMatchObject({ type: 'failing', reactor: 'echo', attempts: 1 });
  });

  test('is shown for as long as it fails', async () => {
    const world = await prepared();
    let fails = true;
    const refuse = { ...echo, name: 'refused' };
    const life = createWorld({
      ...world.store,
      readTypes: (types, after, limit) =>
        fails ? Promise.reject(new Error('no log')) : world.store.readTypes(types, after, limit),
    }).live({ reactor: refuse });
    await until(() => (life.runner.health().failing?.attempts ?? 0) > 2);
    expect(life.runner.health()).toMatchObject({
      state: 'behind',
      failing: { code: 'internal', message: 'no log' },
    });
    fails = false;
    await settled(world, life);
    expect(life.runner.health().failing).toBeUndefined();
    await life.runner.stop();
  });
});
