import type { Session } from '#identity';
import { comparePositions, logStart, thisMachine, type Machine, type Position } from '#kernel';
import type { DocumentChange, ProjectionFeed } from '#projections';

/** Changes that are kept for listeners that come back. */
const RECENT_MAX = 1_000;
/** After the last listener has left it is heard of changes for that long, in milliseconds, for those who come back. */
const RETURN_MS = 60_000;

/** Somebody who hears which documents changed, for as long as the session lives. */
export type LiveListener = {
  readonly session: Session;
  /** These changed, all of which the listener may see; nothing up to `position` is left to be told. */
  readonly changed: (changes: readonly DocumentChange[], position: Position) => void;
  /** What changed is not known, or everything did: whatever was fetched before `position` is to be fetched anew. */
  readonly reset: (position: Position) => void;
  /** The session has ended. Nothing is told after that. */
  readonly ended: () => void;
};

/** Tells which documents changed, each listener only what they may see. */
export type LiveChanges = {
  /** Tells a listener first what changed after `since`, when that is given, and then what changes from now on. */
  readonly join: (listener: LiveListener, since: Position | undefined) => void;
  /** The place of the last change that was told of, in whatever listener's; the log's start when there was none yet. */
  readonly latest: () => Position;
  readonly leave: (listener: LiveListener) => void;
  /** Does what is for a listener, or lets the listener go whose session has ended. */
  readonly whileAlive: (listener: LiveListener, work: () => void) => void;
  /** Hears of no more changes. */
  readonly close: () => void;
};

/** Begins to tell changes; what it gives hears how many listeners were told, once all were who are. */
export type LiveTelling = (changes: readonly DocumentChange[]) => (listeners: number) => void;

/**
 * Live changes on a projection feed. `isAlive` is asked before anything is told whether the listener's session still is; `telling`
 * is for whoever traces that it is told.
 */
export function createLiveChanges(
  feed: Pick<ProjectionFeed, 'onChanges' | 'onRebuilt'>,
  isAlive: (session: Session) => boolean | Promise<boolean>,
  telling?: LiveTelling,
  { monotonic }: Pick<Machine, 'monotonic'> = thisMachine,
): LiveChanges {
  const listeners = new Set<LiveListener>();
  const recent = createRecent();
  let heardUntil = -Infinity;
  const isHeard = () => listeners.size > 0 || monotonic() < heardUntil;
  const leave = (listener: LiveListener) => {
    if (listeners.delete(listener)) heardUntil = monotonic() + RETURN_MS;
  };
  const { whileAlive, pendingOf } = createPending({ listeners, leave }, isAlive);

  const hear = (changes: readonly DocumentChange[]) => {
    if (changes.length === 0) return;
    const position = greatest(changes);
    recent.add(changes, position);
    const asked = [...listeners].filter(({ session }) => changes.some((change) => maySee(session, change)));
    if (asked.length === 0) return;
    const end = telling?.(changes);
    let told = 0;
    for (const listener of asked)
      whileAlive(listener, () => {
        tell(listener, changes, position);
        told += 1;
      });
    const ended = () => {
      if (told > 0) end?.(told);
    };
    const waiting = asked.map(pendingOf).filter((one) => one !== undefined);
    if (waiting.length === 0) ended();
    else if (end !== undefined) void Promise.allSettled(waiting).then(ended);
  };
  const unsubscribe = feed.onChanges(hear, isHeard);

  const unsubscribeRebuilt = feed.onRebuilt(() => {
    recent.forget();
    for (const listener of listeners) listener.reset(recent.latest());
  });

  return {
    join(listener, since) {
      listeners.add(listener);
      if (since === undefined) return;
      const missed = recent.since(since);
      if (missed === undefined) listener.reset(recent.latest());
      else tell(listener, missed, greatest(missed, since));
    },
    latest: recent.latest,
    leave,
    whileAlive,
    close() {
      unsubscribe();
      unsubscribeRebuilt();
    },
  };
}

/** Does what is for listeners while their sessions live, for each in the order that it was asked for. */
function createPending(
  { listeners, leave }: Pick<LiveChanges, 'leave'> & { readonly listeners: ReadonlySet<LiveListener> },
  isAlive: (session: Session) => boolean | Promise<boolean>,
): Pick<LiveChanges, 'whileAlive'> & {
  /** What a listener is about to be told, once it is known that its session lives. */
  readonly pendingOf: (listener: LiveListener) => Promise<void> | undefined;
} {
  const pending = new WeakMap<LiveListener, Promise<void>>();
  return {
    pendingOf: (listener) => pending.get(listener),
    whileAlive(listener, work) {
      const settle = (still: boolean) => {
        if (still) {
          work();
          return;
        }
        leave(listener);
        listener.ended();
      };
      const alive = isAlive(listener.session);
      const before = pending.get(listener);
      if (typeof alive === 'boolean' && before === undefined) {
        settle(alive);
        return;
      }
      // Answers may come in another order than they were asked for; what is told keeps the log's.
      const asked = Promise.resolve(alive).catch(() => false);
      const next = Promise.all([asked, before]).then(([still]) => {
        if (pending.get(listener) === next) pending.delete(listener);
        if (listeners.has(listener)) settle(still);
      });
      pending.set(listener, next);
    },
  };
}

function tell(listener: LiveListener, changes: readonly DocumentChange[], position: Position): void {
  const visible = changes.filter((change) => maySee(listener.session, change));
  if (visible.length > 0) listener.changed(visible, position);
}

/** The last changes, for listeners that come back. */
function createRecent() {
  let recent: readonly DocumentChange[] = [];
  /** Every change after here is among them. */
  let complete: Position | undefined;
  let latest = logStart;
  return {
    latest: () => latest,
    /** `position` is the greatest of the changes. */
    add(changes: readonly DocumentChange[], position: Position): void {
      latest = greatest(changes, latest);
      const all = [...recent, ...changes];
      recent = all.slice(-RECENT_MAX);
      complete = greatest(all.slice(0, -RECENT_MAX), complete ?? position);
    },
    forget(): void {
      recent = [];
      complete = undefined;
    },
    /** What changed after a position; undefined when not all of that is known, or nobody was told of that position yet. */
    since(position: Position): readonly DocumentChange[] | undefined {
      if (complete === undefined || comparePositions(complete, position) > 0) return undefined;
      if (comparePositions(position, latest) > 0) return undefined;
      return recent.filter((change) => comparePositions(change.position, position) > 0);
    },
  };
}

/** An admin sees every change; a customer those of their own documents. */
function maySee(session: Session, change: DocumentChange): boolean {
  return session.role === 'admin' || [change.ownerId, change.alsoOf].includes(session.userId);
}

/** The greatest position of the changes and `least`; a batch is ordered by collection, not by position. */
function greatest(changes: readonly DocumentChange[], least: Position = logStart): Position {
  return changes.reduce(
    (most, { position }) => (comparePositions(position, most) > 0 ? position : most),
    least,
  );
}
