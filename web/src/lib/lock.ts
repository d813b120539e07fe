const queues = new Map<string, Promise<unknown>>();

/**
 * Runs `work` while no other tab of this browser runs work under the same name. Where the browser has no lock manager
 * (plain http), this holds within the tab alone, and `signal`, which ends the wait for the other tabs, is not looked at.
 */
export async function underLock<T>(name: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  if ('locks' in navigator)
    return await navigator.locks.request(name, signal === undefined ? {} : { signal }, work);
  const turn = (queues.get(name) ?? Promise.resolve()).then(work, work);
  queues.set(name, turn);
  return turn;
}
