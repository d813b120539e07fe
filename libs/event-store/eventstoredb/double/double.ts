import { randomUUID } from 'node:crypto';
import { ServerCredentials } from '@grpc/grpc-js';
import { freePort } from '#kernel/testing/port';
import type { Access } from './access.js';
import type { LogEvent } from './event.js';
import { createLatency, type AppendTraffic } from './latency.js';
import { openJournal } from './journal.js';
import { createLog } from './log.js';
import type { Release } from './messages.js';
import { openNetwork, type Network } from './network.js';
import { createServices, type AppendFault, type ReadFault, type Services } from './server.js';

/**
 * A double of a single EventStoreDB node, on a real loopback socket, for the real client. It keeps its log in memory,
 * over `stop` and `start`, and does what a server 21.10 was seen to do; what it does not do it refuses by name.
 */
export type EventStoreDbDouble = {
  /** The connection string; the port stays the same over `stop` and `start`. */
  readonly url: string;
  readonly port: number;
  /** Every event of the log, the server's own and other applications' among them. */
  all(): readonly LogEvent[];
  /** The next append that comes has this fault; given several times, the ones after it have theirs. */
  failNextAppend(...faults: readonly AppendFault[]): void;
  /** The next read of the log ends so, before it has given all; given several times, the ones after it do. */
  breakNextRead(...faults: readonly ReadFault[]): void;
  /** Tells subscribers that they have got as far as a position, where there may be no event yet. */
  checkpoint(position: bigint): void;
  /** The next reads are answered with UNAVAILABLE. */
  refuseReads(count: number): void;
  /** Every call is answered with UNAVAILABLE, until told otherwise. */
  refuseAll(refuses: boolean): void;
  /**
   * From now on answers to appends leave together, once no append has come for `ms`: what is sent at once, however slowly
   * this machine does it, is answered after one round trip.
   */
  holdAnswers(ms: number): void;
  /** What was seen of appends since `holdAnswers`. */
  traffic(): AppendTraffic;
  /** Cuts every connection. */
  cut(): void;
  /** Goes silent without closing anything, until `thaw`; then what was sent in the meantime arrives. */
  freeze(): void;
  thaw(): void;
  /** Ends every subscription, as the server does with a slow one or as it does on its way down. */
  endSubscriptions(how: 'too-slow' | 'quietly'): void;
  /** Subscriptions stay and are told nothing, until told otherwise. */
  stallSubscriptions(stalls: boolean): void;
  subscriptions(): number;
  /** Calls of reads and subscriptions that the client has not ended. */
  openReads(): number;
  /** Reads of the log, forwards, since the last start. */
  logReads(): number;
  /** Events that reads were given since the last start. */
  eventsRead(): number;
  /** Streams of appends that clients have opened since the last start. */
  appendStreams(): number;
  /** Writes events of the server's own, or of another application, which may share a stream's name with us. */
  writeOthers(count: number, kind: 'system' | 'foreign', stream?: string): void;
  /** Deletes a stream as an operator can. */
  softDelete(stream: string): void;
  tombstone(stream: string): void;
  /** Starts another node over the same log, which leads from now on: the others name it to who needs the leader. */
  changeLeader(): Promise<void>;
  stop(): Promise<void>;
  /** Starts one node, which leads. */
  start(): Promise<void>;
};

/** A node: the leader is the last that was started. */
type Node = { readonly services: Services; readonly network: Network };

/** What a double is like, where it isn't like a server 21.10 that speaks no TLS and lets everybody in. */
export type DoubleOptions = {
  readonly release?: Release;
  readonly tls?: { readonly key: Buffer; readonly certificate: Buffer };
  readonly access?: Access;
  /** A file that has every append before it is answered, so that the log outlives the process. */
  readonly file?: string | undefined;
  /** Any when left out. */
  readonly port?: number;
};

export async function startDouble(options: DoubleOptions = {}): Promise<EventStoreDbDouble> {
  const { release = '21.10', tls, access, file } = options;
  const credentials =
    tls === undefined
      ? ServerCredentials.createInsecure()
      : ServerCredentials.createSsl(null, [{ private_key: tls.key, cert_chain: tls.certificate }]);
  const log = createLog(file === undefined ? undefined : openJournal(file));
  const latency = createLatency();
  const faults: AppendFault[] = [];
  const readFaults: ReadFault[] = [];
  let readsRefused = 0;
  let refusing = false;
  const port = options.port ?? (await freePort());
  let nodes: readonly Node[] = [];

  const portOf = (node: number) => nodes[node]?.network.port ?? port;
  const tell = (events: readonly LogEvent[]) => {
    for (const { services } of nodes) services.tell(events);
  };
  const cut = () => {
    for (const { network } of nodes) network.cut();
  };
  const sum = (count: (services: Services) => number) =>
    nodes.reduce((total, { services }) => total + count(services), 0);

  async function startNode(at: number): Promise<void> {
    const own = nodes.length;
    const services = createServices({
      log,
      latency,
      release,
      access,
      credentials,
      nextFault: () => faults.shift(),
      nextReadFault: () => readFaults.shift(),
      refusesRead: () => readsRefused-- > 0,
      refusesAll: () => refusing,
      cut,
      port: () => portOf(own),
      leader: () => (own === nodes.length - 1 ? undefined : portOf(nodes.length - 1)),
      tell,
    });
    const network = await openNetwork(await services.listen(), at);
    nodes = [...nodes, { services, network }];
  }

  const start = () => startNode(port);

  async function stop(): Promise<void> {
    for (const { services } of nodes) services.shutDown();
    await Promise.all(nodes.map(({ network }) => network.close()));
    nodes = [];
  }

  function writeOthers(
    count: number,
    kind: 'system' | 'foreign',
    stream = kind === 'system' ? '$stats-127.0.0.1:2113' : 'somebody-elses',
  ): void {
    const before = log.all().length;
    const known = log.stream(stream);
    const length = known === undefined || known === 'tombstone' ? 0 : known.length;
    log.append(
      stream,
      BigInt(length) - 1n,
      Array.from({ length: count }, () => ({
        id: randomUUID(),
        type: kind === 'system' ? '$statsCollected' : 'SomethingElse',
        contentType: 'application/json',
        data: Buffer.from('{}'),
        metadata: Buffer.from(kind === 'system' ? '' : '{"version":1}'),
      })),
    );
    tell(log.all().slice(before));
  }

  if (log.all().length === 0) writeOthers(3, 'system');
  await start();
  return {
    url: `esdb://127.0.0.1:${port}?tls=${tls !== undefined}`,
    port,
    all: log.all,
    failNextAppend: (...more) => void faults.push(...more),
    breakNextRead: (...more) => void readFaults.push(...more),
    checkpoint: (position) => {
      for (const { services } of nodes) services.checkpoint(position);
    },
    refuseReads: (count) => void (readsRefused = count),
    refuseAll: (refuses) => void (refusing = refuses),
    holdAnswers: (ms) => latency.hold(ms),
    traffic: () => latency.traffic(),
    cut,
    freeze: () => {
      for (const { network } of nodes) network.freeze();
    },
    thaw: () => {
      for (const { network } of nodes) network.thaw();
    },
    endSubscriptions: (how) => {
      for (const { services } of nodes) services.endSubscriptions(how);
    },
    stallSubscriptions: (stalls) => {
      for (const { services } of nodes) services.stallSubscriptions(stalls);
    },
    subscriptions: () => sum((services) => services.subscriptions()),
    openReads: () => sum((services) => services.openReads()),
    logReads: () => sum((services) => services.logReads()),
    eventsRead: () => sum((services) => services.eventsRead()),
    appendStreams: () => sum((services) => services.appendStreams()),
    changeLeader: () => startNode(0),
    writeOthers,
    softDelete: (stream) => log.softDelete(stream),
    tombstone: (stream) => log.tombstone(stream),
    stop,
    start,
  };
}
