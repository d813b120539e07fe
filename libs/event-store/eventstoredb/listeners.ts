import { setTimeout as sleep } from 'node:timers/promises';
import { END, excludeSystemEvents, type EventStoreDBClient } from '@eventstore/db-client';
import type { Random } from '#kernel';
import { pauseAfter, type RetryLimits } from './retry-limits.js';

export type Listeners = {
  /** Calls the listeners, once for all that happens in one turn of the event loop. */
  notify(): void;
  /** Adds a listener; answers with how to take it away. The first one starts the subscription, the last one ends it. */
  add(listener: () => void): () => void;
  close(): Promise<void>;
};

/**
 * Listeners of the log. They are called after the process's own appends, and after those of others by a subscription to
 * the end of the log. The server ends a slow subscription, and the client does not subscribe again; this does, and calls
 * the listeners each time, because it missed what was written in between.
 */
export function createListeners(options: {
  readonly client: EventStoreDBClient;
  readonly retry: RetryLimits;
  readonly random: Random;
}): Listeners {
  const { client, retry, random } = options;
  const listeners = new Set<() => void>();
  let asked: NodeJS.Immediate | undefined;
  let listening: AbortController | undefined;
  let closed = false;

  function notify(): void {
    if (asked !== undefined || listeners.size === 0) return;
    asked = setImmediate(() => {
      asked = undefined;
      for (const listener of listeners) listener();
    });
  }

  async function listen(signal: AbortSignal): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      failures = (await subscribed(client, { notify, quietMs: retry.quietMs, signal })) ? 1 : failures + 1;
      await sleep(pauseAfter(failures, retry, random), undefined, { signal, ref: false }).catch(
        () => undefined,
      );
    }
  }

  function stopListening(): void {
    listening?.abort();
    listening = undefined;
  }

  return {
    notify,
    add(listener) {
      // A listener of its own for each call, so that the same function may be given twice and taken away once.
      const own = () => listener();
      listeners.add(own);
      if (listening === undefined && !closed) {
        listening = new AbortController();
        void listen(listening.signal);
      }
      return () => {
        listeners.delete(own);
        if (listeners.size === 0) stopListening();
      };
    },
    async close() {
      closed = true;
      listeners.clear();
      clearImmediate(asked);
      stopListening();
    },
  };
}

/**
 * Subscribes and calls `notify` for each event, until the subscription ends for whatever reason or has told of nothing for
 * `quietMs`: one that has stalled looks like one of a log that nobody writes. True when it had begun.
 */
function subscribed(
  client: EventStoreDBClient,
  options: { readonly notify: () => void; readonly quietMs: number; readonly signal: AbortSignal },
): Promise<boolean> {
  const { notify, quietMs, signal } = options;
  return new Promise((resolve) => {
    const subscription = client.subscribeToAll({ fromPosition: END, filter: excludeSystemEvents() });
    let begun = false;
    const leave = () => {
      signal.removeEventListener('abort', leave);
      clearTimeout(quiet);
      // Fails when there was no connection to end.
      subscription.unsubscribe().catch(() => undefined);
      resolve(begun);
    };
    const quiet = setTimeout(leave, quietMs).unref();
    const hear = () => {
      quiet.refresh();
      notify();
    };
    subscription.on('confirmation', () => {
      begun = true;
      hear();
    });
    subscription.on('data', hear);
    subscription.on('error', leave);
    subscription.on('end', leave);
    signal.addEventListener('abort', leave);
  });
}
