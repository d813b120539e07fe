import { invariant, isLodeError, LodeError, type Decider, type DomainEvent } from '#kernel';
import { limits } from '#event-store';
import type { CommandContext, Group } from './command.js';
import type { Folded } from './fold.js';
import { joinSealed, sealEvents, type Sealed, type SealedAnswer } from './seal.js';

/** A command that the log doesn't hold yet, or why none could be made, and its context. */
export type Undecided<C> = { readonly command: C | LodeError; readonly context: CommandContext };

/** A command that is carried out, if its verdict holds; it has no events when there was nothing to do. */
export type Done<P, E extends DomainEvent> = SealedAnswer<E> & {
  readonly kind: 'done';
  readonly pending: P;
  /** True for the same command again, beside the one that gave the events. */
  readonly replayed: boolean;
};

export type Refused<P> = { readonly kind: 'refused'; readonly pending: P; readonly error: unknown };

/** What a command comes to. */
export type Verdict<P, E extends DomainEvent> = Done<P, E> | Refused<P>;

/** What the first groups of a list come to. */
export type Batch<P, E extends DomainEvent, S> = Sealed & {
  /** Verdicts of the groups before the first one that gives events: they depend on the committed state alone. */
  readonly onLog: readonly Verdict<P, E>[];
  /** How many groups that are. */
  readonly groupsOnLog: number;
  /** Verdicts that depend on this batch's own events: they hold only if the append succeeds. */
  readonly onAppend: readonly Verdict<P, E>[];
  /** The commands that gave the events, in their order. */
  readonly decided: readonly Done<P, E>[];
  /** How many groups were decided; the others don't fit into the append. */
  readonly taken: number;
  /** The stream when the events have been appended, but for its position and the commands it remembers. */
  readonly after: Folded<S>;
};

type Options = {
  readonly stream: string;
  /** When all of it is decided, an ISO 8601 instant. Its events bear that of the stream's last one where that is later. */
  readonly at: string;
  /** Groups that share an append at most. */
  readonly groupsMax: number;
};

/** The commands of this batch that gave events, by their ids. */
type FirstUses<P, E extends DomainEvent> = Map<string, Done<P, E>>;

/**
 * Decides groups of commands in order, each on the state that the one before it will leave, as many as fit into one
 * append. The log must hold none of the commands. Pure: nothing has happened until the events are appended.
 */
export function decideBatch<P extends Undecided<C>, C, E extends DomainEvent, S>(
  decider: Decider<C, E, S>,
  before: Folded<S>,
  groups: readonly Group<P>[],
  options: Options,
): Batch<P, E, S> {
  const firstUses: FirstUses<P, E> = new Map();
  const onLog: Verdict<P, E>[] = [];
  const onAppend: Verdict<P, E>[] = [];
  let groupsOnLog = 0;
  let taken = 0;
  let after = before;
  for (const group of groups) {
    if (taken === options.groupsMax) break;
    const outcome = decideGroup(decider, after, group, options, firstUses);
    if (outcome.after.revision - before.revision > limits.eventsPerAppend) break;
    taken += 1;
    after = outcome.after;
    const isOnLog = after.revision === before.revision;
    if (isOnLog) groupsOnLog += 1;
    for (const verdict of outcome.verdicts) {
      (isOnLog ? onLog : onAppend).push(verdict);
      if (givesEvents(verdict)) firstUses.set(verdict.pending.context.commandId, verdict);
    }
  }
  invariant(taken > 0, 'one group always fits into an append');
  const decided = [...firstUses.values()];
  const { events, texts } = joinSealed(decided);
  return { onLog, groupsOnLog, onAppend, decided, taken, after, events, texts };
}

/**
 * Decides the commands of a group one after the other. When one of several is refused, or they give more events than an
 * append holds, none of them happens.
 */
function decideGroup<P extends Undecided<C>, C, E extends DomainEvent, S>(
  decider: Decider<C, E, S>,
  before: Folded<S>,
  group: Group<P>,
  options: Options,
  earlier: FirstUses<P, E>,
): { readonly verdicts: readonly Verdict<P, E>[]; readonly after: Folded<S> } {
  const own: FirstUses<P, E> = new Map();
  const verdicts: Verdict<P, E>[] = [];
  let after = before;
  for (const pending of group) {
    const { commandId } = pending.context;
    const first = earlier.get(commandId) ?? own.get(commandId);
    if (first !== undefined) {
      verdicts.push(repeated(pending, first));
      continue;
    }
    const decided = decideOne(decider, after, pending, options);
    verdicts.push(decided.verdict);
    if (givesEvents(decided.verdict)) own.set(commandId, decided.verdict);
    after = decided.after;
  }
  if (group.length === 1) return { verdicts, after };
  const isTooLarge = after.revision - before.revision > limits.eventsPerAppend;
  if (!isTooLarge && verdicts.every(({ kind }) => kind === 'done')) return { verdicts, after };
  const rest = isTooLarge ? tooLarge() : groupRefused();
  return {
    after: before,
    verdicts: verdicts.map((verdict) =>
      verdict.kind === 'refused' || earlier.has(verdict.pending.context.commandId)
        ? verdict
        : { kind: 'refused', pending: verdict.pending, error: rest },
    ),
  };
}

/**
 * What one command comes to, and the stream after it. The events are folded before they are given away: one that the
 * state can't take (a balance below zero) is refused here, before the append.
 */
function decideOne<P extends Undecided<C>, C, E extends DomainEvent, S>(
  decider: Decider<C, E, S>,
  before: Folded<S>,
  pending: P,
  { stream, at }: Options,
): { readonly verdict: Verdict<P, E>; readonly after: Folded<S> } {
  const { command, context } = pending;
  if (isLodeError(command)) return { verdict: { kind: 'refused', pending, error: command }, after: before };
  try {
    const decided = decider.decide(command, before.state, at);
    if (decided.length === 0) return { verdict: nothingToDo(pending), after: before };
    invariant(
      decided.length <= limits.eventsPerAppend,
      'a command gives no more events than an append holds',
    );
    let { state } = before;
    for (const event of decided) state = decider.evolve(state, event);
    const { revision, position, commands } = before;
    const stamp = at < before.at ? before.at : at;
    const place = { stream, revision, chain: before.chain, at: stamp, codecs: decider.codecs };
    const { events, texts, answer, chain } = sealEvents(decided, context, place);
    return {
      verdict: { kind: 'done', pending, events, texts, answer, replayed: false },
      after: { state, revision: revision + events.length, position, chain, commands, at: stamp },
    };
  } catch (error) {
    return { verdict: { kind: 'refused', pending, error }, after: before };
  }
}

function nothingToDo<P, E extends DomainEvent>(pending: P): Done<P, E> {
  return { kind: 'done', pending, events: [], texts: [], answer: [], replayed: false };
}

function givesEvents<P, E extends DomainEvent>(verdict: Verdict<P, E>): verdict is Done<P, E> {
  return verdict.kind === 'done' && !verdict.replayed && verdict.events.length > 0;
}

/** The same command id beside its first use: the same answer, or a reused key. */
function repeated<P extends Undecided<unknown>, E extends DomainEvent>(
  pending: P,
  first: Done<P, E>,
): Verdict<P, E> {
  return first.pending.context.requestHash === pending.context.requestHash
    ? { ...first, pending, replayed: true }
    : { kind: 'refused', pending, error: keyReused() };
}

/** The command id was used for another request. */
export function keyReused(): LodeError {
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
