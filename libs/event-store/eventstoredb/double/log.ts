import type { LogEvent, NewEvent } from './event.js';
import { noJournal, type Journal } from './journal.js';

export type AppendResult =
  | { readonly kind: 'written'; readonly revision: bigint; readonly position: bigint }
  /** `current` is -1 when there is no stream. */
  | { readonly kind: 'wrong-version'; readonly current: bigint }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'deleted' };

/** The server's default MaxAppendSize. */
export const APPEND_BYTES_MAX = 1_048_576;
/** What a record's header takes in the transaction file; any number would do that makes positions grow unevenly. */
const HEADER_BYTES = 103n;

/** The transaction file of the double: what EventStoreDB 21.10 was seen to do with appends and reads. */
export type Log = ReturnType<typeof createLog>;

/** A log of what the journal holds; what is appended goes into it, and what is deleted does not. */
export function createLog(journal: Journal = noJournal) {
  const all: LogEvent[] = [];
  const streams = new Map<string, LogEvent[]>();
  const softDeleted = new Map<string, bigint>();
  const tombstones = new Set<string>();
  let end = HEADER_BYTES;

  function write(stream: string, event: NewEvent): LogEvent {
    const known = streams.get(stream) ?? [];
    const written = { ...event, stream, revision: BigInt(known.length), position: end };
    end += HEADER_BYTES + BigInt(event.data.length + event.metadata.length);
    all.push(written);
    known.push(written);
    streams.set(stream, known);
    return written;
  }

  /** The first answer again, when the stream holds exactly these ids after `expected`. */
  function idempotent(known: readonly LogEvent[], expected: bigint, events: readonly NewEvent[]) {
    const held = known.slice(Number(expected) + 1, Number(expected) + 1 + events.length);
    const same =
      held.length === events.length && held.every((event, index) => event.id === events[index]?.id);
    const last = held.at(-1);
    return same ? last : undefined;
  }

  /** Appends all or nothing; `expected` is the last revision that the stream must have, -1 for no stream. */
  function append(stream: string, expected: bigint, events: readonly NewEvent[]): AppendResult {
    if (tombstones.has(stream)) return { kind: 'deleted' };
    const bytes = events.reduce((sum, event) => sum + sizeOf(event), 0);
    if (bytes > APPEND_BYTES_MAX) return { kind: 'too-large' };
    const known = streams.get(stream) ?? [];
    const current = BigInt(known.length) - 1n;
    const revived = expected === -1n && softDeleted.get(stream) === current;
    if (expected < current && !revived) {
      const last = idempotent(known, expected, events);
      if (last !== undefined) return { kind: 'written', revision: last.revision, position: last.position };
    }
    if (expected !== current && !revived) return { kind: 'wrong-version', current };
    journal.add({ stream, events });
    const last = events.map((event) => write(stream, event)).at(-1);
    // The server answers an empty append with a success that wrote nothing.
    return { kind: 'written', revision: last?.revision ?? 0n, position: last?.position ?? 0n };
  }

  for (const { stream, events } of journal.held) for (const event of events) write(stream, event);

  return {
    append,

    /** Makes what was appended outlive the process, where there is a file for it. */
    sync: () => journal.sync(),

    /** Undefined when the stream does not exist or was deleted; 'tombstone' when it was deleted for ever. */
    stream(name: string): readonly LogEvent[] | 'tombstone' | undefined {
      if (tombstones.has(name)) return 'tombstone';
      const known = streams.get(name);
      const gone = softDeleted.get(name);
      return gone === undefined ? known : known?.filter((event) => event.revision > gone);
    },

    all: (): readonly LogEvent[] => all,

    /** Deletes a stream the soft way: it can come back, and then goes on counting. */
    softDelete(stream: string): void {
      softDeleted.set(stream, BigInt(streams.get(stream)?.length ?? 0) - 1n);
    },

    /** Deletes a stream for ever. */
    tombstone(stream: string): void {
      tombstones.add(stream);
    },
  };
}

function sizeOf({ data, metadata, type }: NewEvent): number {
  return data.length + metadata.length + 2 * type.length;
}
