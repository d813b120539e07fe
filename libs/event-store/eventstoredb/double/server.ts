import {
  Server,
  type ServerCredentials,
  type sendUnaryData,
  type ServerDuplexStream,
  type ServerWritableStream,
} from '@grpc/grpc-js';
import { randomUUID } from 'node:crypto';
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type {
  BatchAppendReq,
  BatchAppendResp,
  ReadReq,
  ReadResp,
} from '@eventstore/db-client/generated/streams_pb.js';
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';
import { accessRefusal, type Access } from './access.js';
import type { LogEvent, NewEvent } from './event.js';
import type { Latency } from './latency.js';
import type { Log } from './log.js';
import {
  appendRefusal,
  appendSuccess,
  checkpointAt,
  failures,
  proposedEvents,
  readEvent,
  streamNotFound,
  subscriptionConfirmed,
  supportedMethods,
  type Release,
} from './messages.js';

/** What gRPC puts before each message. */
const GRPC_FRAME_BYTES = 5;

/** Events that wait for a subscriber to take them. One for whom more wait is too slow, and its subscription ends. */
const SUBSCRIBER_EVENTS_MAX = 256;

/** What may happen to an append. */
export type AppendFault =
  | 'cut-before-write'
  | 'cut-after-write'
  | 'no-answer-unwritten'
  | 'no-answer-written'
  | 'timeout-written'
  | 'busy'
  | 'not-leader'
  | 'unavailable'
  | 'denied';

/** What becomes of a read, after some of what it asks for: an error, a broken connection, or nothing any more. */
export type ReadFault = { readonly after: number; readonly then: 'unavailable' | 'cut' | 'silence' };

/** What the services ask of whoever runs them. */
export type House = {
  readonly log: Log;
  readonly latency: Latency;
  readonly release: Release;
  readonly access: Access | undefined;
  readonly credentials: ServerCredentials;
  /** The fault of the append that has just come, if it is to have one. */
  readonly nextFault: () => AppendFault | undefined;
  /** True when the next read is to be answered with UNAVAILABLE. */
  readonly refusesRead: () => boolean;
  /** The fault of the read that has just come, if it is to have one. */
  readonly nextReadFault: () => ReadFault | undefined;
  /** True while every call is answered with UNAVAILABLE. */
  readonly refusesAll: () => boolean;
  readonly cut: () => void;
  readonly port: () => number;
  /** The port of the node that leads, when that is another one. */
  readonly leader: () => number | undefined;
  /** Tells the subscribers of every node of what was appended. */
  readonly tell: (events: readonly LogEvent[]) => void;
};

type ReadCall = ServerWritableStream<ReadReq, ReadResp>;
type AppendCall = ServerDuplexStream<BatchAppendReq, BatchAppendResp>;
/** An append with the parts that it came in. */
type Whole = { readonly request: BatchAppendReq; readonly events: NewEvent[]; bytes: number };
type Subscriber = { readonly call: ReadCall; readonly wants: (event: LogEvent) => boolean };

export type Services = {
  /** Starts on a loopback port of its own; answers with it. */
  listen(): Promise<number>;
  /** Ends every call and stops listening. */
  shutDown(): void;
  /** Tells the subscribers of events that were not appended through the server. */
  tell(events: readonly LogEvent[]): void;
  endSubscriptions(how: 'too-slow' | 'quietly'): void;
  /** Tells subscribers that they have got as far as a position. */
  checkpoint(position: bigint): void;
  /** Subscriptions stay and are told nothing, until told otherwise. */
  stallSubscriptions(stalls: boolean): void;
  subscriptions(): number;
  openReads(): number;
  /** Reads of the log, forwards, since the start. */
  logReads(): number;
  /** Events that reads were given since the start. */
  eventsRead(): number;
  /** Streams of appends that clients have opened since the start. */
  appendStreams(): number;
};

/** The services of EventStoreDB that the client calls, over the log. */
export function createServices(house: House): Services {
  const { log, latency } = house;
  const subscribers = new Set<Subscriber>();
  const reads = new Set<ReadCall>();
  const unsynced: (() => void)[] = [];
  const server = new Server();
  let isStalled = false;
  let appendStreams = 0;
  let logReads = 0;
  let eventsRead = 0;

  server.addService(ServerFeaturesService, {
    getSupportedMethods(_: unknown, answer: sendUnaryData<SupportedMethods>) {
      if (house.refusesAll()) answer(failures.unavailable());
      else if (house.release === '20.10') answer(failures.unsupported('telling its features'));
      else answer(null, supportedMethods(house.release));
    },
  });
  server.addService(StreamsService, {
    batchAppend: takeAppends,
    read: (call: ReadCall) => void serveRead(call),
    append: unsupported('Streams.Append'),
    delete: unsupported('Streams.Delete'),
    tombstone: unsupported('Streams.Tombstone'),
  });

  function takeAppends(call: AppendCall): void {
    const refusal = accessRefusal(house.access, call.metadata, 'a stream');
    if (refusal !== undefined) return void call.emit('error', refusal);
    appendStreams++;
    const parts = new Map<string, Whole>();
    call.on('data', (request: BatchAppendReq) => {
      const id = request.getCorrelationId()?.getString() ?? '';
      const whole = parts.get(id) ?? { request, events: [], bytes: 0 };
      parts.set(id, whole);
      const bytes = request.serializeBinary().length + GRPC_FRAME_BYTES;
      whole.bytes += bytes;
      latency.came(bytes);
      whole.events.push(...proposedEvents(request));
      if (!request.getIsFinal()) return;
      parts.delete(id);
      takeAppend(call, whole);
    });
    call.on('end', () => call.end());
    call.on('error', () => undefined);
  }

  function takeAppend(call: AppendCall, { request, events, bytes }: Whole): void {
    const answer = (response: BatchAppendResp) =>
      whenSynced(() => latency.answer(bytes, () => call.write(response)));
    const leader = house.leader();
    if (leader !== undefined) return void call.emit('error', failures.notLeader(leader));
    const fault = house.refusesAll() ? 'unavailable' : house.nextFault();
    if (fault === 'unavailable') return void call.emit('error', failures.unavailable());
    if (fault === 'not-leader') return void call.emit('error', failures.notLeader(house.port()));
    if (fault === 'cut-before-write') {
      house.cut();
      return;
    }
    if (fault === 'no-answer-unwritten') return;
    if (fault === 'denied' || house.access?.forbids === 'writing') {
      answer(appendRefusal(request, { kind: 'denied' }));
      return;
    }
    if (fault === 'busy') {
      answer(appendRefusal(request, { kind: 'busy' }));
      return;
    }
    const options = request.getOptions();
    if (options === undefined || options.hasAny() || options.hasStreamExists()) {
      return void call.emit('error', failures.unsupported('an append without an exact expected revision'));
    }
    const stream = Buffer.from(options.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString();
    const expected = options.hasNoStream() ? -1n : BigInt(options.getStreamPosition());
    const before = log.all().length;
    const result = log.append(stream, expected, events);
    house.tell(log.all().slice(before));
    if (fault === 'cut-after-write') {
      house.cut();
      return;
    }
    if (fault === 'no-answer-written') return;
    if (fault === 'timeout-written') {
      answer(appendRefusal(request, { kind: 'timeout' }));
      return;
    }
    if (result.kind === 'written') answer(appendSuccess(request, result.revision, result.position));
    else if (result.kind === 'wrong-version') answer(appendRefusal(request, { ...result, expected }));
    else answer(appendRefusal(request, { kind: result.kind }));
  }

  /** Many appends share a sync, as they do on the server. */
  function whenSynced(answer: () => void): void {
    if (unsynced.push(answer) > 1) return;
    setImmediate(() => {
      log.sync();
      for (const one of unsynced.splice(0)) one();
    });
  }

  async function serveRead(call: ReadCall): Promise<void> {
    reads.add(call);
    const over = () => reads.delete(call);
    call.on('close', over);
    call.on('cancelled', over);
    call.on('error', over);
    const options = call.request.getOptions();
    if (house.refusesAll() || house.refusesRead()) return void call.emit('error', failures.unavailable());
    const leader = call.metadata.get('requires-leader').length > 0 ? house.leader() : undefined;
    if (leader !== undefined) return void call.emit('error', failures.notLeader(leader));
    // Nobody is shown what a kill could still take away.
    log.sync();
    const refusal = accessRefusal(
      house.access,
      call.metadata,
      options?.hasAll() === true ? 'the log' : 'a stream',
    );
    if (refusal !== undefined) return void call.emit('error', refusal);
    if (options === undefined || options.getResolveLinks()) {
      return void call.emit('error', failures.unsupported('resolving links'));
    }
    if (options.hasSubscription()) {
      subscribe(call, options);
      return;
    }
    if (options.hasFilter()) return void call.emit('error', failures.unsupported('a filtered read'));
    const readFault = house.nextReadFault();
    if (readFault !== undefined) return breakOff(call, options, readFault);
    const all = options.getAll();
    if (all !== undefined && !isBackwards(options)) logReads++;
    if (all !== undefined) await pour(call, counted(selectFromLog(log.all(), options, all)));
    else serveStream(call, options);
  }

  /** Gives some of the log, and then fails. */
  async function breakOff(
    call: ReadCall,
    options: ReadReq.Options,
    { after, then }: ReadFault,
  ): Promise<void> {
    const all = options.getAll();
    const events = all === undefined ? [] : [...selectFromLog(log.all(), options, all)].slice(0, after);
    for (const event of events) call.write(event);
    // What was written is on its way before the connection breaks.
    await new Promise((resolve) => setTimeout(resolve, 1));
    if (then === 'unavailable') call.emit('error', failures.unavailable());
    if (then === 'cut') house.cut();
  }

  function* counted(answers: Iterable<ReadResp>): Iterable<ReadResp> {
    for (const answer of answers) {
      eventsRead++;
      yield answer;
    }
  }

  function serveStream(call: ReadCall, options: ReadReq.Options): void {
    const from = options.getStream();
    const name = Buffer.from(from?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString();
    const events = log.stream(name);
    if (from === undefined || events === 'tombstone') {
      return void call.emit('error', failures.streamDeleted(name));
    }
    if (events === undefined || events.length === 0) {
      call.write(streamNotFound(name));
      call.end();
      return;
    }
    void pour(call, counted(selectFromStream(events, options, from, house.release)));
  }

  function subscribe(call: ReadCall, options: ReadReq.Options): void {
    const filter = options.getFilter();
    const regex = filter?.getEventType()?.getRegex() ?? '';
    if (!options.getAll()?.hasEnd() || (filter !== undefined && regex === '')) {
      const what = 'a subscription but to the end of $all, filtered by a pattern of event types';
      return void call.emit('error', failures.unsupported(what));
    }
    const pattern = new RegExp(regex);
    const subscriber = { call, wants: (event: LogEvent) => pattern.test(event.type) };
    const over = () => subscribers.delete(subscriber);
    call.on('close', over);
    call.on('cancelled', over);
    subscribers.add(subscriber);
    call.write(subscriptionConfirmed(randomUUID()));
  }

  function checkpoint(position: bigint): void {
    for (const { call } of subscribers) call.write(checkpointAt(position));
  }

  function tell(events: readonly LogEvent[]): void {
    if (isStalled) return;
    for (const event of events) {
      for (const subscriber of subscribers) {
        const { call, wants } = subscriber;
        if (wants(event)) call.write(readEvent(event, true));
        if (call.writableLength <= SUBSCRIBER_EVENTS_MAX) continue;
        subscribers.delete(subscriber);
        call.emit('error', failures.tooSlow());
      }
    }
  }

  return {
    listen: () =>
      new Promise((resolve, reject) => {
        server.bindAsync('127.0.0.1:0', house.credentials, (error, port) =>
          error === null ? resolve(port) : reject(error),
        );
      }),
    shutDown: () => server.forceShutdown(),
    tell,
    endSubscriptions(how) {
      for (const { call } of subscribers) {
        if (how === 'quietly') call.end();
        else call.emit('error', failures.tooSlow());
      }
      subscribers.clear();
    },
    checkpoint,
    stallSubscriptions: (stalls) => void (isStalled = stalls),
    subscriptions: () => subscribers.size,
    openReads: () => reads.size,
    logReads: () => logReads,
    eventsRead: () => eventsRead,
    appendStreams: () => appendStreams,
  };
}

/** Answers with the events, no faster than the reader takes them, until it cancels. */
async function pour(call: ReadCall, answers: Iterable<ReadResp>): Promise<void> {
  for (const answer of answers) {
    if (call.cancelled) return;
    if (!call.write(answer)) await roomIn(call);
  }
  call.end();
}

/** Waits until the call takes more, or is over. */
function roomIn(call: ReadCall): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      for (const event of ENOUGH) call.off(event, go);
      resolve();
    };
    for (const event of ENOUGH) call.on(event, go);
  });
}

const ENOUGH = ['drain', 'cancelled', 'close'] as const;

function* selectFromLog(
  events: readonly LogEvent[],
  options: ReadReq.Options,
  from: ReadReq.Options.AllOptions,
): Iterable<ReadResp> {
  const backwards = isBackwards(options);
  const position = from.getPosition();
  const given = position === undefined ? undefined : BigInt(position.getCommitPosition());
  let left = BigInt(options.getCount());
  const start = backwards ? from.hasStart() : from.hasEnd();
  if (start) return;
  for (const event of backwards ? events.toReversed() : events) {
    // Forwards a position is inclusive; backwards it is the end of what is read.
    if (given !== undefined && (backwards ? event.position >= given : event.position < given)) continue;
    if (left-- === 0n) return;
    yield readEvent(event, true);
  }
}

function* selectFromStream(
  events: readonly LogEvent[],
  options: ReadReq.Options,
  from: ReadReq.Options.StreamOptions,
  release: Release,
): Iterable<ReadResp> {
  const backwards = isBackwards(options);
  const given = from.hasRevision() ? BigInt(from.getRevision()) : undefined;
  let left = BigInt(options.getCount());
  for (const event of backwards ? events.toReversed() : events) {
    if (given !== undefined && (backwards ? event.revision > given : event.revision < given)) continue;
    if (left-- === 0n) return;
    yield readEvent(event, release !== '21.10');
  }
}

function isBackwards(options: ReadReq.Options): boolean {
  return options.getReadDirection() === streams.ReadReq.Options.ReadDirection.BACKWARDS;
}

function unsupported(what: string) {
  return (_: unknown, answer: sendUnaryData<never>) => answer(failures.unsupported(what));
}
