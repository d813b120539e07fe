import type { RecordedEvent } from '#kernel';
import { LodeError } from '#kernel';
import type { Append, Appended, EventStore, LogHeader } from '#event-store';
import { createMemoryEventStore } from '#event-store/memory';
import type { Life } from './machines.js';
import { call, latency, type Server, type World } from './network.js';
import type { PlantedBug } from './plan.js';

/** The log on its server. */
export type LogServer = {
  /** The log itself, for whoever looks at it from outside the simulation. */
  readonly inner: () => EventStore;
  readonly events: () => readonly RecordedEvent[];
  /** The log as a program has it. */
  readonly seenBy: (life: Life) => EventStore;
  /** It ends and comes back: what was on its way to the disk is there or not, from some append on. */
  readonly restart: (ms: number) => void;
};

/** An append that waits for the disk. */
type Waiting = { readonly request: Append; readonly done: PromiseWithResolvers<Appended> };

/** How long the disk takes, in milliseconds, at most: appends that come meanwhile share the next write. */
const SYNC_MS = 3;
/** The share of appends that a log which lies tells as refused. */
const KEPT = 0.05;
/** Acknowledged appends that a log which forgets them comes back without, at most. */
const FORGOTTEN_MAX = 3;

export function createLogServer(world: World, bug: PlantedBug | undefined): LogServer {
  const { time, draws } = world;
  const header: LogHeader = { logId: '00000000-0000-4000-8000-000000000000', partitions: 1 };
  const server: Server = { name: 'log', awayUntil: 0 };
  let events: RecordedEvent[] = [];
  let inner = createMemoryEventStore(events, header);
  let waiting: Waiting[] = [];
  const listeners = new Set<{ readonly life: Life; readonly hear: () => void }>();

  const wake = () => {
    for (const { life, hear } of listeners)
      if (!draws.chance(world.plan.deaf)) time.after(latency(world), 'wake-up', hear, life);
  };
  /** Writes what waits, one after the other; what was written is told. */
  const sync = async () => {
    const some = waiting;
    waiting = [];
    for (const { request, done } of some) await inner.append(request).then(done.resolve, done.reject);
    if (some.length > 0) wake();
  };
  const append = (request: Append): Promise<Appended> => {
    const done = Promise.withResolvers<Appended>();
    if (waiting.length === 0) time.after(draws.between(0, SYNC_MS), 'log sync', () => void sync());
    waiting.push({ request, done });
    return done.promise;
  };
  const keptButRefused = async (request: Append): Promise<Appended> => {
    const appended = await append(request);
    if (bug !== 'refused-append-kept' || !draws.chance(KEPT)) return appended;
    throw new LodeError('storage_failed', 'planted: it is in the log');
  };

  const seenBy = (life: Life): EventStore => {
    const read =
      <Args extends readonly unknown[], Answer>(what: string, work: (...args: Args) => Promise<Answer>) =>
      (...args: Args) =>
        call(world, life, server, what, 'unavailable', () => work(...args));
    const write = (request: Append) =>
      call(world, life, server, `append ${request.stream}`, 'unknown_outcome', () => keptButRefused(request));
    return {
      append: write,
      appendMany: (appends) => Promise.allSettled(appends.map(write)),
      readStream: read('readStream', (...args) => inner.readStream(...args)),
      readStreams: read('readStreams', (...args) => inner.readStreams(...args)),
      readAll: read('readAll', (...args) => inner.readAll(...args)),
      readTypes: read('readTypes', (...args) => inner.readTypes(...args)),
      head: read('head', () => inner.head()),
      last: read('last', () => inner.last()),
      header: read('header', () => inner.header()),
      ensureHeader: read('ensureHeader', () => inner.ensureHeader()),
      kinds: read('kinds', () => inner.kinds()),
      changeHeader: read('changeHeader', (change) => inner.changeHeader(change)),
      onAppended: (hear) => {
        const listener = { life, hear };
        listeners.add(listener);
        const stop = () => listeners.delete(listener);
        life.onEnd(stop);
        return stop;
      },
      close: async () => undefined,
    };
  };

  return {
    inner: () => inner,
    events: () => events,
    seenBy,
    restart: (ms) => {
      const [some, kept] = [waiting, draws.below(waiting.length + 1)];
      waiting = [];
      server.awayUntil = time.now() + ms;
      const written = some.slice(0, kept).map(({ request }) => inner.append(request).catch(() => undefined));
      for (const { done } of some) done.reject(new LodeError('unknown_outcome', 'injected: the log ended'));
      void Promise.all(written).then(() => {
        if (bug !== 'acknowledged-append-lost') return;
        events = events.slice(0, Math.max(0, events.length - 1 - draws.below(FORGOTTEN_MAX)));
        inner = createMemoryEventStore(events, header);
      });
    },
  };
}
