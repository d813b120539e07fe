import { LodeError, serializeError, spanIdOf, type DomainEvent, type Tracer } from '#kernel';
import type { Pending } from './command.js';

/** A command of which a span tells once it is answered: from when it came until then. */
export function traced<C, E extends DomainEvent>(
  tracer: Tracer | undefined,
  stream: string,
  pending: Pending<C, E>,
): Pending<C, E> {
  const { command, context, resolve, reject } = pending;
  const traceId = tracer?.traceOf(context.correlationId);
  if (tracer === undefined || traceId === undefined) return pending;
  const start = tracer.now();
  const end = (isItsOwn: boolean, told: { readonly replayed?: boolean; readonly failure?: string }) => {
    const { failure, ...attributes } = told;
    tracer.record({
      name: nameOf(command),
      traceId,
      spanId: isItsOwn ? spanIdOf('command', context.commandId) : tracer.newSpanId(),
      parentId: context.span,
      start,
      end: tracer.now(),
      attributes: {
        'lode.command.id': context.commandId,
        // Its kind: the rest of it names an account.
        'lode.stream': stream.split('-', 1)[0] ?? '',
        ...(attributes.replayed === undefined ? {} : { 'lode.replayed': attributes.replayed }),
      },
      failure,
    });
  };
  return {
    ...pending,
    resolve: (execution) => {
      const { events, replayed } = execution;
      // Once for each command: whatever else is answered to it says the same again, or wrote nothing.
      end(events.length > 0 && !replayed, { replayed });
      resolve(execution);
    },
    reject: (error) => {
      const { code } = serializeError(error);
      end(code === 'unknown_outcome', { failure: code });
      reject(error);
    },
  };
}

function nameOf(command: unknown): string {
  const isOne = typeof command === 'object' && command !== null && !(command instanceof LodeError);
  return isOne && 'type' in command ? `command ${String(command.type)}` : 'command';
}
