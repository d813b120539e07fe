import { comparePositions, logStart, type Hold, type Position } from '#kernel';
import { startTally, type TallyCommand } from '#commands/testing';
import type { EventStore } from '#event-store';
import { createMemoryEventStore } from '#event-store/memory';
import { until } from '#kernel/testing';
import {
  createReactorRunner,
  followUpsOf,
  type Checkpoints,
  type ParkedEvent,
  type Reactor,
  type ReactorLimits,
  type ReactorReport,
  type ReactorRunner,
} from '../index.js';

/** The machine's own pace: no pauses that a test would wait for. */
export const quick: Partial<ReactorLimits> = {
  gatherMs: 0,
  pollMs: 5,
  backOffFirstMs: 1,
  backOffLastMs: 2,
  retryFirstMs: 1,
  retryLastMs: 2,
};

/** Checkpoints that live as long as the test, and what was saved, oldest first. */
export function memoryCheckpoints(): Checkpoints & { saves: number; lose(): void; back(to: Position): void } {
  let position = logStart;
  let ordinal = 0;
  let parked = new Map<Position, ParkedEvent>();
  return {
    saves: 0,
    load: async () => ({ position, ordinal, parked: [...parked.values()] }),
    async save(_, progress) {
      this.saves += 1;
      ({ position, ordinal } = progress);
      for (const event of progress.put) parked.set(event.position, event);
      for (const at of progress.remove) parked.delete(at);
    },
    lose() {
      position = logStart;
      ordinal = 0;
      parked = new Map();
    },
    back(to) {
      // The memory store's positions count its events.
      if (comparePositions(to, position) < 0) [position, ordinal] = [to, Number(to)];
    },
  };
}

/**
 * What follows from what is added to `in-{x}`: the same is added to `out-{x}` and to `sum`; and from a note `take`, that
 * much is taken from `bank-{x}`, which is refused while it holds less. Events of one `in-{x}` keep their order.
 */
export const echo: Reactor<TallyCommand> = {
  name: 'echo',
  handles: ['Added'],
  keyOf: ({ stream }) => stream,
  on: ({ stream, data }) => {
    if (!stream.startsWith('in-')) return [];
    const x = stream.slice('in-'.length);
    const amount = Number(data['amount']);
    if (data['note'] === 'take')
      return [{ stream: `bank-${x}`, step: 'take', command: { do: 'take', amount } }];
    return [
      { stream: `out-${x}`, step: 'echo', command: { do: 'add', amount } },
      { stream: 'sum', step: 'sum', command: { do: 'add', amount } },
    ];
  },
};

export type Life = {
  readonly runner: ReactorRunner;
  readonly reports: ReactorReport[];
  readonly isDead: () => boolean;
  /** Stops it, unless it dies over that. */
  readonly end: () => Promise<void>;
};

/** A log, checkpoints, and runners that live on them one after the other or at once. */
export type World = {
  readonly store: EventStore;
  readonly checkpoints: ReturnType<typeof memoryCheckpoints>;
  readonly tally: ReturnType<typeof startTally>;
  /**
   * A new process on what is there. It dies at its step number `stepsToLive`: before a call, or after one whose answer
   * it then never sees. From its death on nothing that it asks for is ever done or answered.
   */
  live(options?: {
    readonly stepsToLive?: number;
    readonly reactor?: Reactor<TallyCommand>;
    readonly limits?: Partial<ReactorLimits>;
    readonly hold?: Hold;
  }): Life;
};

export function createWorld(store: EventStore = createMemoryEventStore()): World {
  const checkpoints = memoryCheckpoints();
  const tally = startTally(store);

  function live(options: Parameters<World['live']>[0] = {}): Life {
    const { stepsToLive = Infinity, reactor = echo, hold } = options;
    const never = new Promise<never>(() => undefined);
    let steps = 0;
    let isDead = false;
    const mortal = async <T>(call: () => Promise<T>): Promise<T> => {
      if (isDead || (steps += 1) > stepsToLive) {
        isDead = true;
        return never;
      }
      const answer = await call();
      if ((steps += 1) > stepsToLive) {
        isDead = true;
        return never;
      }
      return answer;
    };
    // Its own executor: what a process remembers of streams dies with it.
    const own = startTally(store);
    const reports: ReactorReport[] = [];
    const runner = createReactorRunner<TallyCommand>({
      name: reactor.name,
      log: { head: () => mortal(() => store.head()) },
      followUps: followUpsOf(reactor, {
        readTypes: (types, after, limit) => mortal(() => store.readTypes(types, after, limit)),
        readStream: (stream, read) => mortal(() => store.readStream(stream, read)),
      }),
      checkpoints: {
        load: (name) => mortal(() => checkpoints.load(name)),
        save: (name, progress) => mortal(() => checkpoints.save(name, progress)),
      },
      execute: ({ stream, command }, context) => mortal(() => own.execute(stream, command, context)),
      report: (report) => reports.push(report),
      hold,
      limits: { ...quick, ...options.limits },
    });
    runner.start();
    const end = async () => {
      let isStopped = false;
      void runner.stop().then(() => (isStopped = true));
      await until(() => isStopped || isDead);
    };
    return { runner, reports, isDead: () => isDead, end };
  }

  return { store, checkpoints, tally, live };
}
