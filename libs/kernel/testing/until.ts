import { setImmediate, setTimeout } from 'node:timers/promises';

/** How often a condition is asked for at once; after that there are so many milliseconds until it is again. */
const AT_ONCE = 10;
const AGAIN_MS = 5;

/**
 * Waits until something is there, or true, and gives it; the test's own time limit ends it when that never comes. What is waited
 * for needs the processor more than whoever asks for it.
 */
export async function until<T>(look: () => T | Promise<T>): Promise<Exclude<T, false | null | undefined>> {
  for (let looked = 1; ; looked++) {
    const found = await look();
    if (found !== false && found !== null && found !== undefined)
      return found as Exclude<T, false | null | undefined>;
    await (looked < AT_ONCE ? setImmediate() : setTimeout(AGAIN_MS));
  }
}
