import { hasCode } from '#kernel';

/** Something that is closed by whoever opened it. */
export type Closable<T> = T & { readonly close: () => Promise<void> };

/** What is open, in the order in which it was opened. */
export type Closing = {
  /** `name` says what it is, for `underWay`. */
  readonly add: (close: () => unknown, name?: string) => void;
  /**
   * Closes everything, newest first, also after one has failed; then throws what the first one failed with, or rather the
   * first one that failed with more than a server that was away.
   */
  readonly run: () => Promise<void>;
  /** Ends a part that has a name of its own, when its turn has come. */
  readonly during: <T>(name: string, end: () => Promise<T>) => Promise<T>;
  /** What is being ended, and has not ended yet. */
  readonly underWay: () => readonly string[];
};

/** Remembers what is opened, to close it when something fails or when nobody needs it any more. */
export function createClosing(): Closing {
  const steps: { readonly name: string | undefined; readonly close: () => unknown }[] = [];
  const names = new Set<string>();
  const during: Closing['during'] = async (name, end) => {
    names.add(name);
    try {
      return await end();
    } finally {
      names.delete(name);
    }
  };
  return {
    add: (close, name) => void steps.push({ name, close }),
    run: async () => {
      const failures: unknown[] = [];
      for (const { name, close } of steps.splice(0).reverse()) {
        try {
          await (name === undefined ? close() : during(name, async () => close()));
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures.find((one) => !isAway(one)) ?? failures[0];
    },
    during,
    underWay: () => [...names],
  };
}

/** A server could not be reached, or did not say whether it did what it was asked. */
function isAway(error: unknown): boolean {
  return hasCode(error, 'unavailable') || hasCode(error, 'unknown_outcome');
}

/** Opens things one after another; when one fails, those before it are closed and its error is thrown. */
export async function opening<T>(work: (closing: Closing) => T | Promise<T>): Promise<T> {
  const closing = createClosing();
  try {
    return await work(closing);
  } catch (error) {
    // What the opening failed with is what the person must read, whatever the closing fails with on top.
    await closing.run().catch(() => undefined);
    throw error;
  }
}
