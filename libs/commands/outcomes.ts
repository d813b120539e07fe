import { isEngineError, isLodeError, LodeError, type DomainEvent } from '#kernel';
import type { Group, Pending } from './command.js';

/** Commands whose outcome is not known that are remembered; of more, the one that was sent first is forgotten. */
export const OUTCOMES_MAX = 100_000;

/**
 * The commands that were handed to an engine which did not say whether it wrote them. As long as nobody knows, they are
 * answered so, whatever else they meet: a refusal would say that they were not done.
 */
export type OpenOutcomes = {
  /** Nobody knows what became of these commands. */
  readonly open: (commandIds: Iterable<string>) => void;
  readonly isOpen: (commandId: string) => boolean;
  /** What became of the command is known, and it was answered so. */
  readonly settle: (commandId: string) => void;
  /** What the command is told that failed with `error`; a decision's refusal settles it. */
  readonly told: (commandId: string, error: unknown) => unknown;
};

/** None yet. */
export function createOpenOutcomes({ max = OUTCOMES_MAX }: { readonly max?: number } = {}): OpenOutcomes {
  const ids = new Set<string>();
  return {
    open(commandIds) {
      for (const commandId of commandIds) {
        ids.add(commandId);
        const [first] = ids.size > max ? ids : [];
        if (first !== undefined) ids.delete(first);
      }
    },
    isOpen: (commandId) => ids.has(commandId),
    settle: (commandId) => void ids.delete(commandId),
    told(commandId, error) {
      if (!ids.has(commandId)) return error;
      if (!isRefusal(error)) return unknownOutcome(error);
      ids.delete(commandId);
      return error;
    },
  };
}

/** True when nobody knows what became of some of the commands. */
export function hasOpen<C, E extends DomainEvent>(
  outcomes: OpenOutcomes,
  groups: readonly Group<Pending<C, E>>[],
): boolean {
  return groups.some((group) => group.some(({ context }) => outcomes.isOpen(context.commandId)));
}

/** The same command, which is refused only when it is known not to be in the log. */
export function toldTruly<C, E extends DomainEvent>(
  outcomes: OpenOutcomes,
  pending: Pending<C, E>,
): Pending<C, E> {
  const { commandId } = pending.context;
  return {
    ...pending,
    resolve: (execution) => {
      outcomes.settle(commandId);
      pending.resolve(execution);
    },
    reject: (error) => pending.reject(outcomes.told(commandId, error)),
  };
}

/** The error of a command that may have been done, because of `cause`. */
export function unknownOutcome(cause: unknown): LodeError {
  if (isLodeError(cause) && cause.code === 'unknown_outcome') return cause;
  const why = cause instanceof Error ? cause.message : String(cause);
  return new LodeError('unknown_outcome', `It is not known whether this was done: ${why}`, {}, { cause });
}

/** True when a decision says no, and not an engine or a bug. */
function isRefusal(error: unknown): boolean {
  return isLodeError(error) && error.code !== 'internal' && !isEngineError(error);
}
