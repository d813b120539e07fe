import { expect, test } from '@jest/globals';
import { createTracer, positionOf, spanIdOf, systemRandom, traceIdOf, type Span } from '#kernel';
import { traceTelling } from './traces.js';

const idOf = (n: number) => `3f2a4b6c-1111-5222-8333-${String(n).padStart(12, '0')}`;
const changeOf = (collection: string, command: number) => ({
  collection,
  id: 'a',
  position: positionOf(1),
  ownerId: 'ann',
  cause: { commandId: idOf(command), correlationId: idOf(0) },
});

function tellingOf(share: number) {
  const spans: Span[] = [];
  const machine = { clock: () => 0, monotonic: () => 0, random: systemRandom };
  const sampling = { share, key: '' };
  const begin = traceTelling(createTracer({ ...machine, sampling, take: (span) => spans.push(span) }));
  return { begin, spans };
}

test('that pages are told is one span of each command, however many pages there are', () => {
  const { begin, spans } = tellingOf(1);
  const { cause: _, ...withoutCause } = changeOf('files', 3);
  begin?.([changeOf('accounts', 1), changeOf('requests', 1), changeOf('accounts', 2), withoutCause])(1_000);
  expect(spans.map(({ traceId, parentId, attributes }) => [traceId, parentId, attributes])).toEqual(
    [
      [1, 'accounts,requests'],
      [2, 'accounts'],
    ].map(([command, collections]) => [
      traceIdOf(idOf(0)),
      spanIdOf('projection', idOf(Number(command))),
      { 'lode.collections': collections, 'lode.pages': 1_000 },
    ]),
  );
});

test('nothing is recorded of traces that are left out, and nobody begins where nobody traces', () => {
  const { begin, spans } = tellingOf(0);
  begin?.([changeOf('accounts', 1)])(1);
  expect(spans).toEqual([]);
  expect(traceTelling(undefined)).toBeUndefined();
});
