import { invariant, isOutage, type DomainEvent, type EventCodecs } from '#kernel';
import type { EventStore } from '#event-store';
import type { Group, Pending } from './command.js';
import { keyReused } from './decide.js';
import type { Folded } from './fold.js';
import { unknownOutcome } from './outcomes.js';
import { findCommand } from './processed-commands.js';
import { answeredEvent } from './seal.js';

/** True when the log holds some of the commands already. */
export function hasRepeats<C, E extends DomainEvent, S>(
  { commands }: Folded<S>,
  groups: readonly Group<Pending<C, E>>[],
): boolean {
  for (const group of groups)
    for (const { context } of group) if (findCommand(commands, context.commandId) !== undefined) return true;
  return false;
}

/** Where the first answers are, and how they are read. */
type Log<E extends DomainEvent> = { readonly store: EventStore; readonly codecs: EventCodecs<E> };

/**
 * Answers the commands that the log holds already: with their first answer, or that their key was used for another
 * request. Gives back the groups of the others. One of several whose key was used for another request stays in its
 * group as a command that can't be made, so that the others of the group are refused with it.
 */
export async function answerRepeats<C, E extends DomainEvent, S>(
  log: Log<E>,
  stream: string,
  committed: Folded<S>,
  groups: readonly Group<Pending<C, E>>[],
): Promise<readonly Group<Pending<C, E>>[]> {
  const left = await Promise.all(
    groups.map(async (group) => {
      const left = await Promise.all(group.map((pending) => answerRepeat(log, stream, committed, pending)));
      return left.filter((pending) => pending !== undefined);
    }),
  );
  return left.filter(([first], n) => {
    const [only, second] = groups[n] ?? [];
    if (first === undefined || second !== undefined || first === only) return first !== undefined;
    // Its key is reused, and nobody else is refused with it.
    first.reject(first.command);
    return false;
  });
}

/**
 * Gives a command that the log holds its first answer again. Gives back any other as it is, and one whose key was used
 * for another request as one that can't be made. What a stream remembers are ids only: the request is in the log.
 */
async function answerRepeat<C, E extends DomainEvent, S>(
  { store, codecs }: Log<E>,
  stream: string,
  committed: Folded<S>,
  pending: Pending<C, E>,
): Promise<Pending<C, E> | undefined> {
  const { commandId, requestHash, formerHash } = pending.context;
  const processed = findCommand(committed.commands, commandId);
  if (processed === undefined) return pending;
  try {
    const { from, count } = processed;
    const events = await store.readStream(stream, { from, limit: count });
    invariant(
      events.length === count && events.every(({ meta }) => meta.commandId === commandId),
      'the log holds the events of a command that its stream remembers',
    );
    const known = events[0]?.meta.requestHash;
    if (known !== requestHash && known !== formerHash) return { ...pending, command: keyReused() };
    // The stream's position is not before any of its events, also where the engine does not tell theirs.
    const position = events.at(-1)?.position ?? committed.position;
    const answer = events.map(({ position: _, ...event }) => answeredEvent(event, codecs.decode(event)));
    pending.resolve({ events: answer, position, replayed: true });
  } catch (error) {
    // It is in the log: that this can't be read just now must not be taken for a refusal.
    pending.reject(isOutage(error) ? unknownOutcome(error) : error);
  }
  return undefined;
}
