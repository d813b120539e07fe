import type { DatabaseSync } from 'node:sqlite';
import { LodeError, systemClock, systemTimers } from '#kernel';
import { createActiveRunner } from '#leases';
import { createSqliteLeases } from '#leases/sqlite';
import { createSqliteCheckpoints } from '#reactors/sqlite';
import type { Closing } from './closing.js';
import type { Engines, EngineSettings, Tell } from './engines.js';
import type { Remembered, Turn } from './inspection.js';
import { forgetRunsInRedis, openJobs } from './jobs.js';
import { logIdOf, type LogEngine } from './log.js';
import { placesIn } from './places.js';
import { openProcessesFile, readRemembered, removeProcessesFile } from './processes-file.js';
import { newProgramName, programName } from './program-name.js';
import { atServer, isAllOnServers, mongoAt, type MongoPlace } from './servers.js';

/** What a program needs to run what only one of several runs, and to remember how far that is. */
export type Processes = Pick<Engines, 'owner' | 'leases' | 'openCheckpoints' | 'createJobs'>;

/** Whoever has the folder's lock: the one before it is dead, so that nobody waits for its leases and runs. */
const HOLDER = 'embedded';
/** The lease of whoever runs the projections. */
export const PROJECTOR = 'projector';
/** The lease of whoever runs the reactors. */
export const REACTORS = 'reactors';

/**
 * Opens leases, what reactors remember, and jobs, each where it is; all of it is closed with `closing`. What is remembered
 * of another log than this one counts for nothing.
 */
export async function openProcesses(
  settings: EngineSettings,
  logId: string,
  { closing, tell }: { readonly closing: Closing; readonly tell: Tell },
): Promise<Processes> {
  const { mongodbUrl, dataFolder } = settings;
  const database = openProcessesFile(placesIn(dataFolder).processes, tell, logId);
  closing.add(() => database.close());
  const turns =
    mongodbUrl === undefined
      ? turnsIn(database)
      : await turnsOnServer({ ...mongoAt(mongodbUrl), logId }, programName(dataFolder), closing);
  return { ...turns, createJobs: await openJobs(settings, { database, owner: HOLDER, logId }, closing) };
}

/** What reactors and jobs have kept. As `readRemembered`; of a server also `unavailable`. */
export async function readProcesses(
  settings: EngineSettings,
  log: LogEngine,
): Promise<Remembered | undefined> {
  const { mongodbUrl, dataFolder } = settings;
  const inFolder = readRemembered(placesIn(dataFolder).processes);
  if (mongodbUrl === undefined) return inFolder;
  const { readMongoReactors } = await import('#reactors/mongodb');
  const logId = await logIdOf(log);
  const at = mongoAt(mongodbUrl, settings);
  const reactors =
    logId === undefined
      ? []
      : await atServer('MONGODB_URL', mongodbUrl, () => readMongoReactors({ ...at, logId }));
  return { lastRuns: inFolder?.lastRuns ?? [], reactors };
}

/** Lets reactors and jobs begin anew: what they remember is not of the log as it is. */
export async function forgetProcesses(settings: EngineSettings, log: LogEngine): Promise<void> {
  const { mongodbUrl, dataFolder } = settings;
  removeProcessesFile(placesIn(dataFolder).processes);
  await forgetRunsInRedis(settings, log);
  const logId = mongodbUrl === undefined ? undefined : await logIdOf(log);
  if (mongodbUrl === undefined || logId === undefined) return;
  const { forgetMongoReactors } = await import('#reactors/mongodb');
  await forgetMongoReactors({ ...mongoAt(mongodbUrl), logId });
}

/** Takes the turn to run the projections for a command; undefined while another program has it. */
export async function takeProjector(settings: EngineSettings): Promise<Turn | undefined> {
  const { mongodbUrl, dataFolder } = settings;
  const lost = Promise.withResolvers<never>();
  lost.promise.catch(() => undefined);
  // Whoever has the folder's lock is the only program.
  if (mongodbUrl === undefined) return { lost: lost.promise, release: async () => undefined };
  const { openMongoLeases } = await import('#leases/mongodb');
  // Beside a program on the same folder a command is another one. Without such, it has what a program left there.
  const holder = isAllOnServers(settings) ? newProgramName() : programName(dataFolder);
  const leases = await openMongoLeases({ ...mongoAt(mongodbUrl), holder });
  const turns = createActiveRunner({
    leases,
    name: PROJECTOR,
    begin: async () => async () =>
      lost.reject(new LodeError('conflict', 'Another program writes the read models now.')),
    onProblem: () => undefined,
    timers: systemTimers,
  });
  const release = async () => {
    await turns.stop();
    await leases.close();
  };
  try {
    await turns.start();
  } catch (error) {
    await leases.close();
    throw error;
  }
  if (turns.isActive()) return { lost: lost.promise, release };
  await release();
  return undefined;
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

async function turnsOnServer(
  at: MongoPlace & { readonly logId: string },
  owner: string,
  closing: Closing,
): Promise<Turns> {
  const [{ openMongoLeases }, { openMongoCheckpoints }] = await Promise.all([
    import('#leases/mongodb'),
    import('#reactors/mongodb'),
  ]);
  const leases = await openMongoLeases({ url: at.url, database: at.database, holder: owner });
  closing.add(leases.close);
  const checkpoints = await openMongoCheckpoints(at);
  closing.add(checkpoints.close);
  return { owner, leases, openCheckpoints: checkpoints.under };
}
