import { LRUCache } from 'lru-cache';
import {
  chainOf,
  chainStart,
  eventId,
  invariant,
  isLodeError,
  LodeError,
  logStart,
  type Actor,
  type Clock,
  type Decider,
  type DomainEvent,
  type Position,
  type SealedEvent,
  type StreamEvent,
} from '#kernel';
import { limits, type Appended, type EventStore } from '#event-store';

/** Everything about a command that is not the command itself. */
export type CommandContext = {
  readonly actor: Actor;
  readonly commandId: string;
  /** SHA-256 of the request: what tells a repeated command from a reused key. */
  readonly requestHash: string;
  readonly correlationId: string;
  readonly causationId: string;
  readonly reason?: string;
  readonly session?: string;
};

/** What a command did: its events as they are in the log, and where the log stood then. */
export type Execution<E extends DomainEvent> = {
  readonly events: readonly SealedEvent<E>[];
  readonly position: Position;
  /** True when the command had been carried out before and this is the first answer again. */
  readonly replayed: boolean;
};

/** A folded stream as of its last event. `revision` is −1 and `position` the log's start when it has none. */
export type Loaded<S> = {
  readonly state: S;
  readonly revision: number;
  readonly position: Position;
  readonly chain: string;
};

/**
 * Carries out commands on the streams of one aggregate.
 *
 * `execute` errors, all `LodeError`: whatever the decision refuses with; `idempotency_key_reused` (the command id was
 * used with another request hash); `conflict` (others kept writing to the stream); `overloaded`; and the event store's.
 */
export type Executor<C, E extends DomainEvent, S> = {
  execute(stream: string, command: C, context: CommandContext): Promise<Execution<E>>;
  /** The current state of a stream, from the cache or the log. */
  load(stream: string): Promise<Loaded<S>>;
};

/** Folded streams that are kept in memory. */
const CACHE_MAX = 100_000;
/** Commands that wait for one stream. More are refused with `overloaded`. */
const QUEUE_MAX = 4_096;
/** Commands of one stream that share one append. */
const BATCH_MAX = 256;
/** Times that a command is decided again because the stream had moved on. */
const CONFLICT_TRIES = 5;
/** The longest pause before deciding again, in milliseconds; the pause is drawn between zero and this. */
const CONFLICT_PAUSE = 20;
/** Events read from a stream at a time. */
const LOAD_PAGE = 1_000;

/** What the stream remembers of a command it has carried out: its request, and which events are its. */
type Done = { readonly requestHash: string; readonly from: number; readonly count: number };

type Folded<S> = Loaded<S> & {
  /** Grows with the stream; owned by this entry, so that folding one event costs one entry and not a copy. */
  readonly commands: Map<string, Done>;
};

type Job<C, E extends DomainEvent> = {
  readonly command: C;
  readonly context: CommandContext;
  readonly resolve: (execution: Execution<E>) => void;
  readonly reject: (error: unknown) => void;
};

type Queue<C, E extends DomainEvent> = { readonly jobs: Job<C, E>[] };

/** A command that was decided and waits for the batch's append. */
type Decided<C, E extends DomainEvent> = { readonly job: Job<C, E>; readonly events: readonly SealedEvent<E>[] };

/**
 * The one write path of an aggregate: load, check the command id, decide, seal, append with the expected revision.
 *
 * Commands to one stream that arrive while its append is under way are decided one after the other, each on the state
 * that the one before will leave, and share the next append. There is never more than one append under way for a stream:
 * one that was sent ahead could be accepted on top of somebody else's event after the one before it was refused.
 */
export function createExecutor<C, E extends DomainEvent, S>(options: {
  readonly store: EventStore;
  readonly decider: Decider<C, E, S>;
  readonly clock: Clock;
  readonly cacheMax?: number;
}): Executor<C, E, S> {
  const { store, decider, clock } = options;
  const cache = new LRUCache<string, Folded<S>>({ max: options.cacheMax ?? CACHE_MAX });
  const queues = new Map<string, Queue<C, E>>();

  /** The stream folded up to its last event: what is remembered, and what the log has beyond it. */
  async function load(stream: string): Promise<Folded<S>> {
    let folded: Folded<S> = cache.get(stream) ?? {
      state: decider.initial,
      revision: -1,
      position: logStart,
      chain: chainStart,
      commands: new Map(),
    };
    for (;;) {
      const page = await store.readStream(stream, { from: folded.revision + 1, limit: LOAD_PAGE });
      for (const event of page as readonly StreamEvent<E>[]) folded = fold(decider, folded, event);
      if (page.length < LOAD_PAGE) break;
    }
    return remember(stream, folded);
  }

  /** Keeps the newer of what is remembered and what was just folded: a slow read must not undo a fast append. */
  function remember(stream: string, folded: Folded<S>): Folded<S> {
    const known = cache.get(stream);
    if (known !== undefined && known.revision >= folded.revision) return known;
    if (folded.revision >= 0) cache.set(stream, folded);
    return folded;
  }

  function execute(stream: string, command: C, context: CommandContext): Promise<Execution<E>> {
    return new Promise((resolve, reject) => {
      const job = { command, context, resolve, reject };
      const queue = queues.get(stream);
      if (queue === undefined) {
        queues.set(stream, { jobs: [job] });
        void work(stream);
      } else if (queue.jobs.length >= QUEUE_MAX) {
        reject(new LodeError('overloaded', 'Too much is waiting for this account. Try again.'));
      } else queue.jobs.push(job);
    });
  }

  /** Carries out what waits for a stream, batch by batch, until nothing does. */
  async function work(stream: string): Promise<void> {
    for (;;) {
      const jobs = queues.get(stream)?.jobs.splice(0, BATCH_MAX) ?? [];
      if (jobs.length === 0) {
        queues.delete(stream);
        return;
      }
      await carryOut(stream, jobs);
    }
  }

  /** Decides a batch and appends it; on a conflict loads again and decides again. Settles every job. */
  async function carryOut(stream: string, jobs: readonly Job<C, E>[]): Promise<void> {
    let open = jobs;
    for (let attempt = 1; open.length > 0; attempt++) {
      try {
        const before = cache.get(stream) ?? (await load(stream));
        open = await decideAndAppend(stream, before, open);
      } catch (error) {
        cache.delete(stream);
        if (!isLodeError(error) || error.code !== 'conflict' || attempt >= CONFLICT_TRIES) {
          for (const job of open) job.reject(error);
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, Math.random() * CONFLICT_PAUSE));
      }
    }
  }

  /**
   * Decides the jobs in order on `before` and appends what they gave in one append. Answers with the jobs that did not
   * fit into it. Throws what the append failed with; then none of the jobs that gave events is settled.
   */
  async function decideAndAppend(
    stream: string,
    before: Folded<S>,
    jobs: readonly Job<C, E>[],
  ): Promise<readonly Job<C, E>[]> {
    let after = before;
    const fresh = new Map<string, Done>();
    const decided: Decided<C, E>[] = [];
    const replays: { job: Job<C, E>; done: Done }[] = [];
    const settled: (() => void)[] = [];
    let taken = 0;
    let size = 0;
    for (const job of jobs) {
      const { commandId, requestHash } = job.context;
      const done = before.commands.get(commandId) ?? fresh.get(commandId);
      if (done !== undefined) {
        if (done.requestHash === requestHash) replays.push({ job, done });
        else settled.push(() => job.reject(reused()));
        taken++;
        continue;
      }
      const outcome = decideOne(decider, clock, stream, after, job);
      if (outcome.kind === 'refused') {
        settled.push(() => job.reject(outcome.error));
        taken++;
        continue;
      }
      if (size + outcome.events.length > limits.eventsPerAppend) break;
      size += outcome.events.length;
      taken++;
      decided.push({ job, events: outcome.events });
      if (outcome.events.length === 0) continue;
      fresh.set(commandId, { requestHash, from: after.revision + 1, count: outcome.events.length });
      after = outcome.after;
    }
    invariant(taken > 0, 'one command always fits into an append');
    const appended = await appendAll(stream, before, decided);
    const now = appended === undefined ? before : { ...after, position: appended.position };
    for (const [commandId, done] of fresh) now.commands.set(commandId, done);
    cache.set(stream, now);
    for (const settle of settled) settle();
    for (const { job, events } of decided) job.resolve({ events, position: now.position, replayed: false });
    await Promise.all(replays.map(({ job, done }) => replay(stream, job, done, now.position)));
    return jobs.slice(taken);
  }

  async function appendAll(
    stream: string,
    before: Folded<S>,
    decided: readonly Decided<C, E>[],
  ): Promise<Appended | undefined> {
    const events = decided.length === 1 ? (decided[0]?.events ?? []) : decided.flatMap((one) => one.events);
    if (events.length === 0) return undefined;
    return store.append({ stream, expected: before.revision === -1 ? 'no-stream' : before.revision, events });
  }

  /** The first answer again: the events that the command gave, read from the stream. */
  async function replay(stream: string, job: Job<C, E>, done: Done, now: Position): Promise<void> {
    try {
      const events = (await store.readStream(stream, { from: done.from, limit: done.count })) as readonly StreamEvent<E>[];
      job.resolve({
        events: events.map(({ position: _, ...event }) => event as unknown as SealedEvent<E>),
        position: events.at(-1)?.position ?? now,
        replayed: true,
      });
    } catch (error) {
      job.reject(error);
    }
  }

  return { execute, load };
}

type Outcome<E extends DomainEvent, S> =
  | { readonly kind: 'decided'; readonly events: readonly SealedEvent<E>[]; readonly after: Folded<S> }
  | { readonly kind: 'refused'; readonly error: unknown };

/**
 * The events that a command gives on a state, in envelopes that continue the stream's chain. They are folded before they
 * are given away: an event that the state cannot take (a balance below zero) stops here, before the append.
 */
function decideOne<C, E extends DomainEvent, S>(
  decider: Decider<C, E, S>,
  clock: Clock,
  stream: string,
  before: Folded<S>,
  { command, context }: Job<C, E>,
): Outcome<E, S> {
  const at = new Date(clock()).toISOString();
  const { commandId, requestHash, correlationId, causationId, actor, reason, session } = context;
  const meta = {
    actor,
    commandId,
    requestHash,
    correlationId,
    causationId,
    ...(reason === undefined ? {} : { reason }),
    ...(session === undefined ? {} : { session }),
  };
  try {
    let { state, revision, chain } = before;
    const events = decider.decide(command, state, at).map((event, index) => {
      state = decider.evolve(state, event);
      revision += 1;
      const version = decider.versions[event.type as E['type']];
      const unchained = { ...event, id: eventId(commandId, index), version, stream, revision, at, meta };
      chain = chainOf(chain, unchained);
      return { ...unchained, meta: { ...meta, chain } };
    });
    return { kind: 'decided', events, after: { ...before, state, revision, chain } };
  } catch (error) {
    return { kind: 'refused', error };
  }
}

/** The state after one more event of the log, the command it came from remembered. */
function fold<C, E extends DomainEvent, S>(
  decider: Decider<C, E, S>,
  before: Folded<S>,
  event: StreamEvent<E>,
): Folded<S> {
  const { commandId, requestHash, chain } = event.meta;
  const from = before.commands.get(commandId)?.from ?? event.revision;
  const count = Math.max(before.commands.get(commandId)?.count ?? 0, event.revision - from + 1);
  before.commands.set(commandId, { requestHash, from, count });
  return {
    state: decider.evolve(before.state, event),
    revision: event.revision,
    position: event.position ?? before.position,
    chain,
    commands: before.commands,
  };
}

function reused(): LodeError {
  return new LodeError('idempotency_key_reused', 'This Idempotency-Key was used for another request.');
}
