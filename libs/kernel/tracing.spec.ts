import { describe, expect, test } from '@jest/globals';
import { createTracer, spanIdOf, systemRandom, traceIdOf, uuidV4 } from '#kernel';

const COMMAND = 'c0ffee00-0000-5000-8000-000000000001';

describe('the ids of traces and spans', () => {
  test('follow from what the log says, and so are the same in every program', () => {
    expect(traceIdOf(COMMAND)).toBe('c0ffee00000050008000000000000001');
    expect(spanIdOf('append', COMMAND)).toBe(spanIdOf('append', COMMAND));
    const ids = (['command', 'append', 'projection'] as const).map((what) => spanIdOf(what, COMMAND));
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{16}$/);
  });

  test.each(['', 'no UUID', '00000000-0000-0000-0000-000000000000'])(
    'are ids also of a correlation such as “%s”',
    (correlationId) => {
      expect(traceIdOf(correlationId)).toMatch(/^(?!0+$)[0-9a-f]{32}$/);
    },
  );
});

describe('a tracer', () => {
  const tracerOf = (share: number, key = 'a secret') =>
    createTracer({
      sampling: { share, key },
      take: () => undefined,
      clock: () => 1_000,
      monotonic: () => 5.5,
      random: systemRandom,
    });
  const COUNT = 1_000;
  const takenOf = (share: number, ids: readonly string[], key?: string) => {
    const { traceOf } = tracerOf(share, key);
    return ids.map(traceOf).filter((id) => id !== undefined);
  };

  test('takes of all traces the share that it was told, whole traces, and the same ones as every other', () => {
    const ids = Array.from({ length: COUNT }, () => uuidV4(systemRandom));
    expect([takenOf(1, ids), takenOf(0, ids)]).toEqual([ids.map(traceIdOf), []]);
    const some = takenOf(0.5, ids);
    expect(takenOf(0.5, ids)).toEqual(some);
    expect(some.length).toBeGreaterThan(0);
    expect(some.length).toBeLessThan(COUNT);
  });

  test('leaves nobody to choose by the correlation whether a trace is taken: that takes the secret', () => {
    // As were taken all of when the share was told by the last digits of the id.
    const chosen = Array.from(
      { length: COUNT },
      (_, n) => `${n.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`,
    );
    const taken = takenOf(0.1, chosen);
    expect(taken.length).toBeGreaterThan(0);
    expect(taken.length).toBeLessThan(COUNT / 2);
    expect(takenOf(0.1, chosen, 'another secret')).not.toEqual(taken);
  });

  test('gives traces and spans ids, and tells the time by a clock that does not go back', () => {
    const { newTrace, newSpanId, now } = tracerOf(1);
    expect([newTrace(), newSpanId()]).toEqual([
      expect.stringMatching(/^[0-9a-f]{32}$/),
      expect.stringMatching(/^[0-9a-f]{16}$/),
    ]);
    expect(tracerOf(0).newTrace()).toBeUndefined();
    expect(now()).toBe(1_000);
  });
});
