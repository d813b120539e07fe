import type { LiveTelling } from '#application';
import { spanIdOf, type Tracer } from '#kernel';

/** Traces that pages are told of changes: a span of each command that they come from, however many pages there are. */
export function traceTelling(tracer: Tracer | undefined): LiveTelling | undefined {
  if (tracer === undefined) return undefined;
  return (changes) => {
    const told = new Map<
      string,
      { readonly traceId: string | undefined; readonly collections: Set<string> }
    >();
    for (const { cause, collection } of changes) {
      if (cause === undefined) continue;
      const known = told.get(cause.commandId);
      if (known !== undefined) known.collections.add(collection);
      else
        told.set(cause.commandId, {
          traceId: tracer.traceOf(cause.correlationId),
          collections: new Set([collection]),
        });
    }
    const start = tracer.now();
    return (pages) => {
      for (const [commandId, { traceId, collections }] of told) {
        if (traceId === undefined) continue;
        tracer.record({
          name: 'live message',
          traceId,
          spanId: tracer.newSpanId(),
          parentId: spanIdOf('projection', commandId),
          start,
          end: tracer.now(),
          attributes: { 'lode.collections': [...collections].join(), 'lode.pages': pages },
        });
      }
    };
  };
}
