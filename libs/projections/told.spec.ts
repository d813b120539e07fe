import { expect, test } from '@jest/globals';
import { comparePositions, logStart } from '#kernel';
import { createChangesElsewhere, openPersonalData, walletModels, type DocumentChange } from '#projections';
import { openSqliteReadStore } from '#read-store/sqlite';
import fc from 'fast-check';
import { decryptForTests, histories, memoryLog, noted, notes, settled, started } from './testing/index.js';

const memory = () => openSqliteReadStore({ file: ':memory:' });

test('what another program changed is what its runner tells of, at each place that it stands at', async () => {
  await fc.assert(
    fc.asyncProperty(histories, fc.integer({ min: 3, max: 20 }), async ({ events }, piece) => {
      const [store, log] = [memory(), memoryLog()];
      const models = walletModels;
      const running = started({ log, store, models, open: openPersonalData(decryptForTests) });
      await settled(running, logStart);
      const elsewhere = createChangesElsewhere({
        log,
        reader: store,
        models,
        open: openPersonalData(() => 'forgotten'),
      });
      let after = logStart;
      for (let from = 0; from < events.length; from += piece) {
        const before = running.reports.length;
        log.add(...events.slice(from, from + piece));
        running.runner.wake();
        const head = await log.head();
        await settled(running, head);
        // A document that changed in several writes is told of in each; whoever looks afterwards sees the last.
        const told = new Map(
          running.reports
            .slice(before)
            .flatMap((report) => (report.type === 'advanced' ? report.changes : []))
            .map((change) => [`${change.collection}/${change.id}`, change]),
        );
        const seen = (await elsewhere.between(after, head)) ?? [];
        const key = ({ collection, id }: DocumentChange) => `${collection}/${id}`;
        const known = new Map(seen.map((change) => [key(change), change]));
        const shown = (change: DocumentChange | undefined) =>
          // One that is gone has the place of the write that removed it.
          change?.ownerId === null ? { ...change, position: undefined } : change;
        expect([...told.keys()].map((name) => shown(known.get(name)))).toEqual([...told.values()].map(shown));
        // Of a document that isn't there it can't be known whether it ever was: admins are told of it.
        const others = seen.filter((change) => !told.has(key(change)));
        expect(others.filter(({ ownerId }) => ownerId !== null)).toEqual([]);
        after = head;
      }
      await running.runner.stop();
    }),
    { numRuns: 10, endOnFailure: true },
  );
});

test('a document that was removed is for admins alone, and an event that changes nothing tells of none', async () => {
  const [store, log] = [memory(), memoryLog([noted(1, 'a'), noted(2, 'b')])];
  const model = notes(({ data }) => {
    if (data.text === 'poison') throw new TypeError('cannot read poison');
  });
  const running = started({ log, store, models: [model] });
  await settled(running, '2');
  log.add(noted(3, 'a', 'poison'));
  running.runner.wake();
  await settled(running, '3');
  await running.runner.stop();
  const given = { log, models: [model], open: openPersonalData(() => 'forgotten') };
  const { between } = createChangesElsewhere({ ...given, reader: store });
  const [, second] = (await log.readAll(logStart, 2)).map(({ position }) => position);
  expect(await between(second ?? logStart, await log.head())).toEqual([]);
  const gone = createChangesElsewhere({ ...given, reader: { getMany: async () => [] } });
  const changes = await gone.between(logStart, second ?? logStart);
  expect(changes?.map(({ id, ownerId }) => [id, ownerId])).toEqual([
    ['a', null],
    ['all', null],
    ['b', null],
  ]);
  expect(changes?.every(({ position }) => comparePositions(position, second ?? logStart) <= 0)).toBe(true);
});

test('too many events at once tell of no single document', async () => {
  const log = memoryLog(Array.from({ length: 1_001 }, (_, n) => noted(n + 1, 'a')));
  const open = openPersonalData(() => 'forgotten');
  const { between } = createChangesElsewhere({ log, reader: memory(), models: [notes()], open });
  expect(await between(logStart, await log.head())).toBeUndefined();
});
