import {
  LodeError,
  positionOf,
  type EventMeta,
  type Json,
  type RecordedEvent,
  type SealedEvent,
} from '#kernel';

/** An event on its way to the writer: what has a column of its own, and the rest as JSON. */
export type EventRow = {
  readonly revision: number;
  readonly type: string;
  readonly body: string;
};

/** An append on its way to the writer; `expected` −1 is "no stream", undefined "any revision of an existing one". */
export type AppendRows = {
  readonly stream: string;
  readonly expected: number | undefined;
  readonly rows: readonly EventRow[];
};

/** Why a whole commit failed; after all but `storage_failed` the writer goes on. */
export type WriteFailure = 'storage_full' | 'storage_failed' | 'unavailable' | 'internal';

/** What the writer answers for one append. */
export type WriteResult =
  | {
      readonly kind: 'written';
      /** Revision of the last event. */
      readonly revision: number;
      /** Positions of the first and the last event, and how many there are. */
      readonly first: number;
      readonly position: number;
      readonly count: number;
    }
  | { readonly kind: 'conflict'; readonly actual: number }
  | { readonly kind: 'failed'; readonly code: WriteFailure; readonly message: string };

/** A row as a read gives it: position, revision, stream name, type, body. */
export type StoredRow = readonly [
  position: number,
  revision: number,
  stream: string,
  type: string,
  body: string,
];

/** What the body of a row is the JSON of. */
export type StoredBody = {
  readonly id: string;
  readonly version: number;
  readonly at: string;
  readonly data: { readonly [key: string]: Json | undefined };
  readonly meta: EventMeta;
};

/** The row of an event. */
export function toRow(event: SealedEvent): EventRow {
  const { id, version, at, data, meta } = event;
  return {
    revision: event.revision,
    type: event.type,
    body: JSON.stringify({ id, version, at, data, meta }),
  };
}

/** The event of a row. Throws `storage_failed`, with its place in the details, when its text is no event. */
export function fromRow([position, revision, stream, type, body]: StoredRow): RecordedEvent {
  try {
    const { id, version, at, data, meta } = JSON.parse(body) as StoredBody;
    return { id, type, version, stream, revision, at, data, meta, position: positionOf(position) };
  } catch (error) {
    throw new LodeError(
      'storage_failed',
      `The event at position ${position} (${stream}@${revision}) can't be read: restore it from a backup.`,
      { position: String(position), stream, revision, type },
      { cause: error },
    );
  }
}
