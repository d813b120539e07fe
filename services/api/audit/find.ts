import type { EventStore } from '#event-store';
import { eventId, invariant, LodeError, type StreamEvent } from '#kernel';
import { eventKey, type EventDocument } from '#projections';
import type { ListQuery, ReadStoreReader } from '#read-store';

/** Where the audit looks: the read model says where an event is, the log what it says. */
export type Log = { readonly eventStore: EventStore; readonly readStore: ReadStoreReader };

/** An event with its place among all others. */
export type Found = { readonly place: string; readonly event: StreamEvent };

/** A stretch of the events, and the way it is gone through. */
export type Stretch = Pick<ListQuery, 'direction' | 'after' | 'from' | 'to' | 'limit'>;

/** Events that share the key of another's id; more than one is rare. */
const SAME_KEY_MAX = 8;
/** The most events that a command can have given. */
const EVENTS_PER_COMMAND_MAX = 1_024;

/** Some rows of the read model by one of its indexes. */
export function listEvents(
  { readStore }: Log,
  index: string,
  equals: Readonly<Record<string, string>>,
  stretch: Stretch,
): Promise<readonly EventDocument[]> {
  return readStore.list<EventDocument>('events', { index, equals, ...stretch });
}

/** The events of some rows, as the log has them. */
export function readEvents({ eventStore }: Log, rows: readonly EventDocument[]): Promise<readonly Found[]> {
  return Promise.all(
    rows.map(async ({ id, kind, key, position, revision, subject }) => {
      const stream = `${kind}-${subject}`;
      const [event] = await eventStore.readStream(stream, { from: revision, limit: 1 });
      invariant(
        event !== undefined && eventKey(event.id) === key,
        `the read models and the log have the same event ${revision} of ${stream}`,
      );
      return { place: id, event: { ...event, position } };
    }),
  );
}

/** An event by its id; undefined when there is none. */
export async function findEvent(log: Log, id: string): Promise<Found | undefined> {
  const stretch = { direction: 'ascending', limit: SAME_KEY_MAX } as const;
  const rows = await listEvents(log, 'key', { key: eventKey(id) }, stretch);
  return (await readEvents(log, rows)).find(({ event }) => event.id === id);
}

/** As `findEvent`; refuses with `event_not_found`. */
export async function eventOf(log: Log, id: string): Promise<Found> {
  const found = await findEvent(log, id);
  if (found === undefined) throw new LodeError('event_not_found', 'There is no such event.');
  return found;
}

/** The rows of a command's events: their ids follow from the command's, so that no index of commands is needed. */
export async function rowsOfCommand(log: Log, commandId: string): Promise<readonly EventDocument[]> {
  const rows: EventDocument[] = [];
  const stretch = { direction: 'ascending', limit: SAME_KEY_MAX } as const;
  for (let index = 0; index < EVENTS_PER_COMMAND_MAX; index++) {
    const some = await listEvents(log, 'key', { key: eventKey(eventId(commandId, index)) }, stretch);
    if (some.length === 0) break;
    rows.push(...some);
  }
  return rows;
}
