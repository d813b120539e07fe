import { describe, expect, test } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { isLodeError } from '#kernel';
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

describe('when nothing can be written any more', () => {
  /** An appender with one append posted and one that waits, and what each was answered. */
  async function oneOfEach() {
    const commits: ToWriter[] = [];
    const appender = createAppender((message) => commits.push(message));
    const answers: string[] = [];
    const send = (name: string) => {
      const stream = freshStream();
      const events = sealedEvents(stream, 0, 1);
      return appender.append({ stream, expected: 'no-stream', events }).then(
        () => answers.push(`${name} written`),
        (error: unknown) => answers.push(`${name} ${isLodeError(error) ? error.code : 'thrown'}`),
      );
    };
    const sent = [send('posted')];
    await setImmediate();
    sent.push(send('waiting'));
    return { appender, answers, send, sent };
  }

  test('what waits is refused, and what was posted is answered by the writer', async () => {
    const { appender, answers, send, sent } = await oneOfEach();
    appender.refuse('the disk failed');
    await sent[1];
    expect(answers).toEqual(['waiting storage_failed']);
    appender.settle([{ kind: 'failed', code: 'unknown_outcome', message: 'the disk failed' }]);
    await sent[0];
    await send('later');
    expect(answers.slice(1)).toEqual(['posted unknown_outcome', 'later storage_failed']);
    expect(appender.failure()).toMatchObject({ code: 'storage_failed' });
  });

  test('because the writer is gone, nobody knows what became of what was posted', async () => {
    const { appender, answers, send, sent } = await oneOfEach();
    appender.fail('the writer stopped');
    await Promise.all(sent);
    await send('later');
    expect(answers.toSorted()).toEqual([
      'later storage_failed',
      'posted unknown_outcome',
      'waiting storage_failed',
    ]);
  });
});
