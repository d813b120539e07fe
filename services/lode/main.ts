import { isLodeError } from '#kernel';
import { run } from './run.js';
import { readSettings } from './settings.js';
import { stopWhenTold } from './stop.js';

/* The embedded program: everything in one process. Its output is for the person who started it, and may go nowhere. */
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
try {
  const started = performance.now();
  const settings = readSettings(process.env);
  const running = await run(settings, (step) => console.log(step));
  // Before it says that it is ready: whoever waits for that may stop it at once.
  stopWhenTold(running.stop);
  console.log(
    `Lode is ready at ${running.address} (${((performance.now() - started) / 1_000).toFixed(1)} s).`,
  );
  if (running.firstAdminPath !== undefined) {
    console.log(
      `There is no admin yet. This link makes the first one, once, within a day:\n  ${running.address}${running.firstAdminPath}`,
    );
  }
} catch (error) {
  console.error(isLodeError(error) ? error.message : error);
  process.exit(1);
}
