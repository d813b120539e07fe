import { expect, test } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { freshStream, sealedEvents } from '#event-store/testing';
import { limits } from '../port.js';
import { createAppender } from './appender.js';
import { unpack } from './rows.js';
import type { ToWriter } from './writer.js';

const LARGE = 900_000;

/** An appender whose commits are kept until they are answered. */
function createUnanswered() {
  const commits: ToWriter[] = [];
  const appender = createAppender((message) => commits.push(message));
  let refused = 0;
  const send = (bytes: number) => {
    const stream = freshStream();
    const events = sealedEvents(stream, 0, 1, { note: 'x'.repeat(bytes) });
    return appender.append({ stream, expected: 'no-stream', events }).catch((error: unknown) => {
      expect(error).toMatchObject({ code: 'overloaded' });
      refused++;
    });
  };
  /** Answers the commit under way. */
  const answer = () => {
    const commit = commits.shift();
    if (commit?.kind !== 'commit') throw new Error('there is no commit');
    appender.settle(unpack(commit.appends).map(() => 1));
  };
  return { send, answer, refused: () => refused };
}

test('refuses what would have to wait for too many appends', async () => {
  const { send, answer, refused } = createUnanswered();
  const sent = Array.from({ length: limits.appendsWaiting + 1 }, () => send(1));
  await setImmediate();
  expect(refused()).toBe(1);
  for (let left = limits.appendsWaiting; left > 0; left -= 2_048) {
    answer();
    await setImmediate();
  }
  await Promise.all(sent);
});

test('refuses what would have to wait for too many bytes, until they are committed', async () => {
  const { send, answer, refused } = createUnanswered();
  const first = send(1);
  await setImmediate();
  const fits = Math.ceil(limits.bytesWaiting / LARGE);
  const sent = Array.from({ length: fits + 1 }, () => send(LARGE));
  await setImmediate();
  expect(refused()).toBe(1);
  answer();
  await first;
  await setImmediate();
  // They are under way and wait no more.
  const last = send(LARGE);
  await setImmediate();
  expect(refused()).toBe(1);
  answer();
  await Promise.all(sent);
  await setImmediate();
  answer();
  await last;
});
