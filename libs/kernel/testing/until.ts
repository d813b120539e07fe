import { setImmediate, setTimeout } from 'node:timers/promises';

/** How often a condition is asked for at once; after that there are so many milliseconds until it is again. */
const AT_ONCE = 10;
const AGAIN_MS = 5;

/**
 * Waits until a condition holds; the test's own time limit ends it when it never does. What is waited for needs the processor more
 * than whoever asks for it.
 */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let asked = 1; !(await condition()); asked++)
    await (asked < AT_ONCE ? setImmediate() : setTimeout(AGAIN_MS));
}
