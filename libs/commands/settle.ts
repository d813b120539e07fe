import { LodeError, type DomainEvent } from '#kernel';
import type { Append, Appended } from '#event-store';
import type { Outcome } from './append.js';
import type { Group, Pending } from './command.js';
import type { Batch, Verdict } from './decide.js';
import type { Folded } from './fold.js';
import { unknownOutcome, type OpenOutcomes } from './outcomes.js';
import { recordCommand } from './processed-commands.js';
import type { Race } from './race.js';

/** Groups of a stream that are not answered yet, and what was found out for them so far. */
export type OpenGroups<C, E extends DomainEvent, S> = {
  readonly groups: readonly Group<Pending<C, E>>[];
  /** The stream as the log had it after these commands had come; undefined when that was not looked up. */
  readonly current: Folded<S> | undefined;
  /** Groups that share an append at most. */
  readonly groupsMax: number;
  /** Others write to the stream too, and were faster. */
  readonly race: Race | undefined;
  /** Why nothing more is appended: commands that need an append are refused with this. */
  readonly failure: { readonly error: unknown } | undefined;
};

/** A batch, the state that it was decided on, and whether the verdicts in its `onLog` were given already. */
export type Decided<C, E extends DomainEvent, S> = {
  readonly committed: Folded<S>;
  readonly batch: Batch<Pending<C, E>, E, S>;
  readonly isLogSettled: boolean;
};

/** An append that was tried, and what came of it. */
export type AppendAttempt<C, E extends DomainEvent, S> = {
  readonly decided: Decided<C, E, S>;
  readonly outcome: Outcome;
};

/** Groups that share an append at most when nothing is known of their size. */
export const BATCH_MAX = 256;

/** Groups of which nothing is known yet but, perhaps, the state that the log has now. */
export function openGroups<C, E extends DomainEvent, S>(
  groups: readonly Group<Pending<C, E>>[],
  current?: Folded<S>,
): OpenGroups<C, E, S> {
  return { groups, current, groupsMax: BATCH_MAX, race: undefined, failure: undefined };
}

/**
 * Gives commands their answers: each its own position where `positions` tells that of each event after the revision
 * `before`, else `position`.
 */
export function settle<C, E extends DomainEvent>(
  verdicts: readonly Verdict<Pending<C, E>, E>[],
  { position, positions }: Pick<Appended, 'position' | 'positions'>,
  before: number,
): void {
  for (const verdict of verdicts) {
    if (verdict.kind === 'refused') verdict.pending.reject(verdict.error);
    else {
      const { pending, events, answer, replayed } = verdict;
      const last = events.at(-1);
      const own = last === undefined ? undefined : positions?.[last.revision - before - 1];
      pending.resolve({ events: answer, position: own ?? position, replayed });
    }
  }
}

/** The append of a batch that gives events. */
export function appendOf<C, E extends DomainEvent, S>(
  stream: string,
  { committed, batch }: Decided<C, E, S>,
): Append {
  const { events, texts } = batch;
  return { stream, expected: committed.revision === -1 ? 'no-stream' : committed.revision, events, texts };
}

/** How many of the open groups are in a batch. */
export function groupsIn<C, E extends DomainEvent, S>({ batch, isLogSettled }: Decided<C, E, S>): number {
  return isLogSettled ? batch.taken - batch.groupsOnLog : batch.taken;
}

/** The stream after an append; from now on it remembers the commands of the batch. */
export function committedBy<C, E extends DomainEvent, S>(
  { batch }: Decided<C, E, S>,
  { position }: Appended,
): Folded<S> {
  const { after, decided } = batch;
  for (const { pending, events } of decided) {
    const from = events[0]?.revision ?? after.revision;
    recordCommand(after.commands, pending.context.commandId, { from, count: events.length });
  }
  return { ...after, position };
}

/** Gives all commands of an appended batch their answers. */
export function settleAppended<C, E extends DomainEvent, S>(
  { committed, batch, isLogSettled }: Decided<C, E, S>,
  appended: Appended,
): void {
  if (!isLogSettled) settle(batch.onLog, appended, committed.revision);
  settle(batch.onAppend, appended, committed.revision);
}

/** Refuses all commands of some groups. */
export function rejectAll<C, E extends DomainEvent>(
  groups: readonly Group<Pending<C, E>>[],
  error: unknown,
): void {
  for (const group of groups) for (const { reject } of group) reject(error);
}

/** Refuses the groups whose commands give events. What is left is decided without them. */
export function withoutWriting<C, E extends DomainEvent, S>(
  open: OpenGroups<C, E, S>,
  { decided }: Batch<Pending<C, E>, E, S>,
  error: unknown,
): OpenGroups<C, E, S> {
  const giving = new Set(decided.map(({ pending }) => pending));
  const writes = (group: Group<Pending<C, E>>) => group.some((pending) => giving.has(pending));
  rejectAll(open.groups.filter(writes), error);
  return { ...open, groups: open.groups.filter((group) => !writes(group)) };
}

/**
 * What is left after an append that failed or whose outcome is unknown. Commands that depend on an unknown outcome are
 * rejected with it, and `outcomes` remembers them. The rest is decided again; some may need no append.
 */
export function leftAfter<C, E extends DomainEvent, S>(
  open: OpenGroups<C, E, S>,
  decided: Decided<C, E, S>,
  outcome: Exclude<Outcome, { readonly kind: 'appended' | 'conflict' }>,
  outcomes: OpenOutcomes,
): OpenGroups<C, E, S> {
  const { groups } = open;
  const { batch, isLogSettled } = decided;
  const before = isLogSettled ? 0 : batch.groupsOnLog;
  if (outcome.kind === 'failed') return { ...open, failure: { error: outcome.error } };
  if (outcome.kind === 'unknown') {
    const sent = groups.slice(before, groupsIn(decided));
    outcomes.open(sent.flatMap((group) => group.map(({ context }) => context.commandId)));
    rejectAll(sent, unknownOutcome(outcome.error));
    const left = [...groups.slice(0, before), ...groups.slice(groupsIn(decided))];
    return { ...open, groups: left, failure: { error: notSent(outcome.error) } };
  }
  const count = groupsIn(decided);
  if (count > 1) return { ...open, groupsMax: Math.ceil(count / 2) };
  const [first = [], ...rest] = groups;
  // They can't be carried out together, and none of them is carried out.
  if (first.length > 1)
    return {
      ...open,
      groups: [...first.map((pending) => [{ ...pending, command: outcome.error }]), ...rest],
    };
  rejectAll([first], outcome.error);
  return { ...open, groups: rest };
}

/** Of what waits behind an append whose outcome is unknown nothing was sent. */
function notSent(cause: unknown): LodeError {
  return new LodeError('unavailable', 'What was sent before this is not known to be written.', {}, { cause });
}
