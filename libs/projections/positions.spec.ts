import { describe, expect, test } from '@jest/globals';
import { logStart } from '#kernel';
import { until } from '#kernel/testing';
import { describeDiverged, divergedBuilds } from '#projections';
import { openSqliteReadStore } from '#read-store/sqlite';
import { atByteOffsets, budgets, dump, memoryLog, noted, notes, settled, started } from './testing/index.js';

const memory = () => openSqliteReadStore({ file: ':memory:' });
const EVENTS = 300;
const log = atByteOffsets(Array.from({ length: EVENTS }, (_, n) => noted(n + 1, `s${n % 7}`)));
const head = log.at(-1)?.position ?? logStart;
const small = { page: 7, events: 20, documents: 100 };

describe('on a log whose positions are not counted in ones', () => {
  test('builds keep how many events they have taken, whatever the batches', async () => {
    const store = memory();
    const running = started({ log: memoryLog(log), store, models: [notes()], limits: budgets(small) });
    await settled(running, head);
    expect(running.runner.health().models).toMatchObject([
      { ordinal: EVENTS, eventsBehind: 0, position: head },
    ]);
    await running.runner.stop();
    expect(await store.checkpoint('notes')).toEqual({ position: head, ordinal: EVENTS });
    const again = started({ log: memoryLog(log), store, models: [notes()] });
    await settled(again, head);
    expect(again.runner.health().models).toMatchObject([{ ordinal: EVENTS }]);
    await again.runner.stop();
  });

  test('events that are given twice are counted once', async () => {
    const plain = memoryLog(log);
    const twice = {
      ...plain,
      readAll: async (...asked: Parameters<typeof plain.readAll>) =>
        (await plain.readAll(...asked)).flatMap((event) => [event, event]),
    };
    const store = memory();
    const running = started({ log: twice, store, models: [notes()] });
    await settled(running, head);
    await running.runner.stop();
    expect(await store.checkpoint('notes')).toEqual({ position: head, ordinal: EVENTS });
  });

  test('a model that stands still says how many events wait for it', async () => {
    const limits = { ...budgets(small), parked: 1, tries: 1 };
    const broken = notes(({ position }) => {
      if (position === log[100]?.position) throw new Error('broken');
    });
    const sound = { ...notes(), name: 'others' };
    const running = started({ log: memoryLog(log), store: memory(), models: [broken, sound], limits });
    const { health, stop } = running.runner;
    await until(() => health().models[1]?.ordinal === EVENTS);
    const [stands] = health().models;
    expect(stands?.parked).toBeGreaterThan(0);
    expect(stands?.ordinal).toBeGreaterThan(100);
    expect(stands?.ordinal).toBeLessThan(EVENTS);
    expect(stands?.eventsBehind).toBe(EVENTS - (stands?.ordinal ?? 0));
    await stop();
  });

  test('a rebuild beside a live model gives the same documents and the same place', async () => {
    const store = memory();
    const running = started({ log: memoryLog(log), store, models: [notes()], limits: budgets(small) });
    await settled(running, head);
    const before = await dump(store, [notes()]);
    await running.runner.rebuild('notes');
    await until(() => running.reports.filter(({ type }) => type === 'activated').length === 2);
    await settled(running, head);
    await running.runner.stop();
    expect(await dump(store, [notes()])).toEqual(before);
    expect(await store.checkpoint('notes')).toEqual({ position: head, ordinal: EVENTS });
  });

  test('a log that has lost its end, or went another way, is told', async () => {
    const store = memory();
    const running = started({ log: memoryLog(log), store, models: [notes()] });
    await settled(running, head);
    await running.runner.stop();
    const found = async (events: typeof log) => {
      const [diverged] = await divergedBuilds(memoryLog(events), store, [notes()]);
      return diverged?.why;
    };
    expect(await found(log)).toBeUndefined();
    expect(await found(log.slice(0, -1))).toBe('beyond the end');
    expect(await found(log.map((event) => ({ ...event, meta: { ...event.meta, chain: 'f' } })))).toBe(
      'another history',
    );
    const said = describeDiverged(await divergedBuilds(memoryLog([]), store, [notes()]));
    expect(said).toContain(`has seen position ${Number(head).toLocaleString('en')}, but the log ends at 0`);
  });
});
