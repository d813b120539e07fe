import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { StreamableFile } from '@nestjs/common';
import { once } from 'node:events';
import type { Columns } from './csv.js';
import { Downloads } from './downloads.js';
import { Lists, type PageRequest } from './lists.js';
import { createLogScope } from './scope.js';

const LOG = '0badcafe-0000-4000-8000-000000000000';

/** Longer than anything waits for a file to be taken, in milliseconds. */
const LONG_MS = 10 * 60_000;
/** Files of one person at once. */
const OWN_MAX = 3;
const TEXT = 'x'.repeat(100_000);

type Row = { readonly text: string };
const columns: Columns<Row> = [['text', ({ text }) => text]];
const endless = ({ cursor = '0' }: PageRequest) =>
  Promise.resolve({ items: [{ text: TEXT }], next: String(Number(cursor) + 1), previous: null });
const short = () => Promise.resolve({ items: [{ text: 'x' }], next: null, previous: null });

describe('files of lists', () => {
  let lists: Lists;
  let files: StreamableFile[];
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    lists = new Lists(createLogScope(LOG), new Downloads());
    files = [];
  });
  afterEach(() => {
    for (const file of files) file.getStream().destroy();
    jest.useRealTimers();
  });

  /** A file that `by` asks for, of which the first bytes have come. */
  const begin = async (by: string, read: typeof endless | typeof short = endless) => {
    const list = { accept: 'text/csv', name: 'list', by, isHeadOnly: false, tell: () => undefined } as const;
    const file = await lists.answer<Row, Awaited<ReturnType<typeof read>>>(
      list,
      { limit: 10 },
      columns,
      read,
    );
    if (!(file instanceof StreamableFile)) throw new Error('no file but a page');
    files.push(file);
    await once(file.getStream(), 'readable');
    return file.getStream();
  };

  test('are so many for one person, and others still get theirs', async () => {
    for (let n = 0; n < OWN_MAX; n += 1) await begin('ann');
    await expect(begin('ann')).rejects.toMatchObject({ code: 'rate_limited' });
    await begin('bob');
    files[0]?.getStream().destroy();
    if (files[0] !== undefined) await once(files[0].getStream(), 'close');
    await begin('ann');
  });

  test('are not read to be thrown away when only their head is asked for', async () => {
    const read = jest.fn(endless);
    const list = {
      accept: 'text/csv',
      name: 'list',
      by: 'ann',
      isHeadOnly: true,
      tell: () => undefined,
    } as const;
    const head = await lists.answer<Row, Awaited<ReturnType<typeof endless>>>(
      list,
      { limit: 10 },
      columns,
      read,
    );
    if (!(head instanceof StreamableFile)) throw new Error('no file but a page');
    expect(head.getHeaders()).toMatchObject({ type: 'text/csv; charset=utf-8' });
    for await (const _ of head.getStream()) throw new Error('a head has no content');
    expect(read.mock.calls).toEqual([[{ cursor: undefined, limit: 10 }]]);
  });

  test('are so many in all', async () => {
    for (const by of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) await begin(by);
    await expect(begin('i')).rejects.toMatchObject({ code: 'overloaded' });
  });

  test('are given up when nobody takes the rest', async () => {
    const streams = [await begin('ann'), await begin('ann'), await begin('ann')];
    const ended = streams.map((stream) => once(stream, 'error'));
    jest.advanceTimersByTime(LONG_MS);
    for (const [error] of await Promise.all(ended)) expect(error).toMatchObject({ code: 'overloaded' });
    await begin('ann');
  });

  test('have no place any more once they were taken, however long ago', async () => {
    for (let n = 0; n < OWN_MAX + 1; n += 1) {
      const stream = await begin('ann', short);
      for await (const _ of stream);
    }
    jest.advanceTimersByTime(LONG_MS);
    expect(files.map((file) => file.getStream().errored)).toEqual(files.map(() => null));
  });
});
