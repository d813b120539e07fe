import { hasCode, serializeError, systemTimers } from '#kernel';

/** What is under way when the program is told to stop must end within this; after it the program ends anyway. */
export const STOP_MS = 9_000;

export type StopOptions = {
  /** Finishes what is under way. */
  readonly stop: () => Promise<void>;
  /** What of it has not ended yet. */
  readonly underWay: () => readonly string[];
  /** Hears each step. */
  readonly say: (step: string) => void;
};

/**
 * Stops the program when a signal says so, or when the script that started it is gone. It ends with 0, also when a server is
 * away and something had to be given up, which is said: what was acknowledged is stored by then, and the next start does
 * the rest. It ends with 1 when anything else fails.
 */
export function stopWhenTold({ stop, underWay, say }: StopOptions): void {
  let stopping = false;
  const giveUp = (why: string) => {
    console.error(`${why} Nothing that was acknowledged is lost; the next start does the rest.`);
    say('Stopped.');
    process.exit(0);
  };
  const end = (why: string) => {
    if (stopping) return;
    stopping = true;
    say(`${why}: finishing what is under way …`);
    systemTimers.after(STOP_MS, () =>
      giveUp(`Given up after ${STOP_MS / 1_000} seconds: ${underWay().join(', ')}.`),
    );
    stop().then(
      () => {
        say('Stopped.');
        process.exit(0);
      },
      (error: unknown) => {
        if (hasCode(error, 'unavailable') || hasCode(error, 'unknown_outcome'))
          giveUp(`Something could not be ended in order: ${serializeError(error).message}`);
        console.error(error);
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => end(signal));
  // Started by a script that was killed: nobody could stop this program any more.
  if (process.connected) process.on('disconnect', () => end('The script that started this ended'));
}
