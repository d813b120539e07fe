import {
  comparePositions,
  logStart,
  positionOf,
  type DecodedEvent,
  type DomainEvent,
  type Position,
  type RecordedEvent,
} from '#kernel';
import type { LogHeader } from '#event-store';
import type { FoldedLog } from '../runner-context.js';

/** A log in memory that a test writes to; positions are those that the events bring. */
export type MemoryLog = FoldedLog & {
  readonly events: readonly RecordedEvent[];
  readonly add: (...events: readonly RecordedEvent[]) => void;
};

export function memoryLog(first: readonly RecordedEvent[] = [], header?: LogHeader): MemoryLog {
  const events = [...first];
  return {
    events,
    add: (...more) => {
      events.push(...more);
    },
    readAll: async (after, limit) => {
      const from = events.findIndex(({ position }) => comparePositions(position, after) > 0);
      // As an engine would, each read gives objects of its own.
      return from < 0 ? [] : structuredClone(events.slice(from, from + limit));
    },
    readStream: async (stream, { from = 0, limit }) => {
      const own = events.filter((event) => event.stream === stream);
      return structuredClone(own.slice(from, from + limit));
    },
    head: async () => events.at(-1)?.position ?? logStart,
    header: async () => header,
  };
}

const START = Date.parse('2026-01-01T00:00:00.000Z');

/** An event as a log gives it, at a position, of the given type and data. */
export function recorded(
  position: number,
  stream: string,
  type: string,
  data: RecordedEvent['data'],
  revision = 0,
  reason?: string,
  version = 1,
): RecordedEvent {
  return {
    at: new Date(START + position).toISOString(),
    data,
    id: `event-${position}`,
    meta: {
      actor: { id: 'admin-1', kind: 'person', role: 'admin' },
      causationId: `command-${position}`,
      chain: '0'.repeat(64),
      commandId: `command-${position}`,
      correlationId: `command-${position}`,
      requestHash: 'none',
      ...(reason === undefined ? {} : { reason }),
    },
    position: positionOf(position),
    revision,
    stream,
    type,
    version,
  };
}

/** A domain event as handlers of read models get it, at a position. */
export function happened<Event extends DomainEvent>(
  position: number,
  stream: string,
  event: Event,
): DecodedEvent<Event> {
  const { version: _, ...envelope } = recorded(position, stream, event.type, {});
  return { ...envelope, ...event };
}

/** A position as a test writes it. */
export function at(position: number): Position {
  return positionOf(position);
}

/** The bytes that an event takes in a log of bytes, as its place in the log decides. */
function bytesOf(ordinal: number): number {
  return 137 * (1 + (ordinal % 5)) + ((ordinal * 7_919) % 101);
}

/** The events as an engine gives them that numbers them by bytes, which any positions before the first follow. */
export function atByteOffsets(events: readonly RecordedEvent[], before = 0): readonly RecordedEvent[] {
  let offset = before;
  return events.map((event, n) => {
    offset += bytesOf(n);
    return { ...event, position: positionOf(offset) };
  });
}
