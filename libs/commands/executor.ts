import {
  LodeError,
  noHold,
  systemRandom,
  systemTimers,
  type Clock,
  type Decider,
  type DomainEvent,
  type Hold,
  type Random,
  type Timers,
  type Tracer,
} from '#kernel';
import type { EventStore } from '#event-store';
import { appendOnce } from './append.js';
import type { Execution, Executor, Group, Pending } from './command.js';
import { decideBatch } from './decide.js';
import { createExecuteMany } from './many.js';
import { createOpenOutcomes, hasOpen, toldTruly, unknownOutcome, type OpenOutcomes } from './outcomes.js';
import type { ExecutorParts } from './parts.js';
import { startRace } from './race.js';
import { answerRepeats, hasRepeats } from './repeats.js';
import {
  BATCH_MAX,
  appendOf,
  committedBy,
  groupsIn,
  leftAfter,
  openGroups,
  rejectAll,
  settle,
  settleAppended,
  withoutWriting,
  type OpenGroups,
  type AppendAttempt,
} from './settle.js';
import { createStateCache, type StateCache } from './state-cache.js';
import { createStates } from './states.js';
import { createStreamQueues } from './stream-queue.js';
import { traced } from './traced.js';

/** Commands that wait for one stream. More are refused with `overloaded`. */
const WAITING_MAX = 4_096;

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
  /** Why no event may be given an instant of the clock; left out where it is right whatever it says. */
  readonly hold?: Hold | undefined;
  readonly timers?: Timers;
  readonly random?: Random;
  /** What keeps the states in memory: one for the whole program. */
  readonly cache?: StateCache;
  /** What remembers the commands whose outcome is not known: one for the whole program. */
  readonly outcomes?: OpenOutcomes;
  /** Left out where nobody traces commands. */
  readonly tracer?: Tracer | undefined;
}): Executor<C, E, S> {
  const { store, decider, clock, timers = systemTimers, random = systemRandom, tracer } = options;
  const { outcomes = createOpenOutcomes(), hold = noHold } = options;
  const states = createStates({ store, decider, timers, cache: options.cache ?? createStateCache() });
  const queues = createStreamQueues<Pending<C, E>>({ waitingMax: WAITING_MAX, takenMax: BATCH_MAX });
  const now = instants(clock);
  const parts: ExecutorParts<C, E, S> = {
    store,
    decider,
    states,
    queues,
    outcomes,
    now,
    hold,
    timers,
    random,
    tracer,
  };

  return {
    execute(stream, command, context) {
      const { promise, resolve, reject } = Promise.withResolvers<Execution<E>>();
      if (enter(parts, stream, [{ command, context, resolve, reject }])) void work(parts, stream);
      return promise;
    },
    executeMany: createExecuteMany(parts, enter, work),
    load: states.load,
  };
}

/** Puts a group into its stream's queue, or refuses it. True when it begins the queue: nobody works on that yet. */
function enter<C, E extends DomainEvent, S>(
  { queues, outcomes, tracer }: ExecutorParts<C, E, S>,
  stream: string,
  asked: Group<Pending<C, E>>,
): boolean {
  const group = asked.map((pending) => toldTruly(outcomes, traced(tracer, stream, pending)));
  const entered = queues.enter(stream, group);
  if (entered === 'full')
    rejectAll([group], new LodeError('overloaded', 'Too much is waiting for this account. Try again.'));
  return entered === 'first';
}

/** Carries out `begun`, and then what waits for the stream until nothing does; never throws. */
async function work<C, E extends DomainEvent, S>(
  parts: ExecutorParts<C, E, S>,
  stream: string,
  begun?: OpenGroups<C, E, S>,
  tried?: AppendAttempt<C, E, S>,
): Promise<void> {
  let open = begun ?? nextOpen(parts, stream);
  for (let first = tried; open !== undefined; open = nextOpen(parts, stream)) {
    try {
      const begunAppend = first;
      first = undefined;
      if (begunAppend !== undefined) open = await afterAppend(parts, stream, open, begunAppend);
      while (open.groups.length > 0) open = await carryOut(parts, stream, open);
    } catch (error) {
      // The cached state stays: it is still a correct prefix of the stream.
      rejectAll(open.groups, error);
    }
  }
}

function nextOpen<C, E extends DomainEvent, S>(
  { queues }: ExecutorParts<C, E, S>,
  stream: string,
): OpenGroups<C, E, S> | undefined {
  const groups = queues.take(stream);
  return groups === undefined ? undefined : openGroups(groups);
}

/** Carries out as many of the groups as fit into one append. Answers with those that are not answered yet. */
async function carryOut<C, E extends DomainEvent, S>(
  parts: ExecutorParts<C, E, S>,
  stream: string,
  asked: OpenGroups<C, E, S>,
): Promise<OpenGroups<C, E, S>> {
  const { store, decider, states } = parts;

  // 1. The state that the log has: remembered, else folded from the log; and folded in any case for commands of which
  //    nobody knows whether it holds them.
  const open = hasOpen(parts.outcomes, asked.groups) ? await lookUp(parts, stream, asked) : asked;
  let { groups, current } = open;
  if (groups.length === 0) return open;
  const committed = current ?? states.recall(stream) ?? (current = await states.load(stream));

  // 2. Commands that the log holds already are answered from it, whatever becomes of the others.
  const { codecs } = decider;
  if (hasRepeats(committed, groups))
    groups = await answerRepeats({ store, codecs }, stream, committed, groups);
  if (groups.length === 0) return { ...open, groups };

  // 3. Each of the others is decided on the state that the one before it will leave.
  const batch = decideBatch(decider, committed, groups, {
    stream,
    at: parts.now(),
    groupsMax: open.groupsMax,
  });

  // 4. Verdicts on the committed state hold once the log is known to have nothing newer. An append shows that, too.
  if (batch.events.length === 0 && current === undefined) {
    current = await states.load(stream);
    if (current.revision !== committed.revision) return { ...open, groups, current };
  }
  const isLogSettled = current !== undefined;
  if (isLogSettled) {
    settle(batch.onLog, committed, committed.revision);
    groups = groups.slice(batch.groupsOnLog);
  }
  const left = { ...open, groups, current };
  if (batch.events.length === 0) return left;

  // 5. While the clock is wrong what would write is refused, and all else is answered from the log.
  const held = parts.hold();
  if (held !== undefined)
    return isLogSettled ? withoutWriting(left, batch, held) : { ...left, current: await states.load(stream) };

  // 6. One append of the rest, at the revision that it was decided on.
  if (open.failure !== undefined) {
    rejectAll(groups, open.failure.error);
    return { ...left, groups: [] };
  }
  const decided = { committed, batch, isLogSettled };
  const outcome = await appendOnce(store, appendOf(stream, decided));

  // 7. Each command gets its own events and position, and what is remembered is the log's state.
  return afterAppend(parts, stream, left, { decided, outcome });
}

/**
 * Asks the log for what became of commands whose outcome is not known. When it doesn't tell, they are answered that nobody
 * knows, and the others are left.
 */
async function lookUp<C, E extends DomainEvent, S>(
  parts: ExecutorParts<C, E, S>,
  stream: string,
  open: OpenGroups<C, E, S>,
): Promise<OpenGroups<C, E, S>> {
  try {
    // A log whose disk failed can be read, but tells only when it is opened again what it took last: its head fails.
    await parts.store.head();
    return { ...open, current: await parts.states.load(stream) };
  } catch (error) {
    const [unknown, others] = [true, false].map((is) =>
      open.groups.filter((group) => hasOpen(parts.outcomes, [group]) === is),
    );
    rejectAll(unknown ?? [], unknownOutcome(error));
    return { ...open, groups: others ?? [] };
  }
}

/** Answers the commands of an append as it went. Gives back the groups that are not answered yet. */
function afterAppend<C, E extends DomainEvent, S>(
  parts: ExecutorParts<C, E, S>,
  stream: string,
  open: OpenGroups<C, E, S>,
  { decided, outcome }: AppendAttempt<C, E, S>,
): OpenGroups<C, E, S> | Promise<OpenGroups<C, E, S>> {
  if (outcome.kind === 'conflict') return decideAgain(parts, stream, open);
  if (outcome.kind !== 'appended')
    return decideRest(parts, stream, leftAfter(open, decided, outcome, parts.outcomes));
  const current = parts.states.keep(stream, committedBy(decided, outcome.appended));
  settleAppended(decided, outcome.appended);
  const groups = open.groups.slice(groupsIn(decided));
  const groupsMax = Math.min(open.groupsMax * 2, BATCH_MAX);
  const { race } = open;
  const left = { groups, current, groupsMax, race: undefined, failure: undefined };
  // Other writers of the stream get their turn before this goes on.
  return race === undefined ? left : race.won().then(() => ({ ...left, current: undefined }));
}

/** Somebody else has written to the stream: what is open is decided on what the log has now, until the deadline. */
async function decideAgain<C, E extends DomainEvent, S>(
  { states, timers, random }: ExecutorParts<C, E, S>,
  stream: string,
  open: OpenGroups<C, E, S>,
): Promise<OpenGroups<C, E, S>> {
  const race = open.race ?? startRace({ timers, random });
  const tooLate = await race.lost();
  const current = await states.load(stream);
  return { ...open, race, current, failure: tooLate === undefined ? undefined : { error: tooLate } };
}

/** After an append that failed: what is open is decided once more on the log's current state, if that can be read. */
async function decideRest<C, E extends DomainEvent, S>(
  { states }: ExecutorParts<C, E, S>,
  stream: string,
  open: OpenGroups<C, E, S>,
): Promise<OpenGroups<C, E, S>> {
  if (open.failure === undefined || open.groups.length === 0) return open;
  const current = await states.load(stream).catch(() => undefined);
  if (current !== undefined) return { ...open, current };
  rejectAll(open.groups, open.failure.error);
  return { ...open, groups: [] };
}

/** The clock as ISO 8601 instants in UTC: many commands have the same millisecond, which is written once. */
function instants(clock: Clock): () => string {
  let last = { ms: NaN, text: '' };
  return () => {
    const ms = clock();
    if (ms !== last.ms) last = { ms, text: new Date(ms).toISOString() };
    return last.text;
  };
}
