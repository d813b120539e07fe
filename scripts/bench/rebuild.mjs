import { statSync } from 'node:fs';
import { join } from 'node:path';

/** How long the read models may take to be made, in milliseconds. */
const PATIENCE = 600_000;

/** Events a second from the log that the API's rows left behind into all read models, from nothing, in the projector. */
export async function rebuildRate(root, folder) {
  const { openLogReader } = await import(join(root, 'dist', 'libs', 'event-store', 'sqlite', 'index.js'));
  const { startProjector } = await import(join(root, 'dist', 'services', 'projector', 'index.js'));
  const log = openLogReader(join(folder, 'api', 'events.sqlite'));
  const head = log.head();
  log.close();
  const readModelsFile = join(folder, 'rebuilt.sqlite');
  const start = performance.now();
  const projector = await startProjector({
    logFile: join(folder, 'api', 'events.sqlite'),
    identityFile: join(folder, 'api', 'identity.sqlite'),
    readModelsFile,
    onProblem: (problem) => console.log(problem),
    say: () => undefined,
  });
  if (!(await projector.feed.waitFor(head, PATIENCE))) throw new Error('the rebuild did not reach the head');
  const elapsed = (performance.now() - start) / 1_000;
  await projector.stop();
  const size = Math.round(statSync(readModelsFile).size / 1_048_576);
  return {
    perSecond: Number(head) / elapsed,
    note: `${Number(head).toLocaleString('en')} events in ${elapsed.toFixed(1)} s, ${size} MiB`,
  };
}
