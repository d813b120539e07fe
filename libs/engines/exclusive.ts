import type { EventStore } from '#event-store';
import { logStart } from '#kernel';
import type { DivergedBuild } from '#projections';
import { openClockMarks } from './clock-marks.js';
import { divergedIn, identityMismatch, readModelsMismatch, refuse, type Compared } from './consistency.js';
import type { EngineSettings, Tell } from './engines.js';
import { compareHead, headMismatch } from './heads.js';
import { identityOf, type IdentityEngine } from './identity.js';
import { inspectWith } from './inspect.js';
import type { ExclusiveEngines } from './inspection.js';
import { keepRun } from './jobs.js';
import { logOf, type LogEngine } from './log.js';
import { modelsOf } from './models.js';
import { refuseMoved, stillHereOf } from './moved.js';
import { refuseNewer } from './newer.js';
import { placesIn } from './places.js';
import { forgetProcesses, takeProjector } from './processes.js';
import { openProcessesFile } from './processes-file.js';
import { restoreInto } from './restore.js';
import { openStores } from './serve.js';
import { isAllOnServers } from './servers.js';
import { takeFolder } from './shown-settings.js';

/**
 * The engines for a command that changes something. The data folder, which is made when it isn't there, is locked, unless
 * everything that could be lost is on servers: there programs share it. Nothing in it is opened yet.
 */
export async function lockForMaintenance(settings: EngineSettings, tell: Tell): Promise<ExclusiveEngines> {
  const { dataFolder } = settings;
  const places = placesIn(dataFolder);
  const release = isAllOnServers(settings) ? () => undefined : (await takeFolder(dataFolder)).release;
  const engines = {
    log: logOf(settings),
    identity: identityOf(settings),
    models: modelsOf(settings),
    headTolerance: settings.headTolerance,
  };
  const { log, identity, models } = engines;
  const inspection = inspectWith(settings, engines);
  return {
    ...inspection,
    openStores: () => openStores(settings, log),
    openStoresAsTheyAre: () => openStores(settings, log, { asTheyAre: true }),
    openStoresToRewrap: () => openStores(settings, log, { rewraps: true }),
    hasIdentity: async () => (await identity.look()) !== 'missing',
    openLogToFill: () => openLogToFill(log, identity),
    openModelsToWrite: () => models.open(),
    lanes: models.lanes,
    divergedBuilds: (options) => divergedBuilds(engines, options),
    openClockMarks: (logId) => openClockMarks(settings, logId, tell),
    recordRun: (run) =>
      keepRun(settings, { log, openFile: () => openProcessesFile(places.processes, tell) }, run),
    takeProjector: () => takeProjector(settings),
    forgetRemembered: () => forgetProcesses(settings, log),
    maintenance: {
      ...inspection.maintenance,
      restore: (backup, progress) => restoreInto(dataFolder, backup, progress),
      compact: models.compact,
    },
    close: async () => release(),
  };
}

async function openLogToFill(log: LogEngine, identity: IdentityEngine): Promise<EventStore> {
  const { events } = await log.open();
  try {
    await refuseMoved(events, log);
    await refuseNewer(events, log);
    // A log that begins here has nobody who could sign in, and is complete all the same. One that has lost them is not.
    if ((await events.head()) === logStart) await (await identity.open()).close();
    const stillHere = stillHereOf(events, log);
    return {
      ...events,
      append: async (append) => {
        const appended = await events.append(append);
        await stillHere();
        return appended;
      },
    };
  } catch (error) {
    await events.close();
    throw error;
  }
}

async function divergedBuilds(
  engines: Compared & { readonly log: LogEngine },
  { refuse: isRefused }: { readonly refuse: boolean },
): Promise<readonly DivergedBuild[]> {
  const log = await engines.log.openToRead();
  try {
    refuse(await identityMismatch(engines, log));
    // Folded with the keys of before, people would lose their names.
    const { isIdentityOld, wrong } = await compareHead(engines, log);
    if (isIdentityOld) refuse(headMismatch({ wrong }));
    const diverged = await divergedIn(engines, log);
    if (isRefused) refuse(readModelsMismatch(diverged));
    return diverged;
  } finally {
    await log.close();
  }
}
