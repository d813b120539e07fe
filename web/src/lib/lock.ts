const queues = new Map<string, Promise<unknown>>();

/**
 * Runs `work` while no other tab of this browser runs work under the same name. Where the browser has no lock manager
 * (plain http), this holds within the tab alone.
 */
export async function underLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  if ('locks' in navigator) return await navigator.locks.request(name, work);
  const turn = (queues.get(name) ?? Promise.resolve()).then(work, work);
  queues.set(name, turn);
  return turn;
}
