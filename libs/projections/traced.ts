import { spanIdOf, traceIdOf, type Cause, type RecordedEvent, type Tracer } from '#kernel';
import type { DocumentChange } from './delivery.js';

/** Events of a batch beyond which it is not traced: then nobody waits for one of them, but for all. */
const EVENTS_MAX = 1_000;

/** What of a batch is traced. */
export type TracedBatch = {
  readonly add: (events: readonly RecordedEvent[]) => void;
  /** The changes, each with what the event at its position came from, where that is in the batch. */
  readonly withCauses: (changes: readonly DocumentChange[]) => readonly DocumentChange[];
  /** Records a span of each command whose events were in it: from its beginning until now, when all of it is written. */
  readonly record: () => void;
};

/** Begins to trace a batch; undefined where nobody traces. */
export function beginTraced(tracer: Tracer | undefined): TracedBatch | undefined {
  if (tracer === undefined) return undefined;
  const start = tracer.now();
  const events: RecordedEvent[] = [];
  const isTaken = ({ meta }: RecordedEvent) => tracer.traceOf(meta.correlationId) !== undefined;
  let count = 0;
  let isTooLarge = false;
  return {
    add: (more) => {
      count += more.length;
      isTooLarge ||= count > EVENTS_MAX;
      if (!isTooLarge) events.push(...more.filter(isTaken));
    },
    withCauses: (changes) => (isTooLarge ? changes : withCauses(changes, events)),
    record: () => {
      if (isTooLarge) return;
      for (const { cause, types } of commandsOf(events).values())
        tracer.record({
          name: 'projection',
          traceId: traceIdOf(cause.correlationId),
          spanId: spanIdOf('projection', cause.commandId),
          parentId: spanIdOf('append', cause.commandId),
          start,
          end: tracer.now(),
          attributes: { 'lode.event.types': [...types].join() },
        });
    },
  };
}

/** Changes, each with what the event at its position came from, where that is one of the events. */
export function withCauses(
  changes: readonly DocumentChange[],
  events: readonly Pick<RecordedEvent, 'position' | 'meta'>[],
): readonly DocumentChange[] {
  const causes = new Map(events.map(({ position, meta }) => [position, causeOf(meta)]));
  return changes.map((change) => {
    const cause = causes.get(change.position);
    return cause === undefined ? change : { ...change, cause };
  });
}

function causeOf({ commandId, correlationId }: Cause): Cause {
  return { commandId, correlationId };
}

type Traced = { readonly cause: Cause; readonly types: Set<string> };

function commandsOf(events: readonly RecordedEvent[]): ReadonlyMap<string, Traced> {
  const commands = new Map<string, Traced>();
  for (const { type, meta } of events) {
    const known = commands.get(meta.commandId);
    if (known === undefined) commands.set(meta.commandId, { cause: causeOf(meta), types: new Set([type]) });
    else known.types.add(type);
  }
  return commands;
}
