import type { DatabaseSync } from 'node:sqlite';
import { systemClock } from '#kernel';
import { createSqliteLeases } from '#leases/sqlite';
import { createSqliteCheckpoints } from '#reactors/sqlite';
import type { Closing } from './closing.js';
import type { Engines, EngineSettings, Tell } from './engines.js';
import { openJobs } from './jobs.js';
import { placesIn } from './places.js';
import { openProcessesFile } from './processes-file.js';
import { programName } from './program-name.js';
import { mongoAt } from './servers.js';

/** What a program needs to run what only one of several runs, and to remember how far that is. */
export type Processes = Pick<Engines, 'owner' | 'leases' | 'openCheckpoints' | 'createJobs'>;

/** Whoever has the folder's lock: the one before it is dead, so that nobody waits for its leases and runs. */
const HOLDER = 'embedded';

/** Opens leases, what reactors remember, and jobs, each where it is; all of it is closed with `closing`. */
export async function openProcesses(
  settings: EngineSettings,
  closing: Closing,
  tell: Tell,
): Promise<Processes> {
  const { mongodbUrl, dataFolder } = settings;
  const database = openProcessesFile(placesIn(dataFolder).processes, tell);
  closing.add(() => database.close());
  const turns =
    mongodbUrl === undefined
      ? turnsIn(database)
      : await turnsOnServer(mongodbUrl, programName(dataFolder), closing);
  return { ...turns, createJobs: await openJobs(settings, { database, owner: HOLDER }, closing) };
}

type Turns = Omit<Processes, 'createJobs'>;

function turnsIn(database: DatabaseSync): Turns {
  const leases = createSqliteLeases(database, HOLDER, systemClock);
  return {
    owner: '',
    leases,
    openCheckpoints: (lease) => createSqliteCheckpoints(database, () => leases.check(lease)),
  };
}

async function turnsOnServer(url: string, owner: string, closing: Closing): Promise<Turns> {
  const at = mongoAt(url);
  const [{ openMongoLeases }, { openMongoCheckpoints }] = await Promise.all([
    import('#leases/mongodb'),
    import('#reactors/mongodb'),
  ]);
  const leases = await openMongoLeases({ ...at, holder: owner });
  closing.add(leases.close);
  const checkpoints = await openMongoCheckpoints(at);
  closing.add(checkpoints.close);
  return { owner, leases, openCheckpoints: checkpoints.under };
}
