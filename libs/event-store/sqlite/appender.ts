import { LodeError, positionOf, type ErrorCode, type Position } from '#kernel';
import { checkAppend, checkWaiting, limits, type Append, type Appended, type EventStore } from '../port.js';
import { bodyOf, pack, type AppendRows, type WriteResult } from './rows.js';
import type { ToWriter } from './writer.js';

/** Appends that share one commit at most, so that nobody waits for a giant one. */
const COMMIT_MAX = 2_048;

type Waiting = {
  readonly rows: AppendRows;
  readonly bytes: number;
  readonly resolve: (appended: Appended) => void;
  readonly reject: (error: LodeError) => void;
};

type Enqueue = (request: Append, resolve: Waiting['resolve'], reject: (error: unknown) => void) => void;

/** The appends that one thread sends to the writer. */
export type Appender = Pick<EventStore, 'append' | 'appendMany'> & {
  /** Hears what the writer answered to the commit under way. */
  readonly settle: (results: readonly WriteResult[]) => void;
  /** The writer takes no more, because the disk has failed. It still answers what was posted to it. */
  readonly refuse: (message: string) => void;
  /** The writer is gone: what was posted to it and not answered may be written. */
  readonly fail: (message: string) => void;
  /** Takes no more, and resolves once everything is answered. */
  readonly end: () => Promise<void>;
  /** Why nothing can be written any more, when the disk, the writer or its end is why. */
  readonly failure: () => LodeError | undefined;
};

/** **Group commit**: appends that arrive while a commit runs share the next one. */
export function createAppender(post: (message: ToWriter) => void): Appender {
  const waiting: Waiting[] = [];
  /** Of those that wait for the commit before theirs. */
  let bytesWaiting = 0;
  let committing: readonly Waiting[] = [];
  let flushAsked = false;
  let closed: LodeError | undefined;
  let failed: LodeError | undefined;

  /** Asked once a turn of the event loop, so that all requests that arrive in one turn share the commit. */
  function askFlush(): void {
    if (flushAsked || committing.length > 0 || waiting.length === 0) return;
    flushAsked = true;
    setImmediate(() => {
      flushAsked = false;
      if (committing.length > 0 || waiting.length === 0) return;
      committing = waiting.splice(0, COMMIT_MAX);
      bytesWaiting -= committing.reduce((sum, { bytes }) => sum + bytes, 0);
      post({ kind: 'commit', appends: pack(committing) });
    });
  }

  function settle(results: readonly WriteResult[]): void {
    const done = committing;
    committing = [];
    askFlush();
    for (const [index, one] of done.entries()) answer(one, results[index] ?? LOST);
  }

  function refuse(message: string): void {
    failed ??= new LodeError('storage_failed', message);
    closed ??= failed;
    bytesWaiting = 0;
    rejectAll(waiting.splice(0), 'storage_failed', message);
  }

  function fail(message: string): void {
    refuse(message);
    rejectAll(committing, 'unknown_outcome', message);
    committing = [];
  }

  /** Puts an append into the queue, or refuses it. */
  const enqueue: Enqueue = (request, resolve, reject) => {
    try {
      if (closed !== undefined) throw closed;
      checkWaiting({ appends: waiting.length, bytes: bytesWaiting });
      const { rows, bytes } = toRows(request);
      waiting.push({ rows, bytes, resolve, reject });
      bytesWaiting += bytes;
      askFlush();
    } catch (error) {
      reject(error);
    }
  };

  return {
    append: (request) => new Promise((resolve, reject) => enqueue(request, resolve, reject)),
    appendMany: (requests) => allSettled(requests, enqueue),
    settle,
    refuse,
    fail,
    failure: () => failed,
    async end() {
      closed ??= new LodeError('unavailable', 'The log is closed.');
      while (committing.length > 0 || waiting.length > 0)
        await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

/** What `Promise.allSettled` gives for appends, without a promise for each of them. */
function allSettled(
  requests: readonly Append[],
  enqueue: Enqueue,
): Promise<readonly PromiseSettledResult<Appended>[]> {
  const { promise, resolve } = Promise.withResolvers<readonly PromiseSettledResult<Appended>[]>();
  const results: PromiseSettledResult<Appended>[] = [];
  let open = requests.length;
  if (open === 0) resolve(results);
  const settled = (index: number, result: PromiseSettledResult<Appended>) => {
    results[index] = result;
    if (--open === 0) resolve(results);
  };
  requests.forEach((request, index) =>
    enqueue(
      request,
      (value) => settled(index, { status: 'fulfilled', value }),
      (reason: unknown) => settled(index, { status: 'rejected', reason }),
    ),
  );
  return promise;
}

function rejectAll(appends: readonly Waiting[], code: ErrorCode, message: string): void {
  for (const { reject } of appends) reject(new LodeError(code, message));
}

type Failed = Extract<WriteResult, { kind: 'failed' }>;

const LOST: Failed = { kind: 'failed', code: 'unknown_outcome', message: 'The writer gave no answer.' };

/** An append as the writer takes it, and the bytes of its texts. */
function toRows(append: Append): Pick<Waiting, 'rows' | 'bytes'> {
  checkAppend(append);
  const { stream, expected, events, texts } = append;
  const types: string[] = [];
  const versions: number[] = [];
  const bodies: string[] = [];
  let bytes = 0;
  for (const [index, event] of events.entries()) {
    const body = bodyOf(event, texts?.[index]);
    types.push(event.type);
    versions.push(event.version);
    bodies.push(body);
    bytes += Buffer.byteLength(body);
  }
  if (bytes > limits.bytesPerAppend) {
    throw new LodeError(
      'body_too_large',
      `an append holds at most ${limits.bytesPerAppend} bytes, not ${bytes}`,
    );
  }
  const rows = {
    stream,
    expected: expected === 'no-stream' ? -1 : expected === 'stream-exists' ? undefined : expected,
    first: events[0]?.revision ?? 0,
    types,
    versions,
    bodies,
  };
  return { rows, bytes };
}

function answer({ rows, resolve, reject }: Waiting, result: WriteResult): void {
  const count = rows.bodies.length;
  if (typeof result === 'number') resolve(appendedOf(rows, result, result + count - 1));
  else if (result.kind === 'written before') resolve(appendedOf(rows, result.first, result.last));
  else if (result.kind === 'failed') reject(errorOf(result));
  else
    reject(
      new LodeError('conflict', 'Somebody else changed this at the same time.', { actual: result.actual }),
    );
}

function appendedOf({ first: revision, bodies }: AppendRows, first: number, last: number): Appended {
  const count = bodies.length;
  const appended = { revision: revision + count - 1, position: positionOf(last) };
  // One append has consecutive positions; events that were found again may have come from several.
  if (last - first !== count - 1) return appended;
  const positions: Position[] = [];
  for (let position = first; position <= last; position++) positions.push(positionOf(position));
  return { ...appended, positions };
}

function errorOf({ code, message }: Failed): LodeError {
  return new LodeError(code, message);
}
