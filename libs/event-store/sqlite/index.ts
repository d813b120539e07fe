import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { errorCodes, LodeError, positionOf, type ErrorCode } from '#kernel';
import { checkAppend, limits, type Append, type Appended, type EventStore } from '../port.js';
import { openLogReader, type LogReader } from './reader.js';
import { toRow, type AppendRows, type WriteResult } from './rows.js';
import type { FromWriter, ToWriter } from './writer.js';

/** Appends that wait for the commit before theirs. More are refused with `overloaded`. */
const WAITING_MAX = 16_384;
/** Appends that share one commit at most, so that nobody waits for a giant one. */
const COMMIT_MAX = 2_048;

type Waiting = { readonly rows: AppendRows; readonly settle: (result: WriteResult) => void };

/**
 * The log in one SQLite file: WAL, every commit fsynced, one writer in a thread of its own, **group commit** (appends
 * that arrive while a commit runs share the next one). Refuses a file that is damaged, newer or not a log.
 */
export async function openSqliteEventStore(options: { readonly file: string }): Promise<EventStore> {
  const { file } = options;
  makeFolder(dirname(file));
  const writer = new Worker(new URL('./writer.js', import.meta.url), { workerData: { file } });
  await ready(writer);
  const reader = openReader(file, writer);
  const bells = new Set<() => void>();
  const waiting: Waiting[] = [];
  let committing: readonly Waiting[] = [];
  let flushAsked = false;
  let closed: LodeError | undefined;
  /** Why nothing can be written any more; whoever asks where the log stands is told. */
  let failed: LodeError | undefined;
  let released = false;

  /** Asked once a turn of the event loop, so that all requests that arrive in one turn share the commit. */
  function askFlush(): void {
    if (flushAsked || committing.length > 0 || waiting.length === 0) return;
    flushAsked = true;
    setImmediate(() => {
      flushAsked = false;
      if (committing.length > 0 || waiting.length === 0) return;
      committing = waiting.splice(0, COMMIT_MAX);
      writer.postMessage({ kind: 'commit', appends: committing.map((one) => one.rows) } satisfies ToWriter);
    });
  }

  function settle(results: readonly WriteResult[]): void {
    const done = committing;
    committing = [];
    const dead = results.find((result) => result.kind === 'failed' && result.code === 'storage_failed');
    if (dead?.kind === 'failed') failed ??= errorOf(dead);
    askFlush();
    done.forEach((one, index) => one.settle(results[index] ?? LOST));
    for (const bell of bells) bell();
  }

  function fail(message: string): void {
    closed ??= new LodeError('storage_failed', message);
    failed ??= closed;
    const lost = [...committing, ...waiting.splice(0)];
    committing = [];
    for (const one of lost) one.settle({ kind: 'failed', code: 'storage_failed', message });
  }

  writer.on('message', (message: FromWriter) => {
    if (message.kind === 'committed') settle(message.results);
  });
  writer.on('error', (error: Error) => fail(`The log's writer stopped: ${error.message}`));
  writer.on('exit', () => fail("The log's writer has stopped."));

  function append(request: Append): Promise<Appended> {
    if (closed !== undefined) return Promise.reject(closed);
    if (waiting.length >= WAITING_MAX) {
      return Promise.reject(new LodeError('overloaded', 'Too much is waiting to be written. Try again.'));
    }
    return new Promise((resolve, reject) => {
      waiting.push({
        rows: toRows(request),
        settle: (result) =>
          result.kind === 'written' ? resolve(appendedOf(result)) : reject(errorOf(result)),
      });
      askFlush();
    });
  }

  return {
    append: async (request) => append(request),
    readStream: async (stream, read) => reader.readStream(stream, read),
    readStreams: async (streams, limit) => reader.readStreams(streams, limit),
    readAll: async (after, limit) => reader.readAll(after, limit),
    readTypes: async (types, after, limit) => reader.readTypes(types, after, limit),
    head: async () => {
      if (failed !== undefined) throw failed;
      return reader.head();
    },
    onAppended(bell) {
      bells.add(bell);
      return () => bells.delete(bell);
    },
    async close() {
      if (released) return;
      released = true;
      if (closed !== undefined) {
        // The writer has stopped by itself.
        reader.close();
        return;
      }
      closed = new LodeError('unavailable', 'The log is closed.');
      while (committing.length > 0 || waiting.length > 0)
        await new Promise((resolve) => setImmediate(resolve));
      const stopped = new Promise((resolve) => writer.once('exit', resolve));
      reader.close();
      writer.postMessage({ kind: 'close' } satisfies ToWriter);
      await stopped;
    },
  };
}

const LOST: WriteResult = { kind: 'failed', code: 'internal', message: 'the writer gave no answer' };

function toRows(append: Append): AppendRows {
  checkAppend(append);
  const { stream, expected, events } = append;
  const rows = events.map(toRow);
  const bytes = rows.reduce((sum, row) => sum + Buffer.byteLength(row.body), 0);
  if (bytes > limits.bytesPerAppend) {
    throw new LodeError(
      'body_too_large',
      `an append holds at most ${limits.bytesPerAppend} bytes, not ${bytes}`,
    );
  }
  return {
    stream,
    expected: expected === 'no-stream' ? -1 : expected === 'stream-exists' ? undefined : expected,
    rows,
  };
}

function appendedOf(result: Extract<WriteResult, { kind: 'written' }>): Appended {
  const { revision, first, position, count } = result;
  const appended = { revision, position: positionOf(position) };
  // One append has consecutive positions; events that were found again may have come from several.
  if (position - first !== count - 1) return appended;
  return { ...appended, positions: Array.from({ length: count }, (_, index) => positionOf(first + index)) };
}

function errorOf(result: Exclude<WriteResult, { kind: 'written' }>): LodeError {
  if (result.kind === 'failed') return new LodeError(result.code, result.message);
  return new LodeError('conflict', 'Somebody else changed this at the same time.', { actual: result.actual });
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new LodeError(
      'storage_failed',
      `${folder} can't be written: look at its rights.`,
      {},
      { cause: error },
    );
  }
}

/** The reader beside a writer, which is let go when there is none. */
function openReader(file: string, writer: Worker): LogReader {
  try {
    return openLogReader(file);
  } catch (error) {
    writer.postMessage({ kind: 'close' } satisfies ToWriter);
    throw error;
  }
}

/** Waits until the writer has the file, or throws why it does not. */
function ready(writer: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    writer.once('message', (message: FromWriter) => {
      if (message.kind === 'refused') {
        const code = errorCodes.find((one): one is ErrorCode => one === message.code) ?? 'internal';
        reject(new LodeError(code, message.message));
      } else resolve();
    });
    writer.once('error', reject);
  });
}

export { openLogReader, type LogReader };
