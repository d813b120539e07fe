/** The longest that a timer may take, in milliseconds. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * Does some work, and keeps the process alive for as long as it takes. The kernel's `Timers` don't: a process in which
 * nothing else is under way would end in the middle of the work and say nothing.
 */
export async function keepingAlive<T>(work: () => Promise<T>): Promise<T> {
  const alive = setInterval(() => undefined, LONGEST_MS);
  try {
    return await work();
  } finally {
    clearInterval(alive);
  }
}
