import type { DomainEvent, StreamEvent } from '#kernel';
import { limits } from '#event-store';
import { appendTogether } from './append.js';
import type { CommandTo, Execution, Executor, Group, ManyOptions, Pending } from './command.js';
import { decideBatch } from './decide.js';
import { foldIfComplete, type Folded } from './fold.js';
import { hasOpen } from './outcomes.js';
import { readPages } from './pages.js';
import type { ExecutorParts } from './parts.js';
import { hasRepeats } from './repeats.js';
import {
  appendOf,
  BATCH_MAX,
  committedBy,
  groupsIn,
  openGroups,
  settle,
  settleAppended,
  type Decided,
  type OpenGroups,
  type AppendAttempt,
} from './settle.js';

/** Events of each stream that are read when many are read together; a longer one is read by itself. */
const PAGE = 100;

/** Puts a group into its stream's queue; true when nobody works on that yet. */
type Enter<C, E extends DomainEvent, S> = (
  parts: ExecutorParts<C, E, S>,
  stream: string,
  group: Group<Pending<C, E>>,
) => boolean;

/** Works on one stream until nothing waits for it, beginning with groups whose first append may have been tried. */
type Work<C, E extends DomainEvent, S> = (
  parts: ExecutorParts<C, E, S>,
  stream: string,
  begun?: OpenGroups<C, E, S>,
  tried?: AppendAttempt<C, E, S>,
) => Promise<void>;

type Bulk<C, E extends DomainEvent, S> = ExecutorParts<C, E, S> & {
  readonly work: Work<C, E, S>;
  /** Keeps the streams in memory. */
  readonly keep: boolean;
};

/** A stream's first batch, which shares a call of the log with those of other streams. */
type FirstTry<C, E extends DomainEvent, S> = {
  readonly stream: string;
  readonly groups: readonly Group<Pending<C, E>>[];
  readonly decided: Decided<C, E, S>;
  /** The stream is only passing through, and is not to stay in memory. */
  readonly isPassing: boolean;
};

/**
 * Makes `executeMany`: the first batch of every stream is decided and appended together with the others', and what is
 * left after that is worked on stream by stream.
 */
export function createExecuteMany<C, E extends DomainEvent, S>(
  parts: ExecutorParts<C, E, S>,
  enter: Enter<C, E, S>,
  work: Work<C, E, S>,
): Executor<C, E, S>['executeMany'] {
  return (commands, { atomic = false, keep = false }: ManyOptions = {}) => {
    const { byStream, answered } = pendingOf<C, E>(commands);
    const [warm, cold]: [string[], string[]] = [[], []];
    for (const [stream, some] of byStream) {
      const groups = atomic ? [some] : some.map((pending) => [pending]);
      const [isFirst] = groups.map((group) => enter(parts, stream, group));
      if (isFirst === true) (parts.states.recall(stream) === undefined ? cold : warm).push(stream);
    }
    const bulk = { ...parts, work, keep };
    void appendAll(bulk, decideFirst(bulk, warm));
    void readAndAppend(bulk, cold);
    return answered;
  };
}

/** The commands by their streams, each waiting for its answer, and the answers of all once the last one is there. */
function pendingOf<C, E extends DomainEvent>(
  commands: readonly CommandTo<C>[],
): {
  readonly byStream: ReadonlyMap<string, Group<Pending<C, E>>>;
  readonly answered: Promise<readonly PromiseSettledResult<Execution<E>>[]>;
} {
  const { promise, resolve } = Promise.withResolvers<readonly PromiseSettledResult<Execution<E>>[]>();
  const results: PromiseSettledResult<Execution<E>>[] = [];
  let open = commands.length;
  if (open === 0) resolve(results);
  const settled = (n: number, result: PromiseSettledResult<Execution<E>>) => {
    // As with a promise, the first answer counts.
    if (results[n] !== undefined) return;
    results[n] = result;
    if (--open === 0) resolve(results);
  };
  const byStream = new Map<string, Pending<C, E>[]>();
  for (const [n, { stream, command, context }] of commands.entries()) {
    const pending: Pending<C, E> = {
      command,
      context,
      resolve: (value) => settled(n, { status: 'fulfilled', value }),
      reject: (reason) => settled(n, { status: 'rejected', reason }),
    };
    const beside = byStream.get(stream);
    if (beside === undefined) byStream.set(stream, [pending]);
    else beside.push(pending);
  }
  return { byStream, answered: promise };
}

/** Carries out commands to streams that are not cached and whose queues have just started. */
async function readAndAppend<C, E extends DomainEvent, S>(
  bulk: Bulk<C, E, S>,
  streams: readonly string[],
): Promise<void> {
  for (let from = 0; from < streams.length; from += limits.streamsPerRead) {
    const some = streams.slice(from, from + limits.streamsPerRead);
    // After a failed read each stream is read by itself, so that each gets its own answer.
    const pages = await readPages(bulk.store, some, PAGE).catch(() => []);
    void appendAll(bulk, decideFirst(bulk, some, pages));
  }
}

/**
 * Decides the first batches of streams whose queues have just started. `pages` are the first events of those that are
 * not cached. A stream that needs another read of the log, or no append, is worked on by itself.
 */
function decideFirst<C, E extends DomainEvent, S>(
  bulk: Bulk<C, E, S>,
  streams: readonly string[],
  pages: readonly (readonly StreamEvent[])[] = [],
): readonly FirstTry<C, E, S>[] {
  const { decider, states, queues, work } = bulk;
  const at = bulk.now();
  const held = bulk.hold();
  return streams.flatMap((stream, n) => {
    const known = states.recall(stream);
    const read = known === undefined ? foldedFrom(bulk, pages[n]) : undefined;
    const committed = known ?? read;
    const groups = committed === undefined ? undefined : queues.take(stream);
    if (committed === undefined || groups === undefined) {
      void work(bulk, stream);
      return [];
    }
    const open = openGroups(groups, read);
    if (hasRepeats(committed, groups) || hasOpen(bulk.outcomes, groups)) {
      void work(bulk, stream, open);
      return [];
    }
    const batch = decideBatch(decider, committed, groups, { stream, at, groupsMax: BATCH_MAX });
    const decided = { committed, batch, isLogSettled: false };
    const isPassing = read !== undefined && !bulk.keep;
    if (batch.events.length > 0 && held === undefined) return [{ stream, groups, decided, isPassing }];
    if (batch.events.length > 0 || read === undefined) void work(bulk, stream, open);
    else {
      settle(batch.onLog, committed, committed.revision);
      if (!isPassing) states.keep(stream, committed);
      void work(bulk, stream, { ...open, groups: groups.slice(groupsIn(decided)) });
    }
    return [];
  });
}

/** The stream folded from a page that holds all of it; undefined when it may not, or can't be folded. */
function foldedFrom<C, E extends DomainEvent, S>(
  { decider }: ExecutorParts<C, E, S>,
  page: readonly StreamEvent[] | undefined,
): Folded<S> | undefined {
  if (page === undefined) return undefined;
  try {
    return foldIfComplete(decider, page, PAGE);
  } catch {
    // The read of this stream alone reports why.
    return undefined;
  }
}

/** Appends first batches together. A stream whose append did not succeed is worked on by itself from there. */
async function appendAll<C, E extends DomainEvent, S>(
  bulk: Bulk<C, E, S>,
  tries: readonly FirstTry<C, E, S>[],
): Promise<void> {
  if (tries.length === 0) return;
  const outcomes = await appendTogether(
    bulk.store,
    tries.map(({ stream, decided }) => appendOf(stream, decided)),
  );
  tries.forEach(({ stream, groups, decided, isPassing }, n) => {
    const outcome = outcomes[n];
    if (outcome?.kind !== 'appended') {
      void bulk.work(bulk, stream, openGroups(groups), outcome && { decided, outcome });
      return;
    }
    const current = committedBy(decided, outcome.appended);
    if (!isPassing) bulk.states.keep(stream, current);
    settleAppended(decided, outcome.appended);
    const left = groups.slice(groupsIn(decided));
    void bulk.work(bulk, stream, left.length === 0 ? undefined : openGroups(left, current));
  });
}
