import type { Append, EventStore } from '#event-store';
import { hasCode, serializeError, spanIdOf, type Tracer } from '#kernel';

/** A log of whose appends spans tell, one for each command whose events are in it. */
export function traceAppends<Store extends Pick<EventStore, 'append' | 'appendMany'>>(
  store: Store,
  tracer: Tracer | undefined,
): Store {
  if (tracer === undefined) return store;
  const record = ({ events }: Append, start: number, error?: unknown) => {
    const commands = new Map<string, { readonly traceId: string | undefined; count: number }>();
    for (const { meta } of events) {
      const known = commands.get(meta.commandId);
      if (known !== undefined) known.count += 1;
      else commands.set(meta.commandId, { traceId: tracer.traceOf(meta.correlationId), count: 1 });
    }
    // It may be in the log all the same: that is its span then. Another one is tried again.
    const isDone = error === undefined || hasCode(error, 'unknown_outcome');
    for (const [commandId, { traceId, count }] of commands) {
      if (traceId === undefined) continue;
      tracer.record({
        name: 'append',
        traceId,
        spanId: isDone ? spanIdOf('append', commandId) : tracer.newSpanId(),
        parentId: spanIdOf('command', commandId),
        start,
        end: tracer.now(),
        attributes: { 'lode.command.id': commandId, 'lode.events': count },
        failure: error === undefined ? undefined : serializeError(error).code,
      });
    }
  };
  return {
    ...store,
    append: async (append) => {
      const start = tracer.now();
      try {
        const appended = await store.append(append);
        record(append, start);
        return appended;
      } catch (error) {
        record(append, start, error);
        throw error;
      }
    },
    appendMany: async (appends) => {
      const start = tracer.now();
      const results = await store.appendMany(appends);
      appends.forEach((append, n) => {
        const result = results[n];
        record(append, start, result?.status === 'rejected' ? result.reason : undefined);
      });
      return results;
    },
  };
}
