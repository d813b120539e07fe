import type { DomainEvent, Position } from '#kernel';
import type { Append, Appended } from '#event-store';
import type { Outcome } from './append.js';
import type { Group, Pending } from './command.js';
import type { Batch, Verdict } from './decide.js';
import type { Folded } from './fold.js';
import { recordCommand } from './processed-commands.js';
import type { Race } from './race.js';

/** Groups of a stream that are not answered yet, and what was found out for them so far. */
export type Open<C, E extends DomainEvent, S> = {
  readonly groups: readonly Group<Pending<C, E>>[];
  /** The stream as the log had it after these commands had come; undefined when that was not looked up. */
  readonly current: Folded<S> | undefined;
  /** Groups that share an append at most. */
  readonly groupsMax: number;
  /** Others write to the stream too, and were faster. */
  readonly race: Race | undefined;
  /** Why nothing more is appended: what can be answered without is, and the rest is refused with this. */
  readonly failure: { readonly error: unknown } | undefined;
};

/** A batch, the state that it was decided on, and whether its verdicts that rest on the log alone were given already. */
export type Decided<C, E extends DomainEvent, S> = {
  readonly committed: Folded<S>;
  readonly batch: Batch<Pending<C, E>, E, S>;
  readonly isLogSettled: boolean;
};

/** An append that was tried, and what came of it. */
export type Tried<C, E extends DomainEvent, S> = {
  readonly decided: Decided<C, E, S>;
  readonly outcome: Outcome;
};

/** Groups that share an append at most when nothing is known of their size. */
export const BATCH_MAX = 256;

/** Groups of which nothing is known yet but, perhaps, the state that the log has now. */
export function openGroups<C, E extends DomainEvent, S>(
  groups: readonly Group<Pending<C, E>>[],
  current?: Folded<S>,
): Open<C, E, S> {
  return { groups, current, groupsMax: BATCH_MAX, race: undefined, failure: undefined };
}

/** Gives commands their answers. `positionOf` is where the log holds all of a command's events, of which there may be none. */
export function settle<C, E extends DomainEvent>(
  verdicts: readonly Verdict<Pending<C, E>, E>[],
  positionOf: (lastRevision: number | undefined) => Position,
): void {
  for (const verdict of verdicts) {
    if (verdict.kind === 'refused') verdict.job.reject(verdict.error);
    else {
      const { job, events, answer, replayed } = verdict;
      job.resolve({ events: answer, position: positionOf(events.at(-1)?.revision), replayed });
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
  for (const { job, events } of decided) {
    const from = events[0]?.revision ?? after.revision;
    recordCommand(after.commands, job.context.commandId, { from, count: events.length });
  }
  return { ...after, position };
}

/** Gives all commands of an appended batch their answers. */
export function settleAppended<C, E extends DomainEvent, S>(
  { committed, batch, isLogSettled }: Decided<C, E, S>,
  { position, positions }: Appended,
): void {
  const positionOf = (lastRevision: number | undefined) =>
    (lastRevision === undefined ? undefined : positions?.[lastRevision - committed.revision - 1]) ?? position;
  if (!isLogSettled) settle(batch.onLog, positionOf);
  settle(batch.onAppend, positionOf);
}

/** Refuses all commands of some groups. */
export function rejectAll<C, E extends DomainEvent>(
  groups: readonly Group<Pending<C, E>>[],
  error: unknown,
): void {
  for (const group of groups) for (const { reject } of group) reject(error);
}

/**
 * What is left to do after an append that wrote nothing, or perhaps something. Who rested on an append of which nobody
 * knows is told so. The rest is looked at again: some of it may be answered without another append.
 */
export function leftAfter<C, E extends DomainEvent, S>(
  open: Open<C, E, S>,
  decided: Decided<C, E, S>,
  outcome: Exclude<Outcome, { readonly kind: 'appended' | 'conflict' }>,
): Open<C, E, S> {
  const { groups } = open;
  const { batch, isLogSettled } = decided;
  const before = isLogSettled ? 0 : batch.groupsOnLog;
  const { error } = outcome;
  if (outcome.kind === 'failed') return { ...open, failure: { error } };
  if (outcome.kind === 'unknown') {
    rejectAll(groups.slice(before), error);
    return { ...open, groups: groups.slice(0, before), failure: { error } };
  }
  const count = groupsIn(decided);
  if (count > 1) return { ...open, groupsMax: Math.ceil(count / 2) };
  const [first = [], ...rest] = groups;
  // They can't be carried out together, and none of them is carried out.
  if (first.length > 1)
    return { ...open, groups: [...first.map((job) => [{ ...job, command: outcome.error }]), ...rest] };
  rejectAll([first], error);
  return { ...open, groups: rest };
}
