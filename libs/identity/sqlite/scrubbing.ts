import { plainFailure } from '#kernel';
import { startOverwriter } from '#sqlite';
import { identityError } from './errors.js';

/** Has what was erased from a file overwritten. */
export type Scrubbing = {
  /** Overwrites all that was erased by now. Rejects with `unavailable` when a reader needs what was: then it is to be repeated. */
  readonly scrub: () => Promise<void>;
  /** Resolves when nobody overwrites: until then the file can't be written. */
  readonly over: () => Promise<void>;
  /** The same, once nobody is about to: then the file may be somebody else's. */
  readonly ended: () => Promise<void>;
};

/** Overwrites on a thread of its own, so that only what writes the file waits; once for all who ask before it begins. */
export function createScrubbing(file: string): Scrubbing {
  let next: Promise<void> | undefined;
  let underWay: Promise<void> | undefined;
  const over = async () => {
    while (underWay !== undefined) await underWay.catch(() => undefined);
  };
  const begin = async () => {
    try {
      await over();
      const overwrite = await startOverwriter();
      underWay = scrubbed(file, overwrite).finally(() => (underWay = undefined));
    } finally {
      // Whoever asks from here on may have erased what this one doesn't see any more.
      next = undefined;
    }
    await underWay;
  };
  const ended = async () => {
    while (next !== undefined || underWay !== undefined) await (next ?? underWay)?.catch(() => undefined);
  };
  return { scrub: () => (next ??= begin()), over, ended };
}

async function scrubbed(file: string, overwrite: Awaited<ReturnType<typeof startOverwriter>>): Promise<void> {
  const isDone = await overwrite({ file, notedIn: 'to_overwrite' }).catch((error: unknown) => {
    throw identityError(file, error);
  });
  if (!isDone) throw plainFailure('unavailable', 'What was erased is not yet overwritten. Please repeat.');
}
