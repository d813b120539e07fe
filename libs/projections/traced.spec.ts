import { expect, test } from '@jest/globals';
import {
  createTracer,
  logStart,
  positionOf,
  spanIdOf,
  systemRandom,
  type RecordedEvent,
  type Span,
} from '#kernel';
import { beginTraced } from './traced.js';

const idOf = (n: number) => `3f2a4b6c-1111-5222-8333-${String(n).padStart(12, '0')}`;

function eventOf(n: number, command: number, type = 'Done'): RecordedEvent {
  const meta = { commandId: idOf(command), correlationId: idOf(0) };
  return { type, position: positionOf(n), meta } as RecordedEvent;
}

const changeAt = (n: number) => ({
  collection: 'accounts',
  id: 'a',
  position: n === 0 ? logStart : positionOf(n),
  ownerId: null,
});

function batchOf(events: readonly RecordedEvent[], share = 1) {
  const spans: Span[] = [];
  const machine = { clock: () => 0, monotonic: () => 0, random: systemRandom };
  const batch = beginTraced(
    createTracer({ ...machine, sampling: { share, key: '' }, take: (span) => spans.push(span) }),
  );
  if (batch === undefined) throw new Error('somebody traces');
  batch.add(events);
  batch.record();
  return { batch, spans };
}

test('a batch has one span a command, a consequence of its append, and its changes say what they came from', () => {
  const { batch, spans } = batchOf([eventOf(1, 7, 'Asked'), eventOf(2, 7), eventOf(3, 8)]);
  expect(
    spans.map(({ spanId, parentId, attributes }) => [spanId, parentId, ...Object.values(attributes)]),
  ).toEqual([
    [spanIdOf('projection', idOf(7)), spanIdOf('append', idOf(7)), 'Asked,Done'],
    [spanIdOf('projection', idOf(8)), spanIdOf('append', idOf(8)), 'Done'],
  ]);
  expect(batch.withCauses([changeAt(2), changeAt(9)])).toEqual([
    { ...changeAt(2), cause: { commandId: idOf(7), correlationId: idOf(0) } },
    changeAt(9),
  ]);
});

test('of a batch nothing is kept of traces that are left out', () => {
  const { batch, spans } = batchOf([eventOf(1, 7)], 0);
  expect(spans).toEqual([]);
  expect(batch.withCauses([changeAt(1)])).toEqual([changeAt(1)]);
});

test('a batch of more than a thousand events is not traced, and none is where nobody traces', () => {
  const many = Array.from({ length: 1_001 }, (_, n) => eventOf(n + 1, n));
  expect(batchOf(many.slice(1)).spans).toHaveLength(1_000);
  const { batch, spans } = batchOf(many);
  expect(spans).toEqual([]);
  expect(batch.withCauses([changeAt(2)])).toEqual([changeAt(2)]);
  expect(beginTraced(undefined)).toBeUndefined();
});
