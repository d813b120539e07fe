import { explainFailure } from '#engines';
import { isLodeError, systemMonotonic } from '#kernel';
import { keepingAlive } from './alive.js';
import { keepFilesToOwner } from './own-files.js';
import { readSettings } from './settings.js';
import { start, welcome } from './start.js';

/* The embedded program: everything in one process. Its output is for the person who started it, and may go nowhere. */
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
keepFilesToOwner();
try {
  const started = systemMonotonic();
  const running = await keepingAlive(() => start(readSettings(process.env), (step) => console.log(step)));
  for (const line of welcome(running, (systemMonotonic() - started) / 1_000)) console.log(line);
} catch (error) {
  const told = explainFailure(error);
  console.error(isLodeError(told) ? told.message : told);
  process.exit(1);
}
