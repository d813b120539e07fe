import type { EventStore } from '#event-store';
import {
  comparePositions,
  eventId,
  invariant,
  isLodeError,
  LodeError,
  type Position,
  type StreamEvent,
} from '#kernel';
import { eventKey, streamOf, type EventDocument } from '#projections';
import type { ListQuery, ReadStoreReader } from '#read-store';

/** Where the audit looks: the read model says where an event is, the log what it says. */
export type Log = { readonly eventStore: EventStore; readonly readStore: ReadStoreReader };

/** An event with its place among all others. */
export type Found = { readonly place: string; readonly event: StreamEvent };

/** A stretch of the events, and the way it is gone through. */
export type Stretch = Pick<ListQuery, 'direction' | 'after' | 'from' | 'to' | 'limit'>;

/** Events that share the key of another's id; more than one is rare. */
const SAME_KEY_MAX = 8;
/** Events of the log that one may come after another to be read in one go: so few are sooner read than one is looked for. */
const APART_MAX = 8;
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

/** The events of some rows, at most a page of them, as the log has them. */
export async function readEvents(log: Log, rows: readonly EventDocument[]): Promise<readonly Found[]> {
  const events = new Map<Position, StreamEvent>();
  await Promise.all(runsOf(rows).map((run) => readRun(log, run, events)));
  return rows.map((row) => {
    const { id, key, position, revision } = row;
    const event = events.get(position);
    invariant(
      event !== undefined && eventKey(event.id) === key,
      `the read models and the log have the same event ${revision} of ${streamOf(row)}`,
    );
    return { place: id, event: { ...event, position } };
  });
}

/** The rows in the order of the log, cut where two that follow each other are far apart. */
function runsOf(rows: readonly EventDocument[]): readonly (readonly EventDocument[])[] {
  const runs: EventDocument[][] = [];
  for (const row of rows.toSorted((a, b) => comparePositions(a.position, b.position))) {
    const run = runs.at(-1);
    const before = run?.at(-1);
    if (before !== undefined && apart(before, row) <= APART_MAX) run?.push(row);
    else runs.push([row]);
  }
  return runs;
}

/** How many events of the log one comes after another; not to be known of rows that do not count them. */
function apart(before: EventDocument, after: EventDocument): number {
  return (after.ordinal ?? Infinity) - (before.ordinal ?? -Infinity);
}

/** The events of a run, each by itself where one between them, which is not asked for, can't be read. */
async function readRun(
  log: Log,
  run: readonly EventDocument[],
  events: Map<Position, StreamEvent>,
): Promise<void> {
  try {
    await readTogether(log, run, events);
  } catch (error) {
    if (!isLodeError(error) || error.code !== 'storage_failed') throw error;
    for (const row of run) await readOne(log, row, events);
  }
}

async function readOne(
  { eventStore }: Log,
  row: EventDocument,
  events: Map<Position, StreamEvent>,
): Promise<void> {
  const [event] = await eventStore.readStream(streamOf(row), { from: row.revision, limit: 1 });
  if (event !== undefined) events.set(row.position, event);
}

/** The first event of a run by its place in its stream, and all from there to the last in one go. */
async function readTogether(
  log: Log,
  run: readonly EventDocument[],
  events: Map<Position, StreamEvent>,
): Promise<void> {
  const { eventStore } = log;
  const [first] = run;
  const last = run.at(-1);
  if (first === undefined || last === undefined) return;
  await readOne(log, first, events);
  if (last === first) return;
  for (const one of await eventStore.readAll(first.position, apart(first, last)))
    events.set(one.position, one);
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
