import { jsonEvent, type EventData, type Position as LogPosition } from '@eventstore/db-client';
import {
  chainOf,
  chainStart,
  eventId,
  positionOf,
  uuidV5,
  type EventMeta,
  type Position,
  type SealedEvent,
} from '#kernel';
import type { EventKinds, HeaderChange, LogHeader } from '../port.js';

/** What the client gives of an event, as far as we look at it. */
export type StoredEvent = {
  readonly streamId: string;
  readonly revision: bigint;
  readonly type: string;
  readonly isJson: boolean;
  readonly data: unknown;
  readonly metadata?: unknown;
  readonly position?: LogPosition;
};

/** The stream of the log's header. */
export const HEADER_STREAM = 'lode-log';
/** Events in it at most: a log is filled and moved once or a few times, and has tens of kinds of events. */
export const HEADER_EVENTS_MAX = 1_000;

/** What an event's metadata in EventStoreDB holds; stream and revision are the server's own. */
type StoredMetadata = {
  readonly id: string;
  readonly version: number;
  readonly at: string;
  readonly meta: EventMeta;
};

/** What a server says for a position that it does not know: reads of a stream before release 22.6. */
const POSITION_UNKNOWN = 2n ** 64n - 1n;
const CHAIN = /^[0-9a-f]{64}$/;
const META_TEXTS = ['commandId', 'requestHash', 'correlationId', 'causationId', 'chain'] as const;

/**
 * An envelope in the client's form. The server takes events of ids that it has for the same events, whatever else is in
 * them; so the id it is given stands for everything that the chain covers, and an event sealed again is another.
 */
export function toStored({ id, type, data, version, at, meta }: SealedEvent): EventData {
  const metadata: StoredMetadata = { id, version, at, meta };
  return jsonEvent({ id: uuidV5(id, meta.chain), type, data, metadata });
}

/** The envelope that a stored event holds; undefined when Lode did not write it, or when it is the log's header. */
export function toSealed(event: StoredEvent): SealedEvent | undefined {
  const { streamId, revision, type, isJson, data, metadata } = event;
  if (!isJson || type.startsWith('$') || streamId.startsWith('$') || streamId === HEADER_STREAM)
    return undefined;
  if (!isRecord(data) || !isStoredMetadata(metadata)) return undefined;
  const { id, version, at, meta } = metadata;
  return {
    id,
    type,
    version,
    stream: streamId,
    revision: Number(revision),
    at,
    data: data as SealedEvent['data'],
    meta,
  };
}

/**
 * A log's header as what is appended to a stream that has nothing else. The server takes one of those that programs send at
 * the same time, and all reads of the log pass it over.
 */
export function headerEvent({ logId, partitions }: LogHeader, at: string): SealedEvent {
  return besideTheLog({
    logId,
    changeId: logId,
    revision: 0,
    type: 'LogHeader',
    at,
    data: { logId, partitions },
  });
}

/** A change of a log's header, the `revision`-th event of its stream. `changeId` tells it from every other. */
export function headerChanged(
  { logId }: LogHeader,
  change: HeaderChange | { readonly kinds: EventKinds },
  place: { readonly revision: number; readonly changeId: string; readonly at: string },
): SealedEvent {
  return besideTheLog({ ...place, logId, type: 'LogHeaderChanged', data: change });
}

type Beside = Pick<SealedEvent, 'revision' | 'type' | 'at' | 'data'> & {
  readonly logId: string;
  readonly changeId: string;
};

function besideTheLog({ logId, changeId, ...own }: Beside): SealedEvent {
  const meta = {
    actor: { kind: 'system', id: 'event-store', role: 'system' },
    commandId: changeId,
    requestHash: 'none',
    correlationId: logId,
    causationId: logId,
  } as const;
  const unchained = { ...own, id: eventId(logId, own.revision), version: 1, stream: HEADER_STREAM, meta };
  return { ...unchained, meta: { ...meta, chain: chainOf(chainStart, unchained) } };
}

/** The header that a stored event is; undefined when it is none. */
export function toHeader({ data }: StoredEvent): LogHeader | undefined {
  if (!isRecord(data)) return undefined;
  const { logId, partitions } = data;
  return typeof logId === 'string' && typeof partitions === 'number' ? { logId, partitions } : undefined;
}

/** What a stored event of the header's stream changes of the header. */
export function changeIn({ data }: StoredEvent): HeaderChange {
  const { filling, movedTo, movedToLog, program } = isRecord(data) ? data : {};
  return {
    ...(typeof filling === 'boolean' ? { filling } : {}),
    ...(typeof movedTo === 'string' || movedTo === null ? { movedTo } : {}),
    ...(typeof movedToLog === 'string' ? { movedToLog } : {}),
    ...(typeof program === 'string' ? { program } : {}),
  };
}

/** The kinds of events that a stored event of the header's stream tells of. Earlier programs pass them over. */
export function kindsToldBy({ data }: StoredEvent): EventKinds {
  const kinds = isRecord(data) ? data['kinds'] : undefined;
  if (!isRecord(kinds)) return {};
  const told = Object.entries(kinds).filter((kind): kind is [string, number] => typeof kind[1] === 'number');
  return Object.fromEntries(told);
}

/** Where an event is in the log, when the server says so. */
export function toPosition(position: LogPosition | undefined): Position | undefined {
  if (position === undefined || position.commit === POSITION_UNKNOWN) return undefined;
  return positionOf(position.commit);
}

function isStoredMetadata(value: unknown): value is StoredMetadata {
  if (!isRecord(value) || !isRecord(value['meta']) || !isRecord(value['meta']['actor'])) return false;
  const { id, version, at, meta } = value;
  return (
    typeof id === 'string' &&
    Number.isSafeInteger(version) &&
    typeof at === 'string' &&
    META_TEXTS.every((key) => typeof meta[key] === 'string') &&
    CHAIN.test(String(meta['chain']))
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
