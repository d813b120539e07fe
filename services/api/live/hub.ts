import type { OutgoingHttpHeader, ServerResponse } from 'node:http';
import type { LiveChanges, LiveListener, Session } from '#application';
import { LodeError } from '#kernel';
import type { LogScope } from '../http/scope.js';

/** Open connections in all and of one person. */
const CONNECTIONS_MAX = 10_000;
const CONNECTIONS_PER_PERSON_MAX = 16;
/** Changes of one batch beyond which a listener is told to fetch everything anew: telling each would cost more. */
const FRAMES_PER_BATCH_MAX = 64;
/** A quiet connection is kept open with a comment this often, in milliseconds. */
const HEARTBEAT_MS = 15_000;
/** What may wait unread for one listener, in bytes; a slower one is let go and comes back. */
const UNREAD_BYTES_MAX = 256 * 1024;

/** Tells a listener to fetch everything anew. */
const RESET = 'event: reset\ndata: {}\n\n';

type Connection = LiveListener & { readonly response: ServerResponse };
type Changes = Parameters<LiveListener['changed']>[0];

/** Writes live changes to open pages as server-sent events. */
export type LiveHub = {
  /**
   * Takes over a response until either side ends it. `lastEventId` is the id of the last event that the listener has seen;
   * `headers` are sent beside those of a stream.
   */
  open(
    session: Session,
    response: ServerResponse,
    lastEventId: string | undefined,
    headers: Readonly<Record<string, OutgoingHttpHeader | undefined>>,
  ): void;
  /** Streams that are open. */
  count(): number;
  close(): void;
};

/** What a stream begins with, at the place that it goes on from if it is cut off next. */
function helloAt(place: string | undefined): string {
  return `${place === undefined ? '' : `id: ${place}\n`}event: hello\ndata: {}\n\n`;
}

/** Says hello and where the stream goes on from, and has a listener that can't go on from its place fetch all anew. */
function begin(
  connection: Connection,
  lastEventId: string | undefined,
  { live, scope }: { readonly live: LiveChanges; readonly scope: LogScope },
): void {
  const since = lastEventId === undefined ? undefined : scope.readPosition(lastEventId);
  const isPlace = since !== undefined && since !== 'of another log';
  const start = lastEventId === undefined ? live.latest() : undefined;
  // Whoever comes back keeps the place until all that was missed is told: the stream can be cut off before.
  const place = isPlace ? since : start;
  connection.response.write(helloAt(place && scope.position(place)));
  if (lastEventId !== undefined && !isPlace) connection.reset(live.latest());
  live.join(connection, isPlace ? since : undefined);
}

/** A hub for live changes, which are closed with it. */
export function createLiveHub(live: LiveChanges, scope: LogScope): LiveHub {
  const connections = new Set<Connection>();

  const heartbeat = setInterval(() => {
    for (const connection of connections)
      live.whileAlive(connection, () => write(connection, ': still here\n\n'));
  }, HEARTBEAT_MS);
  heartbeat.unref();

  function connect(session: Session, response: ServerResponse): Connection {
    const connection: Connection = {
      session,
      response,
      changed: (changes, position) => write(connection, framesOf(changes, scope.position(position))),
      reset: (position) => write(connection, `id: ${scope.position(position)}\n${RESET}`),
      ended: () => drop(connection),
    };
    connections.add(connection);
    response.on('close', () => forget(connection));
    return connection;
  }

  function write(connection: Connection, text: string): void {
    const { response } = connection;
    if (response.writableLength <= UNREAD_BYTES_MAX) {
      response.write(text);
      return;
    }
    // It does not read: waiting until it has read the end would be waiting for ever.
    forget(connection);
    response.destroy();
  }

  function drop(connection: Connection): void {
    forget(connection);
    connection.response.end();
  }

  function forget(connection: Connection): void {
    connections.delete(connection);
    live.leave(connection);
  }

  return {
    open(session, response, lastEventId, headers) {
      const own = [...connections].filter((connection) => connection.session.userId === session.userId);
      if (connections.size >= CONNECTIONS_MAX)
        throw new LodeError('overloaded', 'Too many live connections. Try again.');
      if (own.length >= CONNECTIONS_PER_PERSON_MAX && own[0] !== undefined) drop(own[0]);
      const connection = connect(session, response);
      response.writeHead(200, {
        ...headers,
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      });
      begin(connection, lastEventId, { live, scope });
    },
    count: () => connections.size,
    close() {
      clearInterval(heartbeat);
      live.close();
      for (const connection of connections) drop(connection);
    },
  };
}

/**
 * The frames of a batch. Only the last has an id, that of the whole batch: a listener that was cut off in the middle
 * comes back for all of it.
 */
function framesOf(changes: Changes, eventId: string): string {
  if (changes.length > FRAMES_PER_BATCH_MAX) return `id: ${eventId}\n${RESET}`;
  return changes
    .map((change, n) => (n === changes.length - 1 ? `id: ${eventId}\n` : '') + frameOf(change))
    .join('');
}

function frameOf({ collection, id, position }: Changes[number]): string {
  return `event: change\ndata: ${JSON.stringify({ collection, id, position })}\n\n`;
}
