import { describe, expect, test } from '@jest/globals';
import { LodeError, logStart, spanIdOf, traceIdOf, type Span } from '#kernel';
import type { Pending } from './command.js';
import { traced } from './traced.js';

const ID = '3f2a4b6c-1111-5222-8333-444455556666';
const OWN = spanIdOf('command', ID);

type Fact = { readonly type: 'Done'; readonly data: object };

/** A command, and what it is answered. */
function pendingOf(command: unknown) {
  const answered: unknown[] = [];
  const pending: Pending<unknown, Fact> = {
    command,
    context: {
      actor: { kind: 'system', id: 'test', role: 'system' },
      commandId: ID,
      requestHash: '',
      correlationId: ID,
      causationId: ID,
      span: 'b'.repeat(16),
    },
    resolve: (execution) => answered.push(execution),
    reject: (error) => answered.push(error),
  };
  return { pending, answered };
}

/** The span of a command that was answered so. */
function spanOf(answer: (pending: Pending<unknown, Fact>) => void, command: unknown = { type: 'Do' }): Span {
  const spans: Span[] = [];
  const { pending, answered } = pendingOf(command);
  let now = 0;
  const tracer = {
    now: () => (now += 1),
    traceOf: traceIdOf,
    newTrace: () => undefined,
    newSpanId: () => 'd'.repeat(16),
    record: (span: Span) => spans.push(span),
  };
  answer(traced(tracer, 'account-1', pending));
  expect(answered).toHaveLength(1);
  expect(spans).toHaveLength(1);
  return spans[0] as Span;
}

const execution = (count: number, replayed: boolean) => ({
  events: Array.from({ length: count }, () => ({}) as never),
  position: logStart,
  replayed,
});

describe('the span of a command', () => {
  test('is not worked out where its trace is left out: the command is as it was', () => {
    const unused = () => {
      throw new Error('nothing is asked for');
    };
    const tracer = {
      now: unused,
      newSpanId: unused,
      record: unused,
      newTrace: unused,
      traceOf: () => undefined,
    };
    const { pending } = pendingOf({ type: 'Do' });
    expect(traced(tracer, 'account-1', pending)).toBe(pending);
  });

  test('is found by the command’s id where it gave events, and by nothing else', () => {
    const spans = [
      spanOf(({ resolve }) => resolve(execution(1, false))),
      spanOf(({ resolve }) => resolve(execution(0, false))),
      spanOf(({ resolve }) => resolve(execution(1, true))),
      spanOf(({ reject }) => reject(new LodeError('insufficient_balance', 'There is not enough.'))),
      // The log may have its events all the same.
      spanOf(({ reject }) => reject(new LodeError('unknown_outcome', 'Nobody knows.'))),
    ];
    const other = 'd'.repeat(16);
    expect(spans.map(({ spanId }) => spanId)).toEqual([OWN, other, other, other, OWN]);
    expect(spans.map(({ attributes }) => attributes['lode.replayed'])).toEqual([
      false,
      false,
      true,
      undefined,
      undefined,
    ]);
    expect(spans.map(({ failure }) => failure)).toEqual([
      undefined,
      undefined,
      undefined,
      'insufficient_balance',
      'unknown_outcome',
    ]);
  });

  test('is a part of what the context says, in the trace of its correlation, and names the kind of its stream alone', () => {
    const span = spanOf(({ resolve }) => resolve(execution(1, false)));
    expect(span).toMatchObject({ name: 'command Do', traceId: traceIdOf(ID), parentId: 'b'.repeat(16) });
    expect([span.start, span.end]).toEqual([1, 2]);
    expect(span.attributes['lode.stream']).toBe('account');
  });

  test('has no name where no command could be made', () => {
    const refused = new LodeError('validation_failed', 'It is none.');
    expect(spanOf(({ reject }) => reject(refused), refused).name).toBe('command');
  });
});

test('where nobody traces a command is as it was', () => {
  const pending = {} as Pending<unknown, Fact>;
  expect(traced(undefined, 'account-1', pending)).toBe(pending);
});
