import type { DatabaseSync } from 'node:sqlite';
import { createSqliteClockMarks, createSqliteClockRequests } from '#clock/sqlite';
import { systemClock } from '#kernel';
import { createSqliteLeases } from '#leases/sqlite';
import { createSqliteCheckpoints } from '#reactors/sqlite';
import { openBell } from './bell.js';
import type { Closing } from './closing.js';
import type { Engines, EngineSettings, Tell } from './engines.js';
import type { Remembered, Turn } from './inspection.js';
import { forgetRunsInRedis, openJobs } from './jobs.js';
import { logIdOf, type LogEngine } from './log.js';
import { placesIn } from './places.js';
import { openProcessesFile, readRemembered, removeProcessesFile } from './processes-file.js';
import { newProgramName, programName } from './program-name.js';
import { atServer, isAllOnServers, mongoAt, type MongoPlace } from './servers.js';
import { LANES } from './models.js';
import { projectorSeats, takeTurns } from './turns.js';

/** What a program needs to run what only one of several runs, and to remember how far that is. */
export type Processes = Pick<
  Engines,
  | 'owner'
  | 'leases'
  | 'orders'
  | 'bell'
  | 'openCheckpoints'
  | 'storedReactors'
  | 'createJobs'
  | 'clockMarks'
  | 'clockRequests'
>;

/** Whoever has the folder's lock: the one before it is dead, so that nobody waits for its leases and runs. */
const HOLDER = 'embedded';
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
      : await turnsOnServer({ ...mongoAt(mongodbUrl), logId }, settings, closing);
  const clockRequests = createSqliteClockRequests(database);
  return {
    ...turns,
    clockRequests,
    bell: await openBell(settings, logId, closing),
    createJobs: await openJobs(settings, { database, owner: HOLDER, logId }, closing),
  };
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

/** Lets reactors and jobs begin anew, and forgets what was ordered: what is remembered is not of the log as it is. */
export async function forgetProcesses(settings: EngineSettings, log: LogEngine): Promise<void> {
  const { mongodbUrl, dataFolder } = settings;
  removeProcessesFile(placesIn(dataFolder).processes);
  await forgetRunsInRedis(settings, log);
  const logId = mongodbUrl === undefined ? undefined : await logIdOf(log);
  if (mongodbUrl === undefined || logId === undefined) return;
  const [{ forgetMongoReactors }, { forgetMongoOrders }] = await Promise.all([
    import('#reactors/mongodb'),
    import('#orders/mongodb'),
  ]);
  const at = { ...mongoAt(mongodbUrl), logId };
  await forgetMongoReactors(at);
  await forgetMongoOrders(at);
}

/** Takes the turn to run the projections for a command; undefined while another program has it. */
export async function takeProjector(settings: EngineSettings): Promise<Turn | undefined> {
  const { mongodbUrl, dataFolder } = settings;
  // Whoever has the folder's lock is the only program.
  if (mongodbUrl === undefined)
    return { lost: new Promise<never>(() => undefined), release: async () => undefined };
  const { openMongoLeases } = await import('#leases/mongodb');
  // Beside a program on the same folder a command is another one. Without such, it has what a program left there.
  const holder = isAllOnServers(settings) ? newProgramName() : programName(dataFolder);
  const leases = await openMongoLeases({ ...mongoAt(mongodbUrl), holder });
  try {
    const turn = await takeTurns(leases, projectorSeats(LANES));
    if (turn === undefined) {
      await leases.close();
      return undefined;
    }
    const release = async () => {
      await turn.release();
      await leases.close();
    };
    return { lost: turn.lost, release };
  } catch (error) {
    await leases.close();
    throw error;
  }
}

type Turns = Omit<Processes, 'bell' | 'createJobs' | 'clockRequests'>;

function turnsIn(database: DatabaseSync): Turns {
  const leases = createSqliteLeases(database, HOLDER, systemClock);
  return {
    owner: '',
    leases,
    orders: undefined,
    clockMarks: createSqliteClockMarks(database),
    openCheckpoints: (lease) => createSqliteCheckpoints(database, () => leases.check(lease)),
    storedReactors: async () => [],
  };
}

async function turnsOnServer(
  at: MongoPlace & { readonly logId: string },
  settings: EngineSettings,
  closing: Closing,
): Promise<Turns> {
  const [{ openMongoLeases }, { openMongoCheckpoints }, { openMongoClockMarks }] = await Promise.all([
    import('#leases/mongodb'),
    import('#reactors/mongodb'),
    import('#clock/mongodb'),
  ]);
  const owner = programName(settings.dataFolder);
  const leases = await openMongoLeases({ url: at.url, database: at.database, holder: owner });
  closing.add(leases.close);
  const checkpoints = await openMongoCheckpoints(at);
  closing.add(checkpoints.close);
  const clockMarks = await openMongoClockMarks(at);
  closing.add(clockMarks.close);
  const orders = await ordersOnServer(at, settings, closing);
  return {
    owner,
    leases,
    orders,
    clockMarks,
    openCheckpoints: checkpoints.under,
    storedReactors: checkpoints.read,
  };
}

/** The way from one program to another; undefined where a folder has a part of what they would share, and its lock keeps others away. */
async function ordersOnServer(
  at: MongoPlace & { readonly logId: string },
  settings: EngineSettings,
  closing: Closing,
): Promise<Engines['orders']> {
  if (!isAllOnServers(settings)) return undefined;
  const { openMongoOrders } = await import('#orders/mongodb');
  const orders = await openMongoOrders(at);
  closing.add(orders.close);
  return orders;
}
