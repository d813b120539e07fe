import { isLodeError } from '#kernel';
import { run } from './run.js';
import { readSettings } from './settings.js';

/** What is under way when the program is told to stop must end within this; after it the program ends anyway. */
const STOP_MS = 9_000;

/* The embedded program: everything in one process. Its output is for the person who started it. */
try {
  const started = performance.now();
  const settings = readSettings(process.env);
  const running = await run(settings, (step) => console.log(step));
  console.log(`Lode is ready at ${running.address} (${((performance.now() - started) / 1_000).toFixed(1)} s).`);
  if (running.firstAdminPath !== undefined) {
    console.log(`There is no admin yet. This link makes the first one, once, within a day:\n  ${running.address}${running.firstAdminPath}`);
  }
  stopWhenTold(running.stop);
} catch (error) {
  console.error(isLodeError(error) ? error.message : error);
  process.exit(1);
}

function stopWhenTold(stop: () => Promise<void>): void {
  let stopping = false;
  const end = (why: string) => {
    if (stopping) return;
    stopping = true;
    console.log(`${why}: finishing what is under way …`);
    setTimeout(() => {
      console.error('Something did not end in time.');
      process.exit(1);
    }, STOP_MS).unref();
    stop().then(
      () => {
        console.log('Stopped.');
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
