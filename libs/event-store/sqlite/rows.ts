import { crc32 } from 'node:zlib';
import {
  canonicalJson,
  LodeError,
  positionOf,
  type EventMeta,
  type EventText,
  type Json,
  type RecordedEvent,
  type SealedEvent,
} from '#kernel';

/** An append on its way to the writer: of each event what has a column of its own, and the rest as JSON. */
export type AppendRows = {
  readonly stream: string;
  /** −1 is "no stream", undefined "any revision of an existing one". */
  readonly expected: number | undefined;
  /** Revision of the first event; the others follow it. */
  readonly first: number;
  readonly types: readonly string[];
  readonly versions: readonly number[];
  readonly bodies: readonly string[];
};

/**
 * Appends as they cross to the writer's thread: lists of plain values, because what crosses is copied value by value
 * and an object's keys are copied with each object.
 */
export type PackedAppends = {
  readonly streams: readonly string[];
  readonly expected: readonly (number | undefined)[];
  readonly firsts: readonly number[];
  /** Events of each append. */
  readonly counts: readonly number[];
  readonly types: readonly string[];
  readonly versions: readonly number[];
  readonly bodies: readonly string[];
};

/** The appends in the lists that cross to the writer. */
export function pack(appends: Iterable<{ readonly rows: AppendRows }>): PackedAppends {
  const streams: string[] = [];
  const expected: (number | undefined)[] = [];
  const firsts: number[] = [];
  const counts: number[] = [];
  const types: string[] = [];
  const versions: number[] = [];
  const bodies: string[] = [];
  for (const { rows } of appends) {
    streams.push(rows.stream);
    expected.push(rows.expected);
    firsts.push(rows.first);
    counts.push(rows.bodies.length);
    types.push(...rows.types);
    versions.push(...rows.versions);
    bodies.push(...rows.bodies);
  }
  return { streams, expected, firsts, counts, types, versions, bodies };
}

/** The appends of such lists. */
export function unpack(packed: PackedAppends): AppendRows[] {
  const { streams, expected, firsts, counts, types, versions, bodies } = packed;
  let from = 0;
  return streams.map((stream, n) => {
    const to = from + (counts[n] ?? 0);
    const append = {
      stream,
      expected: expected[n],
      first: firsts[n] ?? 0,
      types: types.slice(from, to),
      versions: versions.slice(from, to),
      bodies: bodies.slice(from, to),
    };
    from = to;
    return append;
  });
}

/** Why a whole commit failed; after `storage_failed` and `unknown_outcome` the writer takes no more. */
export type WriteFailure = 'storage_full' | 'storage_failed' | 'unavailable' | 'unknown_outcome' | 'internal';

/** What the writer answers for one append. */
export type WriteResult =
  /** Position of its first event; those of the others follow it. */
  | number
  /** It had been written before: positions of its first and its last event, which may have come from several appends. */
  | { readonly kind: 'written before'; readonly first: number; readonly last: number }
  | { readonly kind: 'conflict'; readonly actual: number }
  | { readonly kind: 'failed'; readonly code: WriteFailure; readonly message: string };

/**
 * A row as a read gives it. Its stream is null where the file no longer says whose it is; its checksum is null where it
 * was written before rows had one.
 */
export type StoredRow = readonly [
  position: number,
  revision: number,
  stream: string | null,
  type: string,
  body: string,
  checksum: number | null,
];

/** What the body of a row is the JSON of. */
export type StoredBody = {
  readonly id: string;
  readonly version: number;
  readonly at: string;
  readonly data: { readonly [key: string]: Json | undefined };
  readonly meta: EventMeta;
};

/** The body of an event's row: of `text`, when there is one. */
export function bodyOf({ id, version, at, data, meta }: SealedEvent, text?: EventText): string {
  if (text === undefined) return JSON.stringify({ id, version, at, data, meta });
  // The chain goes in front of the other members of the meta.
  return (
    `{"id":${canonicalJson(id)},"version":${canonicalJson(version)},"at":${canonicalJson(at)},"data":${text.data},` +
    `"meta":{"chain":${canonicalJson(meta.chain)},${text.meta.slice(1)}}`
  );
}

/** Spreads revisions over 32 bits, so that one never makes up for another position. */
const SPREAD = 0x9e3779b1;

/**
 * CRC-32 of a row: position and revision first, then stream name, type and body. It finds accidents; the hash chain
 * finds tampering. Signed, so that SQLite stores it in four bytes.
 */
export function checksumOf(
  position: number,
  revision: number,
  stream: string,
  type: string,
  body: string,
): number {
  // Computed for every row read: numbers go in as they are, and not as text.
  const place = (position ^ Math.imul(revision, SPREAD)) >>> 0;
  return crc32(body, crc32(stream + type, place)) | 0;
}

/**
 * The event of a row. Throws `storage_failed`, with its place in the details, when it is not what was written or its text
 * is no event.
 */
export function fromRow(row: StoredRow): RecordedEvent {
  const [position, revision, stream, type, body, checksum] = row;
  try {
    if (stream === null) throw new Error('its stream is not in the file');
    if (checksum !== null && checksum !== checksumOf(position, revision, stream, type, body))
      throw new Error('its checksum is not that of its content');
    const { id, version, at, data, meta } = JSON.parse(body) as StoredBody;
    return { id, type, version, stream, revision, at, data, meta, position: positionOf(position) };
  } catch (error) {
    const owner = stream === null ? 'of no stream' : `${stream}@${revision}`;
    throw new LodeError(
      'storage_failed',
      `The event at position ${position} (${owner}) can't be read: restore it from a backup.`,
      { position: String(position), ...(stream === null ? {} : { stream, revision }), type },
      { cause: error },
    );
  }
}

/** Refuses with `storage_failed` an event of a stream that another one should stand before. */
export function refuseGap({ position, stream, revision, type }: RecordedEvent): never {
  throw new LodeError(
    'storage_failed',
    `An event beside that at position ${position} (${stream}@${revision}) is missing: restore it from a backup.`,
    { position, stream, revision, type },
  );
}
