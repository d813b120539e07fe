import type { ServerResponse } from 'node:http';
import { comparePositions, LodeError, logStart, type Position } from '#kernel';
import type { Session } from '#identity';
import type { DocumentChange, ProjectionFeed } from '#projections';

/** Open connections in all and of one person. */
const CONNECTIONS_MAX = 10_000;
const CONNECTIONS_PER_PERSON_MAX = 16;
/** Changes that are kept for listeners that come back. */
const RECENT_MAX = 1_000;
/** Changes of one batch beyond which a listener is told to fetch everything anew: telling each would cost more. */
const FRAMES_PER_BATCH_MAX = 64;
/** A quiet connection is kept open with a comment this often, in milliseconds. */
const HEARTBEAT_MS = 15_000;
/** What may wait unread for one listener, in bytes; a slower one is let go and comes back. */
const UNREAD_BYTES_MAX = 256 * 1024;

/** Tells a listener to fetch everything anew; it has no id, so it moves nobody's place. */
const RESET = 'event: reset\ndata: {}\n\n';

type Listener = { readonly session: Session; readonly response: ServerResponse };

/** Tells open pages which documents changed, filtered to what each listener may see. */
export type LiveHub = {
  /** Takes over a response until either side ends it. `lastEventId` is the last position that the listener has seen. */
  open(session: Session, response: ServerResponse, lastEventId: Position | undefined): void;
  close(): void;
};

/** A hub on a projection feed. `isAlive` is asked before anything is told whether the listener's session still is. */
export function createLiveHub(
  feed: ProjectionFeed,
  isAlive: (session: Session) => boolean | Promise<boolean>,
): LiveHub {
  const listeners = new Set<Listener>();
  let recent: DocumentChange[] = [];
  /** Every change after here is among the recent ones. */
  let complete: Position | undefined;

  const unsubscribe = feed.onChanges((changes) => {
    if (changes.length === 0) return;
    const position = greatest(changes);
    const all = [...recent, ...changes];
    recent = all.slice(-RECENT_MAX);
    complete = greatest(all.slice(0, -RECENT_MAX), complete ?? position);
    for (const listener of listeners) {
      if (changes.some((change) => maySee(listener.session, change)))
        whileAlive(listener, () => tell(listener, changes, position));
    }
  });

  const unsubscribeRebuilt = feed.onRebuilt(() => {
    recent = [];
    complete = undefined;
    for (const listener of listeners) write(listener, RESET);
  });

  const heartbeat = setInterval(beat, HEARTBEAT_MS);
  heartbeat.unref();

  function beat(): void {
    for (const listener of listeners) whileAlive(listener, () => write(listener, ': still here\n\n'));
  }

  /** Does what is for a listener, or lets the listener go whose session has ended. */
  function whileAlive(listener: Listener, work: () => void): void {
    const alive = isAlive(listener.session);
    if (alive === true) work();
    else if (alive === false) drop(listener);
    else
      void alive
        .catch(() => false)
        .then((still) => {
          if (!listeners.has(listener)) return;
          if (still) work();
          else drop(listener);
        });
  }

  /**
   * Only the last frame has an id, that of the whole batch: a listener that was cut off in the middle comes back for all
   * of it.
   */
  function tell(listener: Listener, changes: readonly DocumentChange[], position: Position): void {
    const visible = changes.filter((change) => maySee(listener.session, change));
    if (visible.length > FRAMES_PER_BATCH_MAX) write(listener, `id: ${position}\n${RESET}`);
    else if (visible.length > 0)
      write(
        listener,
        visible
          .map((change, n) => (n === visible.length - 1 ? `id: ${position}\n` : '') + frameOf(change))
          .join(''),
      );
  }

  function write(listener: Listener, text: string): void {
    if (listener.response.writableLength > UNREAD_BYTES_MAX) cut(listener);
    else listener.response.write(text);
  }

  /** Ends a connection whose listener does not read: waiting until it has read the end would be waiting for ever. */
  function cut(listener: Listener): void {
    listeners.delete(listener);
    listener.response.destroy();
  }

  function drop(listener: Listener): void {
    listeners.delete(listener);
    listener.response.end();
  }

  /** What the listener missed, when it is still known; else it has to fetch everything anew. */
  function catchUp(listener: Listener, since: Position): void {
    const known = complete !== undefined && comparePositions(complete, since) <= 0;
    const missed = recent.filter((change) => comparePositions(change.position, since) > 0);
    if (known) tell(listener, missed, greatest(missed, since));
    else write(listener, RESET);
  }

  return {
    open(session, response, lastEventId) {
      const own = [...listeners].filter((listener) => listener.session.userId === session.userId);
      if (listeners.size >= CONNECTIONS_MAX)
        throw new LodeError('overloaded', 'Too many live connections. Try again.');
      if (own.length >= CONNECTIONS_PER_PERSON_MAX && own[0] !== undefined) drop(own[0]);
      const listener = { session, response };
      listeners.add(listener);
      response.on('close', () => listeners.delete(listener));
      response.writeHead(200, {
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-store',
        'X-Accel-Buffering': 'no',
      });
      response.write('event: hello\ndata: {}\n\n');
      if (lastEventId !== undefined) catchUp(listener, lastEventId);
    },
    close() {
      unsubscribe();
      unsubscribeRebuilt();
      clearInterval(heartbeat);
      for (const listener of listeners) drop(listener);
    },
  };
}

/** An admin sees every change; a customer those of their own documents. */
function maySee(session: Session, change: DocumentChange): boolean {
  return session.role === 'admin' || change.ownerId === session.userId;
}

function frameOf({ collection, id, position }: DocumentChange): string {
  return `event: change\ndata: ${JSON.stringify({ collection, id, position })}\n\n`;
}

/** The greatest position of the changes and `least`; a batch is ordered by collection, not by position. */
function greatest(changes: readonly DocumentChange[], least: Position = logStart): Position {
  return changes.reduce(
    (most, { position }) => (comparePositions(position, most) > 0 ? position : most),
    least,
  );
}
