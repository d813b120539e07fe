import { NO_STREAM, type EventStoreDBClient } from '@eventstore/db-client';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { LodeError, systemClock, systemRandom, type Clock, type Random, type SealedEvent } from '#kernel';
import {
  appendEach,
  checkAppend,
  checkStreams,
  limits,
  onlyTypes,
  type Append,
  type Appended,
  type EventStore,
  type ReadByAll,
} from '../port.js';
import { createHeader } from './header.js';
import { keepingKinds } from './kinds.js';
import { createListeners } from './listeners.js';
import { createAppendQueue, type ExactAppend, type Writer } from './append-queue.js';
import { usualRetryLimits, type RetryLimits } from './retry-limits.js';
import { createReads } from './reads.js';
import { toPosition, toStored } from './records.js';
import { connect, serverOf, type Server } from './server.js';
import { tooOld } from './unreachable.js';

export type EventStoreDbOptions = {
  /**
   * `esdb://name:password@host:2113?tls=true`, or `esdb+discover://…` for a cluster. The name and password belong here:
   * given to each call they would make the client append one by one.
   */
  readonly url: string;
  /** Where the jitter of pauses comes from, and the id of a log that begins. */
  readonly random?: Random;
  /** What says when a log begins. */
  readonly clock?: Clock;
  readonly retry?: Partial<RetryLimits>;
  /** Asked before the first event of a kind is written; left out where no other program may be there. */
  readonly readByAll?: ReadByAll | undefined;
};

/**
 * What an append and each event of it take on the wire besides the event's JSON text, at most: ids, names of fields and
 * frames. The name of the stream is in the text of every event.
 */
const APPEND_OVERHEAD_BYTES = 96;
const EVENT_OVERHEAD_BYTES = 64;

/** A thread's open store: see `claimThread`. */
let threadTaken = false;

/**
 * The log in EventStoreDB 21.10 or later (a server or a cluster). Does not wait for the server: as long as it cannot be
 * reached, calls fail with `unavailable`.
 *
 * Appends and reads have a client each, so that a read that fails never takes the appends' connection with it. One
 * thread can have one store open; a second one is refused with `internal`.
 */
export async function openEventStoreDb(options: EventStoreDbOptions): Promise<EventStore> {
  const { url, random = systemRandom, clock = systemClock } = options;
  const retry = { ...usualRetryLimits, ...options.retry };
  const client = connect(url);
  const server = serverOf(url);
  const release = claimThread();
  const queue = createAppendQueue({
    connect: () => writerOn(connect(url), server),
    server,
    retry,
    random,
  });
  const reads = createReads({ client, server, retry, random });
  const listeners = createListeners({ client, retry, random });
  let closing: Promise<void> | undefined;

  async function send(request: Append): Promise<Appended> {
    const appended = await queue.append(exactly(request));
    listeners.notify();
    return appended;
  }

  const { keepKinds, ...header } = createHeader({ reads, append: send, random, clock });
  const kept = keepingKinds(send, { keepKinds, kinds: header.kinds, readByAll: options.readByAll });

  async function append(request: Append): Promise<Appended> {
    if (closing !== undefined) throw new LodeError('unavailable', 'The event store is closed.');
    return kept.append(request);
  }

  async function close(): Promise<void> {
    await kept.settled();
    await Promise.all([queue.close(), reads.close(), listeners.close()]);
    await client.dispose();
    release();
  }

  return {
    append,
    appendMany: appendEach(append),
    readStream: async (stream, read) => reads.readStream(stream, read),
    readStreams: async (streams, limit) => {
      checkStreams(streams);
      return Promise.all(streams.map((stream) => reads.readStream(stream, { limit })));
    },
    readAll: async (after, limit) => reads.readAll(after, limit),
    readTypes: async (types, after, limit) => onlyTypes(await reads.readAll(after, limit), types, after),
    head: async () => reads.head(),
    last: async () => reads.last(),
    ...header,
    onAppended: (listener) => listeners.add(listener),
    close: () => (closing ??= close()),
  };
}

/**
 * The client's bookkeeping of open appends is global to its module, that is to a thread: two stores would take each
 * other's answers. A worker thread has a module, and so a store, of its own.
 */
function claimThread(): () => void {
  if (threadTaken) {
    throw new LodeError(
      'internal',
      'This thread already has an EventStoreDB store open, and two of them would mix up their answers. Close that one first, or open the second in a worker thread.',
    );
  }
  threadTaken = true;
  return () => {
    threadTaken = false;
  };
}

function writerOn(client: EventStoreDBClient, server: Server): Writer {
  let isRecent = false;
  return {
    async append({ stream, expected, events }) {
      // Without batches the client appends in a way that nothing here was made for. The first append goes alone.
      if (!isRecent && !(await client['supports'](StreamsService.batchAppend))) throw tooOld(server);
      isRecent = true;
      const result = await client.appendToStream(stream, events.map(toStored), {
        expectedRevision: expected === -1 ? NO_STREAM : BigInt(expected),
        requiresLeader: true,
      });
      const revision = Number(result.nextExpectedRevision);
      const position = toPosition(result.position);
      if (revision !== expected + events.length || position === undefined) {
        throw new LodeError(
          'internal',
          `EventStoreDB wrote to the stream ${stream} at revision ${revision} instead of ${expected + events.length}: was the stream deleted?`,
        );
      }
      return { revision, position };
    },
    dispose: () => client.dispose(),
  };
}

/**
 * The append with its exact place. Every envelope carries its revision, so `stream-exists` has one place only where it
 * can go; and with an exact place the server knows the same append again, which it does not do for `stream-exists`.
 */
function exactly({ stream, expected, events }: Append): ExactAppend {
  checkAppend({ stream, expected, events });
  const first = events[0]?.revision ?? 0;
  const before = expected === 'no-stream' ? -1 : expected === 'stream-exists' ? first - 1 : expected;
  if (first !== before + 1) {
    throw new LodeError('internal', `the events to append to ${stream} do not follow revision ${before}`);
  }
  if (expected === 'stream-exists' && before === -1) {
    throw new LodeError('conflict', 'Somebody else changed this at the same time.', { actual: -1 });
  }
  const bytes = events.reduce((sum, event) => sum + bytesOf(event), 0);
  if (bytes > limits.bytesPerAppend) {
    throw new LodeError(
      'body_too_large',
      `an append holds at most ${limits.bytesPerAppend} bytes, not ${bytes}`,
    );
  }
  return {
    stream,
    expected: before,
    events,
    bytes: bytes + APPEND_OVERHEAD_BYTES + events.length * EVENT_OVERHEAD_BYTES,
  };
}

function bytesOf(event: SealedEvent): number {
  return Buffer.byteLength(JSON.stringify(event));
}
