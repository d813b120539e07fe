import { LodeError, pause, type Clock, type Timers } from '#kernel';

/** How often it is looked whether what is waited for is there, in milliseconds. */
export const LOOK_MS = 20;
/** So long nothing may be done before it is given up, in milliseconds: longer than an engine takes for all indexes of a model. */
export const STILL_MS = 15 * 60_000;

/** Waits for work that goes on in the background. */
export type Watch = {
  /** Some of the work was done. */
  readonly moved: () => void;
  /** The work failed; the first failure counts. */
  readonly failed: (error: unknown) => void;
  /** Resolves once something is so. Throws the failure, and `unavailable` when nothing was done for `STILL_MS`. */
  readonly until: (isSo: () => boolean | Promise<boolean>) => Promise<void>;
};

/** A watch by a clock that is never set. */
export function createWatch(timers: Timers, clock: Clock): Watch {
  let failure: { readonly error: unknown } | undefined;
  let movedAt = clock();
  const moved = () => {
    movedAt = clock();
  };
  return {
    moved,
    failed: (error) => {
      failure ??= { error };
    },
    until: async (isSo) => {
      moved();
      while (!(await isSo())) {
        if (failure !== undefined) throw failure.error;
        if (clock() - movedAt > STILL_MS)
          throw new LodeError(
            'unavailable',
            `The read models stand still: nothing was done for ${STILL_MS / 60_000} minutes.`,
          );
        await pause(timers, LOOK_MS);
      }
    },
  };
}
