import { LRUCache } from 'lru-cache';
import {
  canonicalJson,
  chainOf,
  eventId,
  invariant,
  isLodeError,
  LodeError,
  type Actor,
  type Clock,
  type Decider,
  type DomainEvent,
  type EventText,
  type Position,
  type SealedEvent,
  type StreamEvent,
} from '#kernel';
import { limits, type Append, type Appended, type EventStore } from '#event-store';
import { fold, foldAll, learn, nothing, type Done, type Folded, type Loaded } from './folded.js';

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

/** A command, whom it is for and its context. What could not be made a command of is refused with why it could not. */
export type CommandTo<C> = {
  readonly stream: string;
  readonly command: C | LodeError;
  readonly context: CommandContext;
};

/** How many commands at once are carried out. */
export type ManyOptions = {
  /**
   * Those of one stream are carried out all, in one append, or not at all: then the ones that nothing was wrong with are
   * refused with `group_refused`, and all of them with `body_too_large` when they don't fit into an append. What had
   * been carried out before is given its first answer all the same.
   */
  readonly atomic?: boolean;
  /** Keeps the streams in memory: for work that will come back to them. */
  readonly keep?: boolean;
};

/** What a command did: its events as they are in the log. */
export type Execution<E extends DomainEvent> = {
  readonly events: readonly SealedEvent<E>[];
  /**
   * Where the log holds all of it: the position of its last event, or a later one of its stream when the engine does not
   * tell that or there is no event.
   */
  readonly position: Position;
  /** True when the command had been carried out before and this is the first answer again. */
  readonly replayed: boolean;
};

/**
 * Carries out commands on the streams of one aggregate.
 *
 * `execute` takes a command, or why none could be made: with that it refuses, unless the command was carried out before.
 *
 * `execute` errors, all `LodeError`: whatever the decision refuses with; `idempotency_key_reused` (the command id was
 * used with another request hash); `conflict` (others kept writing to the stream); `overloaded`; and the event store's.
 */
export type Executor<C, E extends DomainEvent, S> = {
  execute(stream: string, command: C | LodeError, context: CommandContext): Promise<Execution<E>>;
  /**
   * Carries out many commands as `execute` does each, those of one stream in the order given and in as few appends as
   * hold them: for bulk work. What is not in memory is read together, and not kept there afterwards unless the options
   * say so, so that those who are at work keep what they have. Answers for each in the order given, what it did or what
   * it was refused with; never throws.
   */
  executeMany(
    commands: readonly CommandTo<C>[],
    options?: ManyOptions,
  ): Promise<readonly PromiseSettledResult<Execution<E>>[]>;
  /** The current state of a stream, from the cache or the log. */
  load(stream: string): Promise<Loaded<S>>;
};

/** Folded streams that are kept in memory. */
const CACHE_MAX = 100_000;
/** Events that they have in all: what a state remembers of each is about 600 bytes. */
const CACHE_EVENTS_MAX = 1_000_000;
/** A long stream counts as no more than this: reading it again costs more than keeping it. */
const CACHE_EVENTS_COUNTED = 4_000;
/** Commands that wait for one stream. More are refused with `overloaded`. */
const QUEUE_MAX = 4_096;
/** Bundles of one stream that share one append. */
const BATCH_MAX = 256;
/** Times that a command is decided again because the stream had moved on. */
const CONFLICT_TRIES = 5;
/** The longest pause before deciding again, in milliseconds; the pause is drawn between zero and this. */
const CONFLICT_PAUSE = 20;
/** Events read from a stream at a time. */
const LOAD_PAGE = 1_000;
/** The same when many streams are read together; one that is longer is read by itself. */
const LOAD_MANY_PAGE = 100;

type Job<C, E extends DomainEvent> = {
  readonly command: C | LodeError;
  readonly context: CommandContext;
  readonly resolve: (execution: Execution<E>) => void;
  readonly reject: (error: unknown) => void;
};

/** Jobs of one stream that are carried out all or none; nearly always one. */
type Bundle<C, E extends DomainEvent> = readonly Job<C, E>[];

/** What waits for a stream, and how many jobs that is. */
type Queue<C, E extends DomainEvent> = { readonly bundles: Bundle<C, E>[]; waiting: number };

/** Events that are ready to be appended, and the text of each. */
type Sealed<E extends DomainEvent> = {
  readonly events: readonly SealedEvent<E>[];
  readonly texts: readonly EventText[];
};

/** A command that was decided and waits for the batch's append. */
type Decided<C, E extends DomainEvent> = Sealed<E> & { readonly job: Job<C, E> };

/** What some commands come to: the stream is `after` when the events of those that were decided have been appended. */
type Decisions<C, E extends DomainEvent, S> = {
  readonly decided: readonly Decided<C, E>[];
  readonly refused: readonly { readonly job: Job<C, E>; readonly error: unknown }[];
  readonly repeated: readonly { readonly job: Job<C, E>; readonly done: Done }[];
  readonly fresh: ReadonlyMap<string, Done>;
  readonly after: Folded<S>;
};

/** What a batch of bundles comes to: `taken` of them are in it. */
type Batch<C, E extends DomainEvent, S> = Decisions<C, E, S> & { readonly taken: number };

/** A batch of a stream's bundles that was decided on `before` and is about to be appended. */
type Attempt<C, E extends DomainEvent, S> = Sealed<E> & {
  readonly stream: string;
  readonly bundles: readonly Bundle<C, E>[];
  readonly before: Folded<S>;
  /** `before` was read just now, and not remembered from before. */
  readonly isCurrent: boolean;
  /** The stream is only passing through, and is not to stay in memory. */
  readonly isPassing: boolean;
  readonly batch: Batch<C, E, S>;
};

/** What came of the first try of some bundles, which was made together with other streams': as `decideAndAppend`. */
type FirstTry<C, E extends DomainEvent> = () => Promise<readonly Bundle<C, E>[]>;

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
  readonly cacheEventsMax?: number;
}): Executor<C, E, S> {
  const { store, decider, clock } = options;
  const cache = new LRUCache<string, Folded<S>>({
    max: options.cacheMax ?? CACHE_MAX,
    maxSize: options.cacheEventsMax ?? CACHE_EVENTS_MAX,
    // A state of no events is not kept.
    sizeCalculation: ({ revision }) => Math.min(revision + 1, CACHE_EVENTS_COUNTED),
  });
  const queues = new Map<string, Queue<C, E>>();

  /** The stream folded up to its last event: what is remembered, and what the log has beyond it. */
  async function load(stream: string): Promise<Folded<S>> {
    const known = cache.get(stream) ?? nothing(decider.initial);
    // What is learned goes to the remembered commands at the end only: until then others decide on what is remembered,
    // and must not meet half of a command there.
    const learned = new Map<string, Done>();
    let folded = known;
    for (;;) {
      const page = await store.readStream(stream, { from: folded.revision + 1, limit: LOAD_PAGE });
      for (const event of page as readonly StreamEvent<E>[]) {
        learn(learned, event);
        folded = fold(decider, folded, event);
      }
      if (page.length < LOAD_PAGE) break;
    }
    for (const [commandId, done] of learned) known.commands.set(commandId, done);
    return remember(stream, folded);
  }

  /** Keeps the newer of what is remembered and what was just folded: a slow read must not undo a fast append. */
  function remember(stream: string, folded: Folded<S>): Folded<S> {
    const known = cache.get(stream);
    if (known !== undefined && known.revision >= folded.revision) return known;
    if (folded.revision >= 0) cache.set(stream, folded);
    return folded;
  }

  function execute(stream: string, command: C | LodeError, context: CommandContext): Promise<Execution<E>> {
    const { promise, resolve, reject } = Promise.withResolvers<Execution<E>>();
    if (enqueue(stream, [{ command, context, resolve, reject }])) void work(stream);
    return promise;
  }

  /** Puts a bundle into its stream's queue, or refuses it. True when it begins the queue: nobody works on that yet. */
  function enqueue(stream: string, bundle: Bundle<C, E>): boolean {
    const queue = queues.get(stream);
    if (queue === undefined) {
      queues.set(stream, { bundles: [bundle], waiting: bundle.length });
      return true;
    }
    if (queue.waiting + bundle.length > QUEUE_MAX) {
      const full = new LodeError('overloaded', 'Too much is waiting for this account. Try again.');
      for (const { reject } of bundle) reject(full);
    } else {
      queue.bundles.push(bundle);
      queue.waiting += bundle.length;
    }
    return false;
  }

  function executeMany(
    commands: readonly CommandTo<C>[],
    { atomic = false, keep = false }: ManyOptions = {},
  ): Promise<readonly PromiseSettledResult<Execution<E>>[]> {
    const { promise, resolve } = Promise.withResolvers<readonly PromiseSettledResult<Execution<E>>[]>();
    const results: PromiseSettledResult<Execution<E>>[] = [];
    let open = commands.length;
    if (open === 0) resolve(results);
    const settled = (n: number, result: PromiseSettledResult<Execution<E>>) => {
      results[n] = result;
      if (--open === 0) resolve(results);
    };
    const jobs = new Map<string, Job<C, E>[]>();
    for (const [n, { stream, command, context }] of commands.entries()) {
      const job: Job<C, E> = {
        command,
        context,
        resolve: (value) => settled(n, { status: 'fulfilled', value }),
        reject: (reason) => settled(n, { status: 'rejected', reason }),
      };
      const beside = jobs.get(stream);
      if (beside === undefined) jobs.set(stream, [job]);
      else beside.push(job);
    }
    const [warm, cold]: [string[], string[]] = [[], []];
    for (const [stream, some] of jobs) {
      const bundles = atomic ? [some] : some.map((job) => [job]);
      const [isFirst] = bundles.map((bundle) => enqueue(stream, bundle));
      if (isFirst === true) (cache.has(stream) ? warm : cold).push(stream);
    }
    void appendTogether(decideMany(warm, keep));
    void readAndWorkOnMany(cold, keep);
    return promise;
  }

  /** Works on streams that are in nobody's memory, whose queues have begun. */
  async function readAndWorkOnMany(streams: readonly string[], keep: boolean): Promise<void> {
    for (let from = 0; from < streams.length; from += limits.streamsPerRead) {
      const some = streams.slice(from, from + limits.streamsPerRead);
      // A read that failed is made again for each by itself, which answers for each what came of it.
      const pages = await store.readStreams(some, LOAD_MANY_PAGE).catch(() => []);
      void appendTogether(decideMany(some, keep, pages as readonly (readonly StreamEvent<E>[])[]));
    }
  }

  /**
   * Decides what waits for streams whose queues have begun. `pages` are how the streams begin, of those that are in
   * nobody's memory. Streams that give no events go on by themselves.
   */
  function decideMany(
    streams: readonly string[],
    keep: boolean,
    pages: readonly (readonly StreamEvent<E>[])[] = [],
  ): readonly Attempt<C, E, S>[] {
    const attempts: Attempt<C, E, S>[] = [];
    streams.forEach((stream, n) => {
      const known = cache.get(stream);
      const before = known ?? wholeOf(pages[n]);
      if (before === undefined) return void work(stream);
      const bundles = take(stream) ?? [];
      try {
        const isPassing = known === undefined && !keep;
        const attempt = attemptOf(stream, bundles, before, known === undefined, isPassing);
        if (attempt.events.length > 0) attempts.push(attempt);
        else void work(stream, bundles, () => finish(attempt, undefined));
      } catch (error) {
        void work(stream, bundles, () => failWith(error));
      }
    });
    return attempts;
  }

  /** Appends the attempts of many streams at once; one whose append is not simply taken goes on by itself from there. */
  async function appendTogether(attempts: readonly Attempt<C, E, S>[]): Promise<void> {
    if (attempts.length === 0) return;
    const outcomes = await store
      .appendMany(attempts.map(appendOf))
      .catch((reason: unknown) => attempts.map(() => ({ status: 'rejected', reason }) as const));
    attempts.forEach((attempt, n) => {
      const { stream, bundles, batch } = attempt;
      const outcome = outcomes[n] ?? { status: 'rejected', reason: new LodeError('internal', 'no answer') };
      if (outcome.status === 'rejected') void work(stream, bundles, () => failWith(outcome.reason));
      else if (batch.repeated.length > 0) void work(stream, bundles, () => finish(attempt, outcome.value));
      else {
        settle(attempt, outcome.value);
        const left = batch.taken === bundles.length ? take(stream) : bundles.slice(batch.taken);
        if (left !== undefined) void work(stream, left);
      }
    });
  }

  /** The stream folded from a page that holds all of it; undefined when it may not, or can't be folded. */
  function wholeOf(page: readonly StreamEvent<E>[] | undefined): Folded<S> | undefined {
    if (page === undefined || page.length >= LOAD_MANY_PAGE) return undefined;
    try {
      return foldAll(decider, page);
    } catch {
      // Whoever reads it by itself is told why.
      return undefined;
    }
  }

  /** The next batch of what waits for a stream; undefined, and its queue is over, when nothing does. */
  function take(stream: string): readonly Bundle<C, E>[] | undefined {
    const queue = queues.get(stream);
    const bundles = queue?.bundles.splice(0, BATCH_MAX) ?? [];
    if (queue === undefined || bundles.length === 0) {
      queues.delete(stream);
      return undefined;
    }
    for (const { length } of bundles) queue.waiting -= length;
    return bundles;
  }

  /** Carries out `begun`, whose first try was made elsewhere if given, and then what waits for the stream until nothing does. */
  async function work(
    stream: string,
    begun?: readonly Bundle<C, E>[],
    firstTry?: FirstTry<C, E>,
  ): Promise<void> {
    let open = begun ?? take(stream);
    for (let first = firstTry; open !== undefined; first = undefined, open = take(stream))
      await carryOut(stream, open, first);
  }

  /** Decides a batch and appends it; on a conflict catches up and decides again. Settles every job. */
  async function carryOut(
    stream: string,
    bundles: readonly Bundle<C, E>[],
    firstTry?: FirstTry<C, E>,
  ): Promise<void> {
    let open = bundles;
    let conflicts = 0;
    let first = firstTry;
    while (open.length > 0) {
      try {
        if (first !== undefined) {
          const trying = first();
          first = undefined;
          open = await trying;
        } else {
          const known = conflicts === 0 ? cache.get(stream) : undefined;
          const before = known ?? (await load(stream));
          open = await decideAndAppend(attemptOf(stream, open, before, before !== known, false));
        }
        conflicts = 0;
      } catch (error) {
        const code = isLodeError(error) ? error.code : undefined;
        const [bundle = []] = open;
        if (isLodeError(error) && code === 'body_too_large' && open.length === 1 && bundle.length > 1) {
          // They can't be carried out together. Those that were carried out before are still answered.
          open = bundle.map((job) => [{ ...job, command: error }]);
        } else if (code === 'body_too_large' && open.length > 1) {
          // Together they are too large for an append; halved until they fit, or one is too large by itself.
          const half = Math.ceil(open.length / 2);
          await carryOut(stream, open.slice(0, half));
          open = open.slice(half);
        } else if (code === 'conflict' && ++conflicts < CONFLICT_TRIES) {
          // Once is a stream that somebody else has written to since it was remembered. Again is a race.
          if (conflicts > 1)
            await new Promise((resolve) => setTimeout(resolve, Math.random() * CONFLICT_PAUSE));
        } else {
          // What is remembered stays: it is still how the stream begins, and whoever decides on it learns of the rest.
          for (const { reject } of open.flat()) reject(error);
          return;
        }
      }
    }
  }

  /** Decides the bundles in order on `before`: as many as fit into one append. */
  function attemptOf(
    stream: string,
    bundles: readonly Bundle<C, E>[],
    before: Folded<S>,
    isCurrent: boolean,
    isPassing: boolean,
  ): Attempt<C, E, S> {
    const batch = decideAll(stream, before, bundles);
    const { events, texts } = together(batch.decided);
    return { stream, bundles, before, isCurrent, isPassing, batch, events, texts };
  }

  /**
   * Appends what an attempt's bundles gave in one append. Answers with those that did not fit into it. Throws what the
   * append failed with; then none of the jobs that gave events is settled.
   */
  async function decideAndAppend(attempt: Attempt<C, E, S>): Promise<readonly Bundle<C, E>[]> {
    const appended = attempt.events.length === 0 ? undefined : await store.append(appendOf(attempt));
    return finish(attempt, appended);
  }

  /** Settles the jobs of an attempt whose append is done. Throws `conflict` when its refusals can't be relied on. */
  async function finish(
    attempt: Attempt<C, E, S>,
    appended: Appended | undefined,
  ): Promise<readonly Bundle<C, E>[]> {
    const { stream, bundles, before, isCurrent, batch } = attempt;
    // An append proves that the batch was decided on the stream's last event. Without one, a refusal or "nothing to do"
    // may come from a state that another process has moved on from.
    const needsProof = appended === undefined && batch.decided.length + batch.refused.length > 0;
    if (needsProof && !isCurrent && (await load(stream)).revision !== before.revision) {
      throw new LodeError('conflict', 'Somebody else changed this at the same time.');
    }
    const position = settle(attempt, appended);
    await Promise.all(batch.repeated.map(({ job, done }) => replay(stream, job, done, position)));
    return bundles.slice(batch.taken);
  }

  /** Settles all jobs of an attempt but the repeated ones; a state that is only passing through is not kept. */
  function settle(attempt: Attempt<C, E, S>, appended: Appended | undefined): Position {
    const { stream, before, isPassing, batch } = attempt;
    const now = appended === undefined ? before : { ...batch.after, position: appended.position };
    for (const [commandId, done] of batch.fresh) now.commands.set(commandId, done);
    if (!isPassing) remember(stream, now);
    for (const { job, error } of batch.refused) job.reject(error);
    let written = 0;
    for (const { job, events } of batch.decided) {
      written += events.length;
      const position = events.length === 0 ? undefined : appended?.positions?.[written - 1];
      job.resolve({ events, position: position ?? now.position, replayed: false });
    }
    return now.position;
  }

  /** Decides bundles one after the other, each on the state that the one before will leave, as long as they fit together. */
  function decideAll(stream: string, before: Folded<S>, bundles: readonly Bundle<C, E>[]): Batch<C, E, S> {
    const fresh = new Map<string, Done>();
    const decided: Decided<C, E>[] = [];
    const refused: { job: Job<C, E>; error: unknown }[] = [];
    const repeated: { job: Job<C, E>; done: Done }[] = [];
    const known = (commandId: string) => before.commands.get(commandId) ?? fresh.get(commandId);
    let after = before;
    let taken = 0;
    for (const bundle of bundles) {
      const one = decideBundle(stream, after, bundle, known);
      if (one.after.revision - before.revision > limits.eventsPerAppend) break;
      decided.push(...one.decided);
      refused.push(...one.refused);
      repeated.push(...one.repeated);
      for (const [commandId, done] of one.fresh) fresh.set(commandId, done);
      after = one.after;
      taken++;
    }
    invariant(taken > 0, 'one bundle always fits into an append');
    return { decided, refused, repeated, fresh, after, taken };
  }

  /**
   * Decides the jobs of a bundle one after the other. Is one of several refused, or are they more than an append holds,
   * none of them happens. `known` finds what was carried out before.
   */
  function decideBundle(
    stream: string,
    before: Folded<S>,
    bundle: Bundle<C, E>,
    known: (commandId: string) => Done | undefined,
  ): Decisions<C, E, S> {
    const fresh = new Map<string, Done>();
    const decided: Decided<C, E>[] = [];
    const refused: { job: Job<C, E>; error: unknown }[] = [];
    const repeated: { job: Job<C, E>; done: Done }[] = [];
    let after = before;
    for (const job of bundle) {
      const { commandId, requestHash } = job.context;
      const done = known(commandId) ?? fresh.get(commandId);
      if (done !== undefined) {
        if (done.requestHash === requestHash) repeated.push({ job, done });
        else refused.push({ job, error: reused() });
        continue;
      }
      const outcome = decideOne(decider, clock, stream, after, job);
      if (outcome.kind === 'refused') {
        refused.push({ job, error: outcome.error });
        continue;
      }
      const { events, texts } = outcome;
      decided.push({ job, events, texts });
      if (events.length > 0)
        fresh.set(commandId, { requestHash, from: after.revision + 1, count: events.length });
      after = outcome.after;
    }
    const isTooLarge = after.revision - before.revision > limits.eventsPerAppend;
    if (!isTooLarge && (refused.length === 0 || bundle.length === 1))
      return { decided, refused, repeated, fresh, after };
    const own = new Map(refused.map(({ job, error }) => [job, error]));
    const rest = isTooLarge ? tooLarge() : groupRefused();
    return {
      decided: [],
      refused: bundle
        .filter((job) => own.has(job) || known(job.context.commandId) === undefined)
        .map((job) => ({ job, error: own.get(job) ?? rest })),
      repeated: repeated.filter(({ job }) => known(job.context.commandId) !== undefined),
      fresh: new Map(),
      after: before,
    };
  }

  /** The first answer again: the events that the command gave, read from the stream. */
  async function replay(stream: string, job: Job<C, E>, done: Done, now: Position): Promise<void> {
    try {
      const events = (await store.readStream(stream, {
        from: done.from,
        limit: done.count,
      })) as readonly StreamEvent<E>[];
      job.resolve({
        events: events.map(({ position: _, ...event }) => event as unknown as SealedEvent<E>),
        position: events.at(-1)?.position ?? now,
        replayed: true,
      });
    } catch (error) {
      job.reject(error);
    }
  }

  return { execute, executeMany, load };
}

/** What some commands gave, one after the other; nearly always it is one command. */
function together<E extends DomainEvent>(decided: readonly Sealed<E>[]): Sealed<E> {
  const [only] = decided;
  if (only !== undefined && decided.length === 1) return only;
  return {
    events: decided.flatMap(({ events }) => events),
    texts: decided.flatMap(({ texts }) => texts),
  };
}

function appendOf<C, E extends DomainEvent, S>({ stream, before, events, texts }: Attempt<C, E, S>): Append {
  return { stream, expected: before.revision === -1 ? 'no-stream' : before.revision, events, texts };
}

type Outcome<E extends DomainEvent, S> =
  | (Sealed<E> & { readonly kind: 'decided'; readonly after: Folded<S> })
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
  if (isLodeError(command)) return { kind: 'refused', error: command };
  const at = new Date(clock()).toISOString();
  const { commandId, requestHash, correlationId, causationId, actor, reason, session } = context;
  // In the order of canonical JSON, in which it is written sooner.
  const meta = {
    actor,
    causationId,
    commandId,
    correlationId,
    ...(reason === undefined ? {} : { reason }),
    requestHash,
    ...(session === undefined ? {} : { session }),
  };
  try {
    let { state, revision, chain } = before;
    const texts: EventText[] = [];
    const given = decider.decide(command, state, at);
    const metaText = canonicalJson(meta);
    const events = given.map((event, index) => {
      state = decider.evolve(state, event);
      revision += 1;
      const version = decider.versions[event.type as E['type']];
      const unchained = { ...event, id: eventId(commandId, index), version, stream, revision, at, meta };
      const text = { data: canonicalJson(event.data), meta: metaText };
      chain = chainOf(chain, unchained, text);
      texts.push(text);
      return { ...unchained, meta: { ...meta, chain } };
    });
    invariant(events.length <= limits.eventsPerAppend, 'a command gives no more events than an append holds');
    return { kind: 'decided', events, texts, after: { ...before, state, revision, chain } };
  } catch (error) {
    return { kind: 'refused', error };
  }
}

/** A try that fails with what another one has failed with. */
async function failWith(reason: unknown): Promise<never> {
  throw reason;
}

function reused(): LodeError {
  return new LodeError('idempotency_key_reused', 'This Idempotency-Key was used for another request.');
}

function groupRefused(): LodeError {
  return new LodeError(
    'group_refused',
    'Another one of the same group was refused, so none of them was done.',
  );
}

function tooLarge(): LodeError {
  return new LodeError('body_too_large', 'These are too many to be done together. Send fewer at once.');
}
