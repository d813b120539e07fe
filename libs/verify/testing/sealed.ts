import {
  chainOf,
  chainStart,
  comparePositions,
  eventId,
  positionOf,
  uuidV5,
  type Position,
  type RecordedEvent,
  type StoredFact,
} from '#kernel';
import type { LogToCheck } from '../log.js';

/** A fact and where it goes; those of one `command` in a row are of the same command. */
export type Fact = Omit<StoredFact, 'version'> & {
  readonly stream: string;
  readonly command?: string;
  readonly version?: number;
};

const NAMESPACE = '4b0a9d0e-52d8-5c43-8d6b-1a2f5d7c9e04';

/** A log of facts, sealed as the program would, whatever the facts are. */
export function sealedLog(facts: readonly Fact[]): readonly RecordedEvent[] {
  const heads = new Map<string, RecordedEvent>();
  const counts = new Map<string, number>();
  return facts.map(({ stream, type, data, command, version = 1 }, n) => {
    const before = heads.get(stream);
    const commandId = uuidV5(NAMESPACE, command ?? `command ${n}`);
    const index = counts.get(commandId) ?? 0;
    counts.set(commandId, index + 1);
    const unchained = {
      id: eventId(commandId, index),
      type,
      version,
      stream,
      revision: (before?.revision ?? -1) + 1,
      at: new Date(Date.UTC(2026, 0, 1) + n * 1_000).toISOString(),
      data,
      meta: {
        actor: { kind: 'person', id: 'admin-1', role: 'admin' },
        commandId,
        requestHash: 'none',
        correlationId: commandId,
        causationId: commandId,
      },
    } as const;
    const chain = chainOf(before?.meta.chain ?? chainStart, unchained);
    const event = { ...unchained, meta: { ...unchained.meta, chain }, position: positionOf(n + 1) };
    heads.set(stream, event);
    return event;
  });
}

/** The position that follows another in such a log. */
export function nextPosition(position: Position): Position {
  return positionOf(BigInt(position) + 1n);
}

/** A log of these events, in the order of their positions. */
export function logOf(given: readonly RecordedEvent[]): LogToCheck {
  const events = given.toSorted((a, b) => comparePositions(a.position, b.position));
  return {
    readAll: async (after, limit) =>
      events.filter(({ position }) => comparePositions(position, after) > 0).slice(0, limit),
    readStream: async (stream, { from = 0, limit }) =>
      events
        .filter((event) => event.stream === stream && event.revision >= from)
        .toSorted((a, b) => a.revision - b.revision)
        .slice(0, limit),
  };
}
