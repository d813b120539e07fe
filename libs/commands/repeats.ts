import type { DomainEvent } from '#kernel';
import type { EventStore } from '#event-store';
import type { Group, Pending } from './command.js';
import { keyReused } from './decide.js';
import { answeredEvent, type Folded } from './fold.js';

/** True when the log holds some of the commands already. */
export function hasRepeats<C, E extends DomainEvent, S>(
  committed: Folded<S>,
  groups: readonly Group<Pending<C, E>>[],
): boolean {
  return groups.some((group) => group.some(({ context }) => committed.commands.has(context.commandId)));
}

/**
 * Answers the commands that the log holds already: with their first answer, or that their key was used for another
 * request. Gives back the groups of the others. One of several whose key was used for another request stays in its
 * group as a command that can't be made, so that the others of the group are refused with it.
 */
export async function answerRepeats<C, E extends DomainEvent, S>(
  store: EventStore,
  stream: string,
  committed: Folded<S>,
  groups: readonly Group<Pending<C, E>>[],
): Promise<readonly Group<Pending<C, E>>[]> {
  const rest = await Promise.all(
    groups.map(async (group) => {
      const left = await Promise.all(group.map((job) => answerRepeat(store, stream, committed, job)));
      const [only] = left;
      if (group.length === 1 && only?.isReused === true) only.job.reject(keyReused());
      else
        return left.flatMap((one) => {
          if (one === undefined) return [];
          return [one.isReused ? { ...one.job, command: keyReused() } : one.job];
        });
      return [];
    }),
  );
  return rest.filter((group) => group.length > 0);
}

type Left<C, E extends DomainEvent> = { readonly job: Pending<C, E>; readonly isReused: boolean };

/** Gives a command that the log holds its first answer again; gives back any other, and one whose key is reused. */
async function answerRepeat<C, E extends DomainEvent, S>(
  store: EventStore,
  stream: string,
  committed: Folded<S>,
  job: Pending<C, E>,
): Promise<Left<C, E> | undefined> {
  const processed = committed.commands.get(job.context.commandId);
  if (processed === undefined) return { job, isReused: false };
  if (processed.requestHash !== job.context.requestHash) return { job, isReused: true };
  try {
    const { from, count } = processed;
    const events = await store.readStream(stream, { from, limit: count });
    const position = events.at(-1)?.position ?? committed.position;
    job.resolve({ events: events.map((event) => answeredEvent<E>(event)), position, replayed: true });
  } catch (error) {
    job.reject(error);
  }
  return undefined;
}
