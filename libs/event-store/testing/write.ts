import { chainStart } from '#kernel';
import type { Append, Appended, EventStore } from '#event-store';
import { sealedEvents } from './build.js';

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
    const note = 'x'.repeat(bytes);
    const events = sealedEvents(stream, revision + 1, count, {
      note,
      commandId,
      type: 'Written',
      previous: chain,
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
