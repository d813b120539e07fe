import { setImmediate } from 'node:timers/promises';

/** Waits until a condition holds; the test's own time limit ends it when it never does. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await setImmediate();
}
