import { positionOf, type EventMeta, type Json, type RecordedEvent, type SealedEvent } from '#kernel';

/** An event on its way to the writer: what has a column of its own, and the rest as JSON. */
export type EventRow = {
  readonly id: string;
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

/** What the writer answers for one append. */
export type WriteResult =
  | { readonly kind: 'written'; readonly revision: number; readonly position: number }
  | { readonly kind: 'conflict'; readonly actual: number }
  | { readonly kind: 'failed'; readonly code: 'storage_full' | 'storage_failed' | 'internal'; readonly message: string };

/** A row as a read gives it: position, revision, stream name, type, body. */
export type StoredRow = readonly [position: number, revision: number, stream: string, type: string, body: string];

type Body = {
  readonly id: string;
  readonly version: number;
  readonly at: string;
  readonly data: { readonly [key: string]: Json | undefined };
  readonly meta: EventMeta;
};

/** The row of an event. */
export function toRow(event: SealedEvent): EventRow {
  const { id, version, at, data, meta } = event;
  return { id, revision: event.revision, type: event.type, body: JSON.stringify({ id, version, at, data, meta }) };
}

/** The event of a row. */
export function fromRow([position, revision, stream, type, body]: StoredRow): RecordedEvent {
  const { id, version, at, data, meta } = JSON.parse(body) as Body;
  return { id, type, version, stream, revision, at, data, meta, position: positionOf(position) };
}
