import type { AuditQuery } from '#contracts';
import { partsOf, sha256, type StreamEvent } from '#kernel';
import { eventPlace, isPersonal, streamOf, type EventDocument } from '#projections';
import { idIndex } from '#read-store';
import { decodeCursor, scannedPage, type Cursor, type Page } from '../paging.js';
import { listEvents, readEvents, rowsOfCommand, type Found, type Log, type Stretch } from './find.js';

/**
 * Rows of the read model that one page may look at. When that many hold too few that fit, the page ends there: a search
 * that finds little must not hold up the commands.
 */
const SCAN_MAX = 1_000;
/** Rows that are looked at together. */
const CHUNK = 250;
/** The greatest place that an instant can have. */
const LAST_INSTANT = Date.parse('5000-01-01T00:00:00.000Z');

export type EventFilter = Pick<
  AuditQuery,
  | 'stream'
  | 'type'
  | 'types'
  | 'person'
  | 'actor'
  | 'requestId'
  | 'correlationId'
  | 'commandId'
  | 'from'
  | 'to'
>;
/** Which events are asked for, and which page of them. */
export type EventsAsked = EventFilter & Pick<AuditQuery, 'order' | 'limit' | 'cursor'>;

/** Rows in order of their places, from one index or from a few that were found before. */
type Source = (stretch: Stretch) => Promise<readonly EventDocument[]>;

/**
 * One page of the events that fit a filter, by time and then by their place in the log. It holds fewer than were asked
 * for, though there are more, when `SCAN_MAX` rows were looked at; its cursors then go on where it stopped.
 */
export async function searchEvents(log: Log, asked: EventsAsked): Promise<Page<StreamEvent>> {
  const { cursor: text, limit, order, ...filter } = asked;
  const list = sha256(JSON.stringify([order, ...filterKeys.map((key) => filter[key] ?? null)])).slice(0, 32);
  const cursor = text === undefined ? undefined : decodeCursor(text, list, 1);
  const isBackwards = cursor?.way === 'previous';
  const isNewestFirst = (order === 'newest') !== isBackwards;
  const scanned = await scan(
    log,
    filter,
    limit,
    startAt(filter, isNewestFirst ? 'descending' : 'ascending', cursor),
  );
  const rows = scanned.rows.slice(0, limit);
  const edge = scanned.rows.length > limit ? rows.at(-1)?.place : scanned.stopped;
  return {
    items: (isBackwards ? rows.toReversed() : rows).map(({ event }) => event),
    ...scannedPage({ cursor, list, limit, places: rows.map(({ place }) => place), edge }),
  };
}

const filterKeys = [
  'stream',
  'type',
  'types',
  'person',
  'actor',
  'requestId',
  'correlationId',
  'commandId',
  'from',
  'to',
] as const satisfies readonly (keyof EventFilter)[];

/** The stretch that a page looks at: what lies between the filter's instants, from the cursor on. */
function startAt(
  { from, to }: EventFilter,
  direction: Stretch['direction'],
  cursor: Cursor | undefined,
): Omit<Stretch, 'limit'> {
  const key = cursor?.keys[0];
  const bounds = {
    direction,
    ...(from === undefined ? {} : { from: placeOf(from) }),
    ...(to === undefined ? {} : { to: placeOf(to) }),
  };
  if (key === undefined) return bounds;
  if (cursor?.inclusive !== true) return { ...bounds, after: [key] };
  // Nothing lies between a place and the same with one more character.
  return direction === 'ascending' ? { ...bounds, from: key } : { ...bounds, to: `${key}~` };
}

/** The place before every event that is not before an instant. Events have whole milliseconds. */
function placeOf(instant: string): string {
  const isBetween = /\.\d{3}\d*[1-9]/.test(instant);
  const time = Math.min(Math.max(Date.parse(instant) + Number(isBetween), 0), LAST_INSTANT);
  return eventPlace(new Date(time).toISOString());
}

type Scanned = {
  /** At most one more than was asked for. */
  readonly rows: readonly Found[];
  /** The place up to which all was looked at, when there is more. */
  readonly stopped: string | undefined;
};

async function scan(
  log: Log,
  filter: EventFilter,
  limit: number,
  start: Omit<Stretch, 'limit'>,
): Promise<Scanned> {
  const rows: Found[] = [];
  let stretch = start;
  let chunk = limit + 1;
  const sources = await sourcesOf(log, filter, { ...stretch, limit: chunk });
  for (let scanned = 0; ;) {
    const { merged, frontier } = await mergeChunk(sources, { ...stretch, limit: chunk });
    const fitting = merged.filter((row) => mayFit(row, filter));
    while (fitting.length > 0 && rows.length <= limit) {
      const some = await readEvents(log, fitting.splice(0, limit + 1 - rows.length));
      rows.push(...some.filter(({ event }) => fits(event, filter)));
    }
    scanned += merged.length;
    if (rows.length > limit || frontier === undefined) return { rows, stopped: undefined };
    if (scanned >= SCAN_MAX) return { rows, stopped: frontier };
    stretch = { ...stretch, after: [frontier] };
    chunk = CHUNK;
  }
}

/** The next rows of all sources in order, each once, and the place up to which none is missing; undefined at the end. */
async function mergeChunk(sources: readonly Source[], stretch: Stretch) {
  const lists = await Promise.all(sources.map((source) => source(stretch)));
  const frontier = frontierOf(
    lists.map((list) => list.map(({ id }) => id)),
    stretch,
  );
  const rows = new Map(lists.flat().map((row) => [row.id, row]));
  const merged = [...rows.values()]
    .filter(({ id }) => frontier === undefined || !isBeyond(id, frontier, stretch))
    .sort((a, b) => (isBeyond(a.id, b.id, stretch) ? 1 : -1));
  return { merged, frontier };
}

/** The place up to which none is missing from the lists of a stretch; undefined when all of them ended. */
function frontierOf(lists: readonly (readonly string[])[], stretch: Stretch): string | undefined {
  const ends = lists.flatMap((ids) => (ids.length === stretch.limit ? (ids.at(-1) ?? []) : []));
  return ends.reduce<string | undefined>(
    (nearest, end) => (nearest === undefined || isBeyond(nearest, end, stretch) ? end : nearest),
    undefined,
  );
}

/** True when a place lies beyond another one in the direction of a stretch. */
function isBeyond(place: string, other: string, { direction }: Pick<Stretch, 'direction'>): boolean {
  return direction === 'ascending' ? place > other : place < other;
}

/** A part of one of the read model's indexes. */
type Entries = { readonly index: string; readonly equals: Readonly<Record<string, string>> };

/** The rows among which all events that fit the filter are: by its member that fewest events are likely to have. */
async function sourcesOf(log: Log, filter: EventFilter, first: Stretch): Promise<readonly Source[]> {
  const { actor, commandId, correlationId, person, requestId, stream, type, types } = filter;
  const by = ({ index, equals }: Entries): Source => {
    return (stretch) => listEvents(log, index, equals, stretch);
  };
  if (requestId !== undefined) return [by({ index: 'request', equals: { requestId } })];
  if (commandId !== undefined) return [among(await rowsOfCommand(log, commandId))];
  if (correlationId !== undefined)
    return [
      by({ index: 'correlation', equals: { correlationId } }),
      among(await rowsOfCommand(log, correlationId)),
    ];
  if (stream !== undefined) return [by({ index: 'subject', equals: { subject: partsOf(stream).subject } })];
  if (person !== undefined) return entriesOf(person, 'other', 'otherId').map(by);
  const ways: (readonly Entries[])[] = [];
  if (actor !== undefined) ways.push(entriesOf(actor, 'actor', 'actorId'));
  if (type !== undefined) ways.push([{ index: 'type', equals: { type } }]);
  else if (types !== undefined)
    ways.push(listed(types).map((one) => ({ index: 'type', equals: { type: one } })));
  if (ways.length === 0) ways.push([{ index: idIndex, equals: {} }]);
  return (await sparsest(log, ways, first)).map(by);
}

/** The entries of a person: as whom the events are about, and as one whom they name besides. */
function entriesOf(person: string, index: string, field: string): readonly Entries[] {
  return [
    { index: 'subject', equals: { subject: person } },
    { index, equals: { [field]: person } },
  ];
}

/**
 * The way whose first entries reach furthest: on it the fewest are passed over until a page is full. An admin does many
 * things, each type is done by many, and neither says which of the two is rare.
 */
async function sparsest(
  { readStore }: Log,
  ways: readonly (readonly Entries[])[],
  first: Stretch,
): Promise<readonly Entries[]> {
  if (ways.length === 1) return ways.flat();
  const reaching = ways.map(async (way) => {
    const keys = await Promise.all(way.map((entries) => readStore.keys('events', { ...entries, ...first })));
    const ids = keys.map((list) => list.flat());
    return { way, reach: frontierOf(ids, first) ?? beyondAll[first.direction] };
  });
  const furthest = (await Promise.all(reaching)).reduce((best, one) =>
    isBeyond(one.reach, best.reach, first) ? one : best,
  );
  return furthest.way;
}

/** Beyond every place, in either direction. */
const beyondAll = { ascending: '~', descending: '' } as const;

/** A source of rows that are at hand. */
function among(rows: readonly EventDocument[]): Source {
  return async ({ after, direction, from, to, limit }) => {
    const [start] = after ?? [];
    const isAscending = direction === 'ascending';
    return rows
      .filter(({ id }) => start === undefined || (isAscending ? id > start : id < start))
      .filter(({ id }) => (from === undefined || id >= from) && (to === undefined || id < to))
      .sort((a, b) => (a.id > b.id === isAscending ? 1 : -1))
      .slice(0, limit);
  };
}

/** The types that a filter lists, each once. */
function listed(types: string): readonly string[] {
  return [...new Set(types.split(','))];
}

/** False when the row says that its event doesn't fit; the event is read for the rest. */
function mayFit(row: EventDocument, filter: EventFilter): boolean {
  const { actor, person, requestId, stream, type, types } = filter;
  const { actorId, kind, otherId, subject } = row;
  return (
    (stream === undefined || streamOf(row) === stream) &&
    (type === undefined || row.type === type) &&
    (types === undefined || listed(types).includes(row.type)) &&
    (person === undefined || otherId === person || (isPersonal(kind) && subject === person)) &&
    (actor === undefined || (actorId ?? subject) === actor) &&
    (requestId === undefined || row.requestId === requestId)
  );
}

function fits({ meta }: StreamEvent, { commandId, correlationId }: EventFilter): boolean {
  return (
    (commandId === undefined || meta.commandId === commandId) &&
    (correlationId === undefined || meta.correlationId === correlationId)
  );
}
