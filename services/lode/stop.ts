import { systemTimers } from '#kernel';

/** What is under way when the program is told to stop must end within this; after it the program ends anyway. */
const STOP_MS = 9_000;

/**
 * Stops the program when a signal says so, or when the script that started it is gone; ends it with 0, or 1 if it fails.
 * `say` hears each step.
 */
export function stopWhenTold(stop: () => Promise<void>, say: (step: string) => void): void {
  let stopping = false;
  const end = (why: string) => {
    if (stopping) return;
    stopping = true;
    say(`${why}: finishing what is under way …`);
    systemTimers.after(STOP_MS, () => {
      console.error('Something did not end in time.');
      process.exit(1);
    });
    stop().then(
      () => {
        say('Stopped.');
        process.exit(0);
      },
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => end(signal));
  // Started by a script that was killed: nobody could stop this program any more.
  if (process.connected) process.on('disconnect', () => end('The script that started this ended'));
}
