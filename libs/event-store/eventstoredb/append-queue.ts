import { LodeError, type Random, type SealedEvent } from '#kernel';
import type { Appended } from '../port.js';
import { appendFailure, unavailable, unknownOutcome, type AppendFailure } from './errors.js';
import { pauseAfter, type RetryLimits } from './retry-limits.js';

/**
 * Appends that are sent and not yet answered. The client queues what its stream will not take at once (more than 16
 * writes), and when the connection breaks it rejects that queue where nobody can catch it, which ends the process.
 */
export const APPENDS_IN_FLIGHT = 16;
/** Appends that wait to be sent. More are refused with `overloaded`. */
const APPENDS_WAITING_MAX = 16_384;

/** An append whose place is exact: `expected` is the revision that the stream must end with, -1 for no stream. */
export type ExactAppend = {
  readonly stream: string;
  readonly expected: number;
  readonly events: readonly SealedEvent[];
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
  uncertain: boolean;
  cause: unknown;
};

/**
 * Sends appends in the order they came, a few at a time. An attempt that fails without an answer is made again with the
 * same event ids at the same expected revision, which the server answers like the first time.
 *
 * After such a failure nothing is sent until every append under way is answered or broken off. The client keeps its
 * open appends in one table for the whole process: a connection that dies empties the table, and an answer that then
 * arrives on another connection throws where nobody can catch it. So the old one must be wholly gone first.
 */
export function createAppendQueue(options: {
  readonly connect: () => Writer;
  readonly retry: RetryLimits;
  readonly random: Random;
}): AppendQueue {
  const { connect, retry, random } = options;
  const waiting: QueuedAppend[] = [];
  const watchers = new Set<() => void>();
  let writer: Writer | undefined;
  /** The connection has answered. Its first append goes alone: the client lets those behind it overtake it. */
  let proven = false;
  let open = 0;
  let order = 0;
  /** Attempts that the client has not settled, and those of them that we still wait for. */
  let inFlight = 0;
  let awaited = 0;
  let failures = 0;
  let recovering = false;
  let closing = false;

  function append(request: ExactAppend): Promise<Appended> {
    if (closing) return Promise.reject(new LodeError('unavailable', 'The event store is closed.'));
    if (waiting.length >= APPENDS_WAITING_MAX) {
      return Promise.reject(new LodeError('overloaded', 'Too much is waiting to be written. Try again.'));
    }
    return new Promise((resolve, reject) => {
      const queued: QueuedAppend = {
        order: order++,
        append: request,
        resolve,
        reject,
        deadline: setTimeout(() => late(queued), retry.appendMs),
        attempts: 0,
        place: 'waiting',
        uncertain: false,
        cause: undefined,
      };
      open++;
      waiting.push(queued);
      pump();
    });
  }

  function pump(): void {
    while (!recovering && inFlight < (proven ? APPENDS_IN_FLIGHT : 1)) {
      const queued = waiting.shift();
      if (queued === undefined) return;
      void attempt(queued);
    }
  }

  /** Settles when the client does, which may be long after the attempt was given up. */
  async function attempt(queued: QueuedAppend): Promise<void> {
    let over = false;
    const finish = () => {
      if (!over) awaited--;
      over = true;
    };
    const silence = setTimeout(() => {
      finish();
      failed(queued, { kind: 'unknown', cause: new Error('no answer in time'), redirected: false });
      changed();
    }, retry.attemptMs);
    queued.attempts++;
    queued.place = 'sent';
    inFlight++;
    awaited++;
    try {
      const appended = await (writer ??= connect()).append(queued.append);
      failures = 0;
      proven = true;
      settle(queued, () => queued.resolve(appended));
    } catch (error) {
      if (!over) failed(queued, appendFailure(error));
    }
    clearTimeout(silence);
    finish();
    inFlight--;
    changed();
    pump();
  }

  function failed(queued: QueuedAppend, failure: AppendFailure): void {
    proven ||= failure.kind === 'moved' || failure.kind === 'refused';
    if (failure.kind === 'moved' && (!queued.uncertain || failure.actual > queued.append.expected)) {
      // The place is taken, and not by these events: the server would have known their ids.
      settle(queued, () => queued.reject(conflict(failure.actual)));
      return;
    }
    if (failure.kind === 'refused') {
      settle(queued, () => queued.reject(queued.uncertain ? unknownOutcome(failure.error) : failure.error));
      return;
    }
    if (failure.kind === 'unknown') queued.uncertain = true;
    if (failure.kind !== 'moved') queued.cause = failure.cause;
    if (queued.attempts >= retry.attempts) giveUp(queued);
    else if (queued.place === 'sent') putBack(queued);
    if (!recovering) void recover(failure.kind === 'unknown' && failure.redirected);
  }

  function late(queued: QueuedAppend): void {
    if (queued.place === 'sent') queued.uncertain = true;
    giveUp(queued);
  }

  function giveUp(queued: QueuedAppend): void {
    const error = queued.uncertain ? unknownOutcome(queued.cause) : unavailable(queued.cause);
    settle(queued, () => queued.reject(error));
  }

  function settle(queued: QueuedAppend, tell: () => void): void {
    if (queued.place === 'settled') return;
    if (queued.place === 'waiting') waiting.splice(waiting.indexOf(queued), 1);
    queued.place = 'settled';
    clearTimeout(queued.deadline);
    open--;
    tell();
    changed();
  }

  function putBack(queued: QueuedAppend): void {
    const later = waiting.findIndex((other) => other.order > queued.order);
    waiting.splice(later < 0 ? waiting.length : later, 0, queued);
    queued.place = 'waiting';
  }

  async function recover(redirected: boolean): Promise<void> {
    recovering = true;
    proven = false;
    failures++;
    await until(() => awaited === 0);
    await letGo();
    // The client follows a redirection by itself; after any other failure a new one holds nothing of the old one's.
    if (!redirected) writer = undefined;
    await new Promise((resolve) => {
      // Whoever waits has a deadline that keeps the process; without anybody this pause should not.
      setTimeout(resolve, pauseAfter(failures, retry, random)).unref();
    });
    recovering = false;
    pump();
  }

  async function letGo(): Promise<void> {
    await writer?.dispose();
    await until(() => inFlight === 0);
    // An append that was still waiting for the connection may have opened a stream on it in the meantime.
    await writer?.dispose();
  }

  function until(holds: () => boolean): Promise<void> {
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

  function changed(): void {
    for (const watcher of watchers) watcher();
  }

  return {
    append,
    async close() {
      closing = true;
      await until(() => open === 0);
      await letGo();
    },
  };
}

function conflict(actual: number): LodeError {
  return new LodeError('conflict', 'Somebody else changed this at the same time.', { actual });
}
