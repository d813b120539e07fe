import { expect, test } from '@jest/globals';
import type { Append, Appended } from '#event-store';
import { LodeError, positionOf, spanIdOf, traceIdOf, type SealedEvent, type Span } from '#kernel';
import { traceAppends } from './traced.js';

const [ONE, TWO] = ['3f2a4b6c-1111-5222-8333-444455556666', '3f2a4b6c-1111-5222-8333-444455557777'];
const OTHER = 'd'.repeat(16);
const appended: Appended = { revision: 0, position: positionOf(1) };

function appendOf(...commandIds: readonly string[]): Append {
  const events = commandIds.map(
    (commandId) => ({ meta: { commandId, correlationId: ONE } }) as unknown as SealedEvent,
  );
  return { stream: 'account-1', expected: 'no-stream', events, texts: [] };
}

function traced(append: (append: Append) => Promise<Appended>, isTaken = true) {
  const spans: Span[] = [];
  const tracer = {
    now: () => 0,
    traceOf: (correlationId: string) => (isTaken ? traceIdOf(correlationId) : undefined),
    newTrace: () => undefined,
    newSpanId: () => OTHER,
    record: (span: Span) => spans.push(span),
  };
  const log = { append, appendMany: (all: readonly Append[]) => Promise.allSettled(all.map(append)) };
  return { log: traceAppends(log, tracer), spans };
}

test('an append has a span of each command in it', async () => {
  const { log, spans } = traced(async () => appended);
  await log.append(appendOf(ONE, ONE, TWO));
  await log.appendMany([appendOf(TWO)]);
  expect(
    spans.map(({ spanId, parentId, attributes }) => [spanId, parentId, attributes['lode.events']]),
  ).toEqual([
    [spanIdOf('append', ONE), spanIdOf('command', ONE), 2],
    [spanIdOf('append', TWO), spanIdOf('command', TWO), 1],
    [spanIdOf('append', TWO), spanIdOf('command', TWO), 1],
  ]);
});

test.each([
  ['conflict', OTHER],
  ['unknown_outcome', spanIdOf('append', ONE)],
] as const)(
  'an append that failed with %s says so, and is found by its command where it may be in the log',
  async (code, id) => {
    const error = new LodeError(code, 'It failed.');
    const { log, spans } = traced(() => Promise.reject(error));
    await expect(log.append(appendOf(ONE))).rejects.toBe(error);
    expect(await log.appendMany([appendOf(ONE)])).toEqual([{ status: 'rejected', reason: error }]);
    expect(spans.map(({ spanId, failure }) => [spanId, failure])).toEqual([
      [id, code],
      [id, code],
    ]);
  },
);

test('an append of a trace that is left out has none', async () => {
  const { log, spans } = traced(async () => appended, false);
  expect(await log.append(appendOf(ONE, TWO))).toBe(appended);
  expect(spans).toEqual([]);
});

test('where nobody traces a log is as it was', () => {
  const log = { append: async () => appended, appendMany: async () => [] };
  expect(traceAppends(log, undefined)).toBe(log);
});
