import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { LodeError, positionOf } from '#kernel';
import { freshStream, sealedEvents } from '#event-store/testing';
import { limits, type Appended } from '../port.js';
import {
  createAppendQueue,
  SENDS_A_TURN,
  WINDOW_BYTES,
  type ExactAppend,
  type AppendQueue,
  type Writer,
} from './append-queue.js';
import { usualRetryLimits } from './retry-limits.js';
import { serverOf } from './server.js';

/** An attempt as the connection sees it. */
type Attempt = {
  readonly append: ExactAppend;
  readonly connection: number;
  readonly answer: (appended: Appended) => void;
  readonly fail: (error: unknown) => void;
};

const bareGrpcError = () => Object.assign(new Error('14 UNAVAILABLE'), { code: 14 });

let attempts: Attempt[];
let connections: number;
let alive: Set<number>;
let queue: AppendQueue;

/** A connection whose attempts stay open until the test answers them, or until it is disposed of. */
function connect(): Writer {
  const connection = ++connections;
  expect([...alive]).toEqual([]);
  alive.add(connection);
  const open = new Set<(error: unknown) => void>();
  return {
    append: (append) =>
      new Promise((resolve, reject) => {
        open.add(reject);
        attempts.push({ append, connection, answer: resolve, fail: reject });
      }),
    async dispose() {
      for (const reject of open) reject(new Error('cancelled'));
      alive.delete(connection);
    },
  };
}

function send(name: string, { expected = -1, bytes = 500 } = {}) {
  const append = { stream: name, expected, events: sealedEvents(name, expected + 1, 1), bytes };
  const outcome = queue.append(append).then(
    ({ position }) => `at ${position}`,
    (error: unknown) => (error as LodeError).code,
  );
  return outcome;
}

const answered = (position: number): Appended => ({ revision: 0, position: positionOf(position) });
const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);
const sent = () => attempts.map(({ append }) => append.stream);

/** Answers a first append, after which the queue sends as many as it may. */
async function prove(): Promise<void> {
  const first = send(freshStream());
  attempts.pop()?.answer(answered(1));
  await first;
}

beforeEach(() => {
  jest.useFakeTimers();
  attempts = [];
  connections = 0;
  alive = new Set();
  queue = createAppendQueue({
    connect,
    server: serverOf('esdb://double:2113'),
    retry: usualRetryLimits,
    random: () => Uint8Array.of(0),
  });
});
afterEach(() => {
  jest.useRealTimers();
});

describe('the queue of appends', () => {
  test('sends the first append of a connection alone, and then a few a turn, as many as the window holds', async () => {
    const outcomes = Array.from({ length: 400 }, (_, n) => send(`s${n}`));
    expect(attempts).toHaveLength(1);
    attempts[0]?.answer(answered(1));
    await outcomes[0];
    expect(attempts).toHaveLength(SENDS_A_TURN);
    const inWindow = Math.floor(WINDOW_BYTES / 500);
    for (let turn = 1; turn < inWindow / SENDS_A_TURN; turn++) await pass(1);
    expect(attempts).toHaveLength(1 + inWindow);
    attempts[5]?.answer(answered(2));
    await pass(0);
    expect(sent()).toEqual(Array.from({ length: 2 + inWindow }, (_, n) => `s${n}`));
  });

  test('sends an append that is larger than the window alone, and nothing before its turn', async () => {
    await prove();
    const outcomes = [send('before'), send('large', { bytes: 2 * WINDOW_BYTES }), send('after')];
    await pass(0);
    expect(sent()).toEqual(['before']);
    attempts[0]?.answer(answered(2));
    await pass(0);
    expect(sent()).toEqual(['before', 'large']);
    attempts[1]?.answer(answered(3));
    await pass(0);
    attempts[2]?.answer(answered(4));
    expect(await Promise.all(outcomes)).toEqual(['at 2', 'at 3', 'at 4']);
  });

  test('sends everything that was under way again, in order, when the connection broke', async () => {
    await prove();
    const outcomes = ['a', 'b', 'c'].map((name) => send(name));
    for (const attempt of attempts.splice(0)) attempt.fail(new Error('broken'));
    await pass(0);
    const late = send('d');
    await pass(usualRetryLimits.pauseMs);
    expect(sent()).toEqual(['a']);
    attempts[0]?.answer(answered(2));
    await pass(0);
    expect(sent()).toEqual(['a', 'b', 'c', 'd']);
    for (const attempt of attempts) attempt.answer(answered(3));
    expect(await Promise.all([...outcomes, late])).toEqual(['at 2', 'at 3', 'at 3', 'at 3']);
    expect(connections).toBe(2);
  });

  test('waits for the answers that still come before it lets a connection go', async () => {
    await prove();
    const [lost, slow] = [send('lost'), send('slow')];
    attempts[0]?.fail(new Error('broken'));
    await pass(usualRetryLimits.pauseMaxMs);
    expect([...alive]).toEqual([1]);
    attempts[1]?.answer(answered(7));
    expect(await slow).toBe('at 7');
    await pass(usualRetryLimits.pauseMaxMs);
    attempts.at(-1)?.answer(answered(8));
    expect(await lost).toBe('at 8');
    expect(attempts.at(-1)?.connection).toBe(2);
  });

  test('takes an answer that comes after its attempt was given up', async () => {
    await prove();
    const [slow, other] = [send('slow'), send('other')];
    await pass(usualRetryLimits.attemptMs - 1);
    attempts[1]?.answer(answered(2));
    const third = send('third');
    await pass(1);
    attempts[0]?.answer(answered(3));
    expect(await Promise.all([slow, other])).toEqual(['at 3', 'at 2']);
    attempts[2]?.answer(answered(4));
    expect(await third).toBe('at 4');
    expect(attempts).toHaveLength(3);
  });

  test('says unavailable only of what never left, and unknown outcome of anything else', async () => {
    const never = send('never');
    for (let n = 0; n < usualRetryLimits.attempts; n++) {
      attempts.at(-1)?.fail(bareGrpcError());
      await pass(usualRetryLimits.pauseMaxMs);
    }
    expect(await never).toBe('unavailable');
    const once = send('once');
    attempts.at(-1)?.fail(new Error('broken'));
    for (let n = 1; n < usualRetryLimits.attempts; n++) {
      await pass(usualRetryLimits.pauseMaxMs);
      attempts.at(-1)?.fail(bareGrpcError());
    }
    expect(await once).toBe('unknown_outcome');
    expect(attempts).toHaveLength(2 * usualRetryLimits.attempts);
  });

  test('has an end for every append, sent or not', async () => {
    await prove();
    const bytes = WINDOW_BYTES / 8;
    const all = Array.from({ length: 9 }, (_, n) => send(`s${n}`, { bytes }));
    await pass(usualRetryLimits.appendMs + usualRetryLimits.pauseMaxMs);
    const outcomes = await Promise.all(all);
    expect(outcomes.slice(0, -1).every((outcome) => outcome === 'unknown_outcome')).toBe(true);
    expect(outcomes.at(-1)).toBe('unavailable');
  });

  test('refuses what would have to wait for too many', async () => {
    const all = Array.from({ length: limits.appendsWaiting + 2 }, () => send('x'));
    expect(await all.at(-1)).toBe('overloaded');
  });

  test('refuses what would have to wait for too many bytes, until some of them were sent', async () => {
    await prove();
    const bytes = limits.bytesWaiting / 4;
    const [sent, , , , last] = Array.from({ length: 5 }, () => send('large', { bytes }));
    expect(await send('refused')).toBe('overloaded');
    attempts[0]?.fail(new Error('broken'));
    await pass(usualRetryLimits.pauseMs);
    expect(await send('refused')).toBe('overloaded');
    attempts[1]?.answer(answered(1));
    await pass(0);
    // The second is under way, so that there is room for one more.
    const taken = send('taken', { bytes });
    expect(await send('refused')).toBe('overloaded');
    for (let n = 2; n <= 6; n++) {
      attempts[n]?.answer(answered(n));
      await pass(0);
    }
    expect(await Promise.all([sent, last, taken])).toEqual(['at 1', 'at 5', 'at 6']);
  });

  test('says unknown outcome when a later attempt is refused', async () => {
    await prove();
    const outcome = send('a');
    attempts[0]?.fail(new Error('broken'));
    await pass(usualRetryLimits.pauseMs);
    attempts[1]?.fail(new LodeError('body_too_large', 'refused'));
    expect(await outcome).toBe('unknown_outcome');
    const plain = send('b');
    attempts[2]?.fail(new LodeError('body_too_large', 'refused'));
    expect(await plain).toBe('body_too_large');
  });

  test('closes after what it has, and then takes nothing more', async () => {
    await prove();
    const last = send('last');
    let closed = false;
    const closing = queue.close().then(() => (closed = true));
    expect(await send('later')).toBe('unavailable');
    await pass(0);
    expect(closed).toBe(false);
    attempts[0]?.answer(answered(5));
    await closing;
    expect(await last).toBe('at 5');
    expect([...alive]).toEqual([]);
  });
});
