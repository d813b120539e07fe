import { describe, expect, test } from '@jest/globals';
import type { LogHeader } from '#event-store';
import { logStart, type RecordedEvent } from '#kernel';
import { until } from '#kernel/testing';
import { describeDiverged, dropDiverged, parkedEvents, divergedBuilds } from '#projections';
import { openSqliteReadStore } from '#read-store/sqlite';
import { at, documentsOf, memoryLog, noted, notes, settled, started } from './testing/index.js';

const memory = () => openSqliteReadStore({ file: ':memory:' });
const models = [notes()];
const many = (count: number) => Array.from({ length: count }, (_, n) => noted(n + 1, `s${n % 7}`));
/** The same event in another history. */
const other = (event: RecordedEvent): RecordedEvent => ({
  ...event,
  meta: { ...event.meta, chain: 'f'.repeat(64) },
});

/** A store whose read models stand at the end of a log. */
async function folded(events: readonly RecordedEvent[], header?: LogHeader) {
  const store = memory();
  const first = started({ log: memoryLog(events, header), store, models });
  await settled(first, events.at(-1)?.position ?? logStart);
  await first.runner.stop();
  return store;
}

describe('a store that has seen more than the log has', () => {
  test.each<[string, readonly RecordedEvent[], string]>([
    [
      'whose end is lost',
      many(1_623),
      'The read model notes has seen position 2,000, but the log ends at 1,623: the end of the log is lost.',
    ],
    [
      'that is empty',
      [],
      'The read model notes has seen position 2,000, but the log ends at 0: the end of the log is lost.',
    ],
    [
      'as long, whose last event is another',
      [...many(1_999), other(noted(2_000, 's5'))],
      'The read model notes was made from another log: this one has another event at position 2,000.',
    ],
    [
      'longer, of another history',
      many(2_010).map(other),
      'The read model notes was made from another log: this one has another event at position 2,000.',
    ],
    [
      'that has no event at that position',
      [...many(1_999), noted(2_001, 's5')],
      'The read model notes was made from another log: this one has another event at position 2,000.',
    ],
  ])('is refused beside a log %s, and says so', async (_, events, sentence) => {
    const store = await folded(many(2_000));
    const { runner, reports } = started({ log: memoryLog(events), store, models });
    await until(() => (runner.health().failing?.attempts ?? 0) > 1);
    expect(runner.health().failing).toMatchObject({
      code: 'storage_failed',
      message: expect.stringContaining(sentence) as unknown,
    });
    expect(new Set(reports.map(({ type }) => type))).toEqual(new Set(['failing']));
    expect(await runner.waitFor(at(1), 0)).toBe(false);
    await runner.stop();
    expect(describeDiverged(await divergedBuilds(memoryLog(events), store, models))).toBe(sentence);
  });

  test('is refused beside a log with the same events and another id, and taken by one that had none', async () => {
    const headerOf = (logId: string) => ({ logId, partitions: 1 });
    const events = many(20);
    const store = await folded(events, headerOf('one'));
    expect(await divergedBuilds(memoryLog(events, headerOf('one')), store, models)).toEqual([]);
    const others = await divergedBuilds(memoryLog(events.slice(0, 10), headerOf('other')), store, models);
    expect(describeDiverged(others)).toBe(
      'The read model notes was made from another log: this one has another id.',
    );
    const older = await folded(events);
    expect(await divergedBuilds(memoryLog(events, headerOf('one')), older, models)).toEqual([]);
  });

  test('is not gone on with when the log has grown past it with other events', async () => {
    const store = await folded(many(20));
    const log = memoryLog(many(10));
    const { runner } = started({ log, store, models });
    await until(() => runner.health().failing !== undefined);
    log.add(...many(30).slice(10).map(other));
    runner.wake();
    const attempts = runner.health().failing?.attempts ?? 0;
    await until(() => (runner.health().failing?.attempts ?? 0) > attempts + 1);
    expect(await store.checkpoint('notes')).toEqual({ position: at(20), ordinal: 20 });
    await runner.stop();
  });

  test('is built from the log that is left once what has diverged is dropped', async () => {
    const store = await folded(many(20));
    const log = memoryLog(many(10));
    await dropDiverged(store, await divergedBuilds(log, store, models));
    await expect(store.get('notes', 'all')).rejects.toMatchObject({ code: 'unavailable' });
    const again = started({ log, store, models });
    await settled(again, at(10));
    expect(await documentsOf(store, 'notes')).toEqual(await documentsOf(await folded(many(10)), 'notes'));
    await again.runner.stop();
    expect(await divergedBuilds(log, store, models)).toEqual([]);
  });

  test('is refused for a build under way too, and what was parked of that goes with it', async () => {
    const store = await folded(many(10));
    const fails = notes(({ position }) => {
      if (position === '15') throw new Error('this one fails');
    }, 2);
    const second = started({ log: memoryLog(many(20)), store, models: [fails] });
    await until(() => second.reports.some(({ type }) => type === 'activated'));
    await second.runner.stop();
    // As if the swap had not come to pass.
    const [build] = (await store.builds()).flatMap((one) =>
      one.build.version === 2 && one.state === 'active' ? [one.build] : [],
    );
    if (build === undefined) throw new Error('the second version was built');
    const begun = await store.begin({ name: 'notes', version: 2, indexes: [] }, { bulk: false });
    await store.write([{ build: begun, checkpoint: { position: at(20), ordinal: 20 }, put: [], remove: [] }]);
    await store.retire(build);
    const log = memoryLog(many(10));
    const diverged = await divergedBuilds(log, store, [fails]);
    expect(diverged.map(({ build: { number }, state }) => [number, state])).toEqual([
      [begun.number, 'building'],
    ]);
    await dropDiverged(store, diverged);
    expect((await store.builds()).some(({ build: { number } }) => number === begun.number)).toBe(false);
    const again = started({ log, store, models: [fails] });
    await settled(again, at(10));
    await until(async () => (await documentsOf(store, parkedEvents.name)).length === 0);
    await again.runner.stop();
  });
});
