import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { pause } from '../../lib';
import { backOff, FRAME_MAX, listen, messageOf } from '.';
import type { Frame } from './listen';

const text = [
  ': heartbeat\n\n',
  'event: hello\ndata: {}\n\n',
  'id: 41\r\nevent: change\r\ndata: {"collection":"requests","id":"r","position":"41"}\r\n\r\n',
].join('');

/** What is heard of a stream that comes in these pieces and then ends. */
async function heard(pieces: readonly string[]) {
  const stop = new AbortController();
  const encoder = new TextEncoder();
  const frames: Frame[] = [];
  let gaps = 0;
  await listen({
    signal: stop.signal,
    random: () => 0,
    wait: () => Promise.resolve(),
    open: () => {
      const stream = new ReadableStream<Uint8Array>({
        start: (controller) => {
          for (const piece of pieces) controller.enqueue(encoder.encode(piece));
          controller.close();
        },
      });
      return Promise.resolve(new Response(stream));
    },
    onFrame: (frame) => frames.push(frame),
    onState: () => undefined,
    onGap: () => {
      gaps += 1;
      stop.abort();
    },
  });
  return { frames, gaps };
}

describe('a stream', () => {
  test.each([1, 2, 3, 7, text.length])('says the same in pieces of %i characters', async (size) => {
    const count = Math.ceil(text.length / size);
    const pieces = Array.from({ length: count }, (_, at) => text.slice(at * size, (at + 1) * size));
    const { frames } = await heard(pieces);
    expect(frames.map(({ id, event }) => [id, event])).toEqual([
      [undefined, 'hello'],
      ['41', 'change'],
    ]);
    expect(messageOf(frames[1]!)).toEqual({
      kind: 'change',
      change: { collection: 'requests', id: 'r', position: '41' },
      at: '41',
    });
  });

  test('with an event that has no end is given up, and what it said is asked for', async () => {
    const { frames, gaps } = await heard([`data: ${'x'.repeat(FRAME_MAX)}`, 'x', `\n\n${text}`]);
    expect([frames, gaps]).toEqual([[], 1]);
  });

  test('may have fields that nobody knows', async () => {
    const { frames } = await heard([`colour: red\n${text}`]);
    expect(frames).toHaveLength(2);
  });
});

test('waits longer after each failure, up to a limit, and never without some chance', () => {
  expect([0, 1, 2].map((attempt) => backOff(attempt, () => 1))).toEqual([1_000, 2_000, 4_000]);
  expect(backOff(50, () => 1)).toBe(20_000);
  expect(backOff(0, () => 0)).toBe(500);
});

describe('where a proxy holds the stream back', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  /** Aborted as a browser's own fetch is. */
  const until = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
  const withheld = (signal: AbortSignal) => {
    const start = (stream: ReadableStreamDefaultController) =>
      signal.addEventListener('abort', () => stream.error(new Error('aborted')));
    return Promise.resolve(new Response(new ReadableStream({ start })));
  };

  test.each([
    ['with its headers', until],
    ['but for its headers', withheld],
  ])('%s, what is on screen is asked for every few seconds, up to half a minute apart', async (_, open) => {
    const stop = new AbortController();
    const asked: number[] = [];
    const begun = Date.now();
    const over = listen({
      signal: stop.signal,
      random: () => 1,
      wait: pause,
      open: (_last, signal) => open(signal),
      onFrame: () => undefined,
      onState: () => undefined,
      onGap: () => asked.push(Date.now() - begun),
    });
    await jest.advanceTimersByTimeAsync(180_000);
    stop.abort();
    await jest.advanceTimersByTimeAsync(30_000);
    await over;
    const apart = asked.map((at, nth) => (at - (asked[nth - 1] ?? 0)) / 1_000);
    expect(apart.slice(0, 7)).toEqual([11, 12, 14, 18, 26, 30, 30]);
  });
});

test('resumes after the last event that it saw, and asks for what it may have missed', async () => {
  const stop = new AbortController();
  const asked: (string | undefined)[] = [];
  const states: string[] = [];
  let gaps = 0;
  await listen({
    signal: stop.signal,
    random: () => 0,
    wait: () => Promise.resolve(),
    open: (lastEventId) => {
      asked.push(lastEventId);
      if (asked.length === 3) stop.abort();
      return Promise.resolve(new Response(asked.length === 1 ? text : null));
    },
    onFrame: () => undefined,
    onState: (state) => states.push(state),
    onGap: () => (gaps += 1),
  });
  expect(asked).toEqual([undefined, '41', '41']);
  expect(gaps).toBe(2);
  expect(states.slice(0, 2)).toEqual(['connecting', 'live']);
  expect(states.at(-1)).toBe('off');
});
