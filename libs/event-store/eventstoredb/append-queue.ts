import { LodeError, type Random, type SealedEvent } from '#kernel';
import { checkWaiting, type Appended } from '../port.js';
import { appendFailure, unknownOutcome, type AppendFailure } from './errors.js';
import { pauseAfter, type RetryLimits } from './retry-limits.js';
import type { Server } from './server.js';
import { unavailable } from './unreachable.js';

/**
 * Bytes that are sent and not yet answered: less than the server's flow control takes in unread, which is 96 KiB. The
 * client queues what its stream does not take at once (more than 16 writes), and when the connection breaks it rejects
 * that queue where nobody can catch it, which ends the process. An append that is larger by itself goes alone.
 */
export const WINDOW_BYTES = 65_536;
/** Appends that are sent in one turn of the event loop, for the same reason: the stream hands writes on between turns. */
export const SENDS_A_TURN = 12;

/** An append whose place is exact: `expected` is the revision that the stream must end with, -1 for no stream. */
export type ExactAppend = {
  readonly stream: string;
  readonly expected: number;
  readonly events: readonly SealedEvent[];
  /** What it takes on the wire, at most. */
  readonly bytes: number;
};

/** A connection that appends. Fails with the client's own errors. */
export type Writer = {
  append(append: ExactAppend): Promise<Appended>;
  /** Breaks off everything under way. */
  dispose(): Promise<void>;
};

export type AppendQueue = {
  append(append: ExactAppend): Promise<Appended>;
  /** Takes nothing more, finishes what it has, and disposes of the connection. */
  close(): Promise<void>;
};

type QueuedAppend = {
  /** The place in the order in which appends came, and in which they are sent again. */
  readonly order: number;
  readonly append: ExactAppend;
  readonly resolve: (appended: Appended) => void;
  readonly reject: (error: LodeError) => void;
  readonly deadline: NodeJS.Timeout;
  attempts: number;
  place: 'waiting' | 'sent' | 'settled';
  /** An attempt was sent and nobody knows what became of it. */
  isUncertain: boolean;
  cause: unknown;
};

/** A queue: what it works with, and how it stands. */
type Queue = {
  readonly connect: () => Writer;
  readonly server: Server;
  readonly retry: RetryLimits;
  readonly random: Random;
  readonly waiting: QueuedAppend[];
  /** Bytes of those that wait. */
  bytesWaiting: number;
  /** Called after each change of how it stands. */
  readonly watchers: Set<() => void>;
  writer: Writer | undefined;
  /** The connection has answered. Its first append goes alone: the client lets those behind it overtake it. */
  isProven: boolean;
  /** Appends that came so far, and those of them that are not settled. */
  came: number;
  open: number;
  /** Attempts that the client has not settled, and those of them that we still wait for. */
  inFlight: number;
  awaited: number;
  /** Bytes of the attempts in flight. */
  unanswered: number;
  /** Appends sent in this turn of the event loop. */
  sentThisTurn: number;
  /** Recoveries since the last answer. */
  failures: number;
  isRecovering: boolean;
  isClosing: boolean;
};

/**
 * Sends appends in the order they came, a window of them at a time. An attempt that fails without an answer is made again with the
 * same event ids at the same expected revision, which the server answers like the first time.
 *
 * After such a failure nothing is sent until every append under way is answered or broken off. The client keeps its
 * open appends in one table for the whole process: a connection that dies empties the table, and an answer that then
 * arrives on another connection throws where nobody can catch it. So the old one must be wholly gone first.
 */
export function createAppendQueue(options: {
  readonly connect: () => Writer;
  readonly server: Server;
  readonly retry: RetryLimits;
  readonly random: Random;
}): AppendQueue {
  const queue: Queue = {
    ...options,
    waiting: [],
    bytesWaiting: 0,
    watchers: new Set(),
    writer: undefined,
    isProven: false,
    came: 0,
    open: 0,
    inFlight: 0,
    awaited: 0,
    unanswered: 0,
    sentThisTurn: 0,
    failures: 0,
    isRecovering: false,
    isClosing: false,
  };
  return {
    append: (append) => enqueue(queue, append),
    close: async () => {
      queue.isClosing = true;
      await until(queue, () => queue.open === 0);
      await letGo(queue);
    },
  };
}

async function enqueue(queue: Queue, append: ExactAppend): Promise<Appended> {
  const { waiting, retry } = queue;
  if (queue.isClosing) throw new LodeError('unavailable', 'The event store is closed.');
  checkWaiting({ appends: waiting.length, bytes: queue.bytesWaiting });
  return new Promise((resolve, reject) => {
    const queued: QueuedAppend = {
      order: queue.came++,
      append,
      resolve,
      reject,
      deadline: setTimeout(() => late(queue, queued), retry.appendMs),
      attempts: 0,
      place: 'waiting',
      isUncertain: false,
      cause: undefined,
    };
    queue.open++;
    waiting.push(queued);
    queue.bytesWaiting += append.bytes;
    sendWaiting(queue);
  });
}

/** Sends what waits, as far as the connection takes it. */
function sendWaiting(queue: Queue): void {
  const { waiting } = queue;
  for (let next = waiting[0]; next !== undefined && mayBeSent(queue, next); next = waiting[0]) {
    waiting.shift();
    queue.bytesWaiting -= next.append.bytes;
    countTurn(queue);
    void attempt(queue, next);
  }
}

function mayBeSent(queue: Queue, { append }: QueuedAppend): boolean {
  const { isRecovering, isProven, inFlight, sentThisTurn, unanswered } = queue;
  if (isRecovering || sentThisTurn >= SENDS_A_TURN) return false;
  return inFlight === 0 || (isProven && unanswered + append.bytes <= WINDOW_BYTES);
}

/** Counts an append of this turn of the event loop. The next turn goes on with what waits. */
function countTurn(queue: Queue): void {
  queue.sentThisTurn++;
  if (queue.sentThisTurn > 1) return;
  setImmediate(() => {
    queue.sentThisTurn = 0;
    sendWaiting(queue);
  });
}

/** Settles when the client does, which may be long after the attempt was given up. */
async function attempt(queue: Queue, queued: QueuedAppend): Promise<void> {
  let isOver = false;
  const finish = () => {
    if (!isOver) queue.awaited--;
    isOver = true;
  };
  const silence = setTimeout(() => {
    finish();
    failed(queue, queued, { kind: 'unknown', cause: new Error('no answer in time'), redirected: false });
    changed(queue);
  }, queue.retry.attemptMs);
  queued.attempts++;
  queued.place = 'sent';
  queue.inFlight++;
  queue.awaited++;
  queue.unanswered += queued.append.bytes;
  try {
    const appended = await (queue.writer ??= queue.connect()).append(queued.append);
    queue.failures = 0;
    queue.isProven = true;
    settle(queue, queued, () => queued.resolve(appended));
  } catch (error) {
    if (!isOver) failed(queue, queued, appendFailure(error, queue.server));
  }
  clearTimeout(silence);
  finish();
  queue.inFlight--;
  queue.unanswered -= queued.append.bytes;
  changed(queue);
  sendWaiting(queue);
}

/** Settles an append whose attempt failed for good; any other is sent again once the connection has recovered. */
function failed(queue: Queue, queued: QueuedAppend, failure: AppendFailure): void {
  queue.isProven ||= failure.kind === 'moved' || failure.kind === 'refused';

  // 1. The place is taken, and not by these events: the server would have known their ids.
  if (failure.kind === 'moved' && (!queued.isUncertain || failure.actual > queued.append.expected)) {
    settle(queue, queued, () => queued.reject(conflict(failure.actual)));
    return;
  }

  // 2. The server will not take this attempt. An earlier one may have been written.
  if (failure.kind === 'refused') {
    const error = queued.isUncertain ? unknownOutcome(failure.error) : failure.error;
    settle(queue, queued, () => queued.reject(error));
    return;
  }

  // 3. There is no certain answer. It is sent again over a connection that is known to be good.
  if (failure.kind === 'unknown') queued.isUncertain = true;
  if (failure.kind !== 'moved') queued.cause = failure.cause;
  if (queued.attempts >= queue.retry.attempts) giveUp(queue, queued);
  else if (queued.place === 'sent') putBack(queue, queued);
  if (!queue.isRecovering) void recover(queue, failure.kind === 'unknown' && failure.redirected);
}

function late(queue: Queue, queued: QueuedAppend): void {
  if (queued.place === 'sent') queued.isUncertain = true;
  giveUp(queue, queued);
}

function giveUp(queue: Queue, queued: QueuedAppend): void {
  const error = queued.isUncertain ? unknownOutcome(queued.cause) : unavailable(queued.cause, queue.server);
  settle(queue, queued, () => queued.reject(error));
}

function settle(queue: Queue, queued: QueuedAppend, tell: () => void): void {
  const { waiting } = queue;
  if (queued.place === 'settled') return;
  if (queued.place === 'waiting') {
    waiting.splice(waiting.indexOf(queued), 1);
    queue.bytesWaiting -= queued.append.bytes;
  }
  queued.place = 'settled';
  clearTimeout(queued.deadline);
  queue.open--;
  tell();
  changed(queue);
}

function putBack(queue: Queue, queued: QueuedAppend): void {
  const { waiting } = queue;
  const later = waiting.findIndex((other) => other.order > queued.order);
  waiting.splice(later < 0 ? waiting.length : later, 0, queued);
  queued.place = 'waiting';
  queue.bytesWaiting += queued.append.bytes;
}

async function recover(queue: Queue, isRedirected: boolean): Promise<void> {
  const { retry, random } = queue;
  // 1. Nothing more is sent.
  queue.isRecovering = true;
  queue.isProven = false;
  queue.failures++;

  // 2. What is under way is answered, or given up and broken off with the connection.
  await until(queue, () => queue.awaited === 0);
  await letGo(queue);
  // The client follows a redirection by itself; after any other failure a new one holds nothing of the old one's.
  if (!isRedirected) queue.writer = undefined;

  // 3. After a pause it is sent again, before what came later.
  await new Promise((resolve) => {
    // Whoever waits has a deadline that keeps the process; without anybody this pause should not.
    setTimeout(resolve, pauseAfter(queue.failures, retry, random)).unref();
  });
  queue.isRecovering = false;
  sendWaiting(queue);
}

async function letGo(queue: Queue): Promise<void> {
  await queue.writer?.dispose();
  await until(queue, () => queue.inFlight === 0);
  // An append that was still waiting for the connection may have opened a stream on it in the meantime.
  await queue.writer?.dispose();
}

/** Waits for a condition on how the queue stands. */
function until({ watchers }: Queue, holds: () => boolean): Promise<void> {
  if (holds()) return Promise.resolve();
  return new Promise((resolve) => {
    const watcher = () => {
      if (!holds()) return;
      watchers.delete(watcher);
      resolve();
    };
    watchers.add(watcher);
  });
}

function changed({ watchers }: Queue): void {
  for (const watcher of watchers) watcher();
}

function conflict(actual: number): LodeError {
  return new LodeError('conflict', 'Somebody else changed this at the same time.', { actual });
}
