import { explainFailure } from '#engines';
import { isLodeError, systemMonotonic } from '#kernel';
import { keepingAlive } from './alive.js';
import { exitCodes } from './cli/index.js';
import { keepFilesToOwner } from './own-files.js';
import { everyPart, refuseLackingServers, type Part } from './parts.js';
import { readSettings } from './settings.js';
import { start, welcome } from './start.js';

/**
 * Runs Lode with the settings of the environment until it is told to stop: all of it, or the one part that others on the
 * same servers complete. What goes wrong before that is printed as a sentence, and ends the process with 1; with 2 where it was given an argument, of which it takes none.
 */
export async function launch(part?: Part): Promise<void> {
  // Its output is for the person who started it, and may go nowhere.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  keepFilesToOwner();
  const [argument] = process.argv.slice(2);
  if (argument !== undefined) {
    console.error(
      `Lode takes no ${argument}: its settings are environment variables (docs/reference/settings.md).`,
    );
    process.exit(exitCodes.usage);
  }
  try {
    const started = systemMonotonic();
    const settings = readSettings(process.env);
    if (part !== undefined) refuseLackingServers(part, settings);
    const parts = part === undefined ? everyPart : [part];
    const running = await keepingAlive(() => start(settings, (step) => console.log(step), parts));
    for (const line of welcome(running, (systemMonotonic() - started) / 1_000)) console.log(line);
  } catch (error) {
    const told = explainFailure(error);
    console.error(isLodeError(told) ? told.message : told);
    process.exit(1);
  }
}
