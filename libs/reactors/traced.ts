import { serializeError, type Tracer } from '#kernel';
import type { Execute } from './deliver.js';

/** What carries out a reactor's commands, and records a span of each: a consequence of what made the log have its event. */
export function traced<Command>(
  tracer: Tracer | undefined,
  reactor: string,
  execute: Execute<Command>,
): Execute<Command> {
  if (tracer === undefined) return execute;
  return async (command, context) => {
    const traceId = tracer.traceOf(context.correlationId);
    if (traceId === undefined) return execute(command, context);
    const [start, spanId] = [tracer.now(), tracer.newSpanId()];
    const end = (failure?: string) =>
      tracer.record({
        name: `reactor ${reactor}`,
        traceId,
        spanId,
        parentId: context.span,
        start,
        end: tracer.now(),
        attributes: { 'lode.event.id': context.causationId },
        failure,
      });
    try {
      const done = await execute(command, { ...context, span: spanId });
      end();
      return done;
    } catch (error) {
      end(serializeError(error).code);
      throw error;
    }
  };
}
