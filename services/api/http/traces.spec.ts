import { expect, test } from '@jest/globals';
import { createTracer, traceIdOf, type Span } from '#kernel';
import { openRequest } from './traces.js';

const ID = '3f2a4b6c-1111-5222-8333-444455556666';
const OTHER = '3f2a4b6c-1111-5222-8333-444455557777';
const ANSWER = { method: 'POST', url: '/api/transfers', status: 503 };

function traced(share: number) {
  const spans: Span[] = [];
  let drawn = 0;
  const tracer = createTracer({
    sampling: { share, key: '' },
    take: (span) => spans.push(span),
    clock: () => 0,
    monotonic: () => 0,
    random: (bytes) => new Uint8Array(bytes).fill(++drawn),
  });
  return { open: openRequest(tracer), spans, drawn: () => drawn };
}

test('a request is in the trace of its first command, and its commands are parts of it', () => {
  const { open, spans } = traced(1);
  const span = open.spanFor(ID);
  expect(open.spanFor(OTHER)).toBe(span);
  open.end(ANSWER);
  expect(spans).toMatchObject([
    { name: 'POST /api/transfers', traceId: traceIdOf(ID), spanId: span, isServer: true, failure: '503' },
  ]);
});

test('one without a command is a trace by itself', () => {
  const { open, spans } = traced(1);
  open.end({ ...ANSWER, method: 'GET', status: 200 });
  expect(spans).toMatchObject([{ traceId: '01'.repeat(16), spanId: '02'.repeat(8), failure: undefined }]);
});

test('of one whose trace is left out nothing is drawn or recorded', () => {
  const { open, spans, drawn } = traced(0);
  expect(open.spanFor(ID)).toBeUndefined();
  open.end(ANSWER);
  expect(spans).toEqual([]);
  expect(drawn()).toBe(0);
});
