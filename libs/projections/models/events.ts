import { partsOf, sortablePosition, type Json, type Position, type RecordedEvent } from '#kernel';
import type { Document } from '#read-store';
import { logModel, madeOf } from '../read-model.js';

/**
 * Where an event is in the log and what it can be found by, never what it says: short, because there is one for every
 * event. `id` is its place in time, see `eventPlace`; its stream is `streamOf` it. A member that another one tells, or
 * the event itself, is left out, so that it costs no entry in an index.
 */
export type EventDocument = Document & {
  /** The beginning of the event's id, see `eventKey`. */
  readonly key: string;
  readonly kind: string;
  /** It is the n-th event of the log; left out of those that were made before events were counted. */
  readonly ordinal?: number;
  /** Whom or what the stream is about: a person's id in the streams of people. */
  readonly subject: string;
  readonly revision: number;
  readonly type: string;
  /** Who did it; left out when that is the subject. */
  readonly actorId?: string;
  /** The other person of a transfer. */
  readonly otherId?: string;
  readonly requestId?: string;
  /** What caused the command, left out when nothing but the command itself did. */
  readonly causationId?: string;
  /** Left out when it is the command. */
  readonly correlationId?: string;
};

/** Digits of a time: enough until the year 5188. */
const RADIX = 36;
const TIME_DIGITS = 9;

/**
 * The place of an event among all others: by time, then by position. As text it sorts so, and is short, because every
 * index repeats it. Without a position it is the place before all events of that instant.
 */
export function eventPlace(at: string, position?: Position): string {
  const time = Date.parse(at).toString(RADIX).padStart(TIME_DIGITS, '0');
  return position === undefined ? time : time + sortablePosition(position);
}

/** The time of the event that has a place, as an ISO instant. */
export function timeOfPlace(place: string): string {
  return new Date(Number.parseInt(place.slice(0, TIME_DIGITS), RADIX)).toISOString();
}

/** Characters of an event's id that it is found by: few enough to be cheap, many enough that two hardly ever share them. */
const KEY_LENGTH = 18;

/** What an event is found by when its id is known. Another event may have the same one. */
export function eventKey(eventId: string): string {
  return eventId.slice(0, KEY_LENGTH);
}

/** The name of the stream with these parts. */
export function streamOf({ kind, subject }: ReturnType<typeof partsOf>): string {
  return subject === '' ? kind : `${kind}-${subject}`;
}

const PEOPLE: readonly string[] = ['account', 'access', 'notes'];

/** True for the streams of people: their subject is a person's id. */
export function isPersonal(kind: string): boolean {
  return PEOPLE.includes(kind);
}

function textIn(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function personIn(value: Json | undefined): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return textIn(value);
  return textIn((value as Readonly<Record<string, Json | undefined>>)['userId']);
}

/** The id of the person that an event names beside its own, by what it says: a receiver, or whom a transfer came from. */
export function otherIn(data: RecordedEvent['data']): string | undefined {
  return personIn(data['receiver']) ?? personIn(data['from']);
}

function documentOf(stored: RecordedEvent, ordinal: number): EventDocument {
  const { data, id, meta, position, at, revision, stream, type } = stored;
  const { actor, causationId, commandId, correlationId } = meta;
  const { kind, subject } = partsOf(stream);
  const otherId = otherIn(data);
  const requestId = textIn(data['requestId']) ?? textIn(data['transferId']);
  return {
    ...(actor.id === subject ? undefined : { actorId: actor.id }),
    ...(causationId === commandId ? undefined : { causationId }),
    ...(correlationId === commandId ? undefined : { correlationId }),
    id: eventPlace(at, position),
    key: eventKey(id),
    kind,
    ordinal,
    ...(otherId === undefined ? undefined : { otherId }),
    position,
    ...(requestId === undefined ? undefined : { requestId }),
    revision,
    subject,
    type,
  };
}

/** One small document an event: what an event is found by. The event itself is read from the log. */
export const events = logModel<EventDocument>({
  name: 'events',
  version: 2,
  indexes: [
    { name: 'key', equals: ['key'], order: [] },
    { name: 'type', equals: ['type'], order: [] },
    { name: 'subject', equals: ['subject'], order: [] },
    { name: 'actor', equals: ['actorId'], order: [], sparse: true },
    { name: 'other', equals: ['otherId'], order: [], sparse: true },
    { name: 'request', equals: ['requestId'], order: [], sparse: true },
    { name: 'causation', equals: ['causationId'], order: [], sparse: true },
    { name: 'correlation', equals: ['correlationId'], order: [], sparse: true },
  ],
  on: (stored, ordinal) => [madeOf(documentOf(stored, ordinal))],
  ownerOf: () => null,
  writesOnce: true,
  isQuiet: true,
});
