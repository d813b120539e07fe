/** What is open, in the order in which it was opened. */
export type Closing = {
  readonly add: (close: () => unknown) => void;
  /** Closes everything, newest first, also after one has failed; then throws what the first one failed with. */
  readonly run: () => Promise<void>;
};

/** Remembers what is opened, to close it when something fails or when nobody needs it any more. */
export function createClosing(): Closing {
  const steps: (() => unknown)[] = [];
  return {
    add: (close) => void steps.push(close),
    run: async () => {
      const failures: unknown[] = [];
      for (const step of steps.splice(0).reverse()) {
        try {
          await step();
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
  };
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
