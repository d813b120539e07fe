import { describe, expect, test } from '@jest/globals';
import { backOff, createFrameReader, LINE_MAX, listen, messageOf } from '.';

const text = [
  ': heartbeat\n\n',
  'event: hello\ndata: {}\n\n',
  'id: 41\r\nevent: change\r\ndata: {"collection":"requests","id":"r","position":"41"}\r\n\r\n',
].join('');

describe('the frame reader', () => {
  test.each([1, 2, 3, 7, text.length])('reads the same frames from pieces of %i characters', (size) => {
    const read = createFrameReader();
    const frames = [];
    for (let at = 0; at < text.length; at += size) frames.push(...read(text.slice(at, at + size)));
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

  test('refuses a line without an end', () => {
    const read = createFrameReader();
    expect(() => read('x'.repeat(LINE_MAX + 1))).toThrow('too long');
  });
});

test('waits longer after each failure, up to a limit, and never without some chance', () => {
  expect([0, 1, 2].map((attempt) => backOff(attempt, () => 1))).toEqual([1_000, 2_000, 4_000]);
  expect(backOff(50, () => 1)).toBe(30_000);
  expect(backOff(0, () => 0)).toBe(500);
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
