import type { LodeError } from './errors.js';

/** Lets a bounded number of works run at once; the others wait for their turn, in order. */
type Semaphore = <T>(work: () => Promise<T>) => Promise<T>;

/** Up to `concurrency` works run and up to `waiting` wait; one more is refused with `tooMany`. */
export function createSemaphore({
  concurrency,
  waiting,
  tooMany,
}: {
  readonly concurrency: number;
  readonly waiting: number;
  readonly tooMany: () => LodeError;
}): Semaphore {
  const queue: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= concurrency) {
      if (queue.length >= waiting) throw tooMany();
      // Whoever ends hands its place over, so that nobody who comes later takes it first.
      await new Promise<void>((resolve) => queue.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
