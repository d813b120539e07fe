import { chainOf, chainStart, eventId, type SealedEvent } from '#kernel';
import type { Append, Appended, EventStore } from '#event-store';

/** What has been written to streams so far, so that more can be chained to it. */
export type Writing = {
  /** An append of `count` more events to a stream, each with a note of `bytes` letters. */
  next(stream: string, count?: number, bytes?: number): Append;
  /** Sends that append and, when it is taken, goes on from it. */
  append(store: EventStore, stream: string, count?: number, bytes?: number): Promise<Appended>;
};

/** Begins to write: streams that nothing is in, and ids that no other writing has. */
export function startWriting(name = 'writing'): Writing {
  const heads = new Map<string, { readonly revision: number; readonly chain: string }>();

  function next(stream: string, count = 1, bytes = 100): Append {
    const { revision, chain } = heads.get(stream) ?? { revision: -1, chain: chainStart };
    const commandId = `${name} ${stream} ${revision + 1}`;
    let previous = chain;
    const events = Array.from({ length: count }, (_, index): SealedEvent => {
      const unchained = {
        id: eventId(commandId, index),
        type: 'Written',
        version: 1,
        stream,
        revision: revision + 1 + index,
        at: '2026-01-01T00:00:00.000Z',
        data: { note: 'x'.repeat(bytes) },
        meta: {
          actor: { kind: 'system', id: name, role: 'system' },
          commandId,
          requestHash: 'none',
          correlationId: commandId,
          causationId: commandId,
        },
      } as const;
      previous = chainOf(previous, unchained);
      return { ...unchained, meta: { ...unchained.meta, chain: previous } };
    });
    return { stream, expected: revision === -1 ? 'no-stream' : revision, events };
  }

  return {
    next,
    async append(store, stream, count, bytes) {
      const request = next(stream, count, bytes);
      const appended = await store.append(request);
      heads.set(stream, {
        revision: appended.revision,
        chain: request.events.at(-1)?.meta.chain ?? chainStart,
      });
      return appended;
    },
  };
}
