import type { EventStore } from '#event-store';

/**
 * Gives the same open store to all who have it open at a time, and closes it with the last of them: a thread can have one
 * client of an EventStoreDB.
 */
export function sharing(open: () => Promise<EventStore>): () => Promise<EventStore> {
  let users = 0;
  let store: Promise<EventStore> | undefined;
  let closed: Promise<unknown> = Promise.resolve();
  const letGo = async () => {
    users -= 1;
    if (users > 0) return;
    const last = store;
    store = undefined;
    closed = last?.then((opened) => opened.close()).catch(() => undefined) ?? closed;
    await closed;
  };
  return async () => {
    users += 1;
    store ??= closed.then(open);
    try {
      const opened = await store;
      let release: Promise<void> | undefined;
      return { ...opened, close: () => (release ??= letGo()) };
    } catch (error) {
      await letGo();
      throw error;
    }
  };
}
