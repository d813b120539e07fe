import { openSqliteEventStore } from '#event-store/sqlite';
import type { EventStore } from '#event-store';
import { openIdentityStore } from '#identity/sqlite';
import { logStart } from '#kernel';
import type { DivergedBuild } from '#projections';
import { openSqliteReadStore, scrubSqliteReadStore } from '#read-store/sqlite';
import { identityMismatch, readModelsMismatch, refuse, divergedIn } from './consistency.js';
import { openStores } from './embedded.js';
import type { EngineSettings, Tell } from './engines.js';
import { openLogToRead } from './event-store.js';
import { inspectFolder } from './inspect.js';
import type { ExclusiveEngines } from './inspection.js';
import { forgetRunsInRedis, keepRun } from './jobs.js';
import { lockFolder } from './lock.js';
import { placesIn, type Places } from './places.js';
import { openProcessesFile, removeProcessesFile } from './processes-file.js';
import { restoreInto } from './restore.js';

/** Locks a data folder, which is made when it isn't there. Nothing in it is opened yet. */
export function lockForMaintenance(settings: EngineSettings, tell: Tell): ExclusiveEngines {
  const { dataFolder } = settings;
  const places = placesIn(dataFolder);
  const { release } = lockFolder(dataFolder);
  const inspection = inspectFolder(settings);
  return {
    ...inspection,
    openStores: () => openStores(places),
    openLogToFill: () => openLogToFill(places),
    openModelsToWrite: () => openSqliteReadStore({ file: places.readModels }),
    divergedBuilds: (options) => divergedBuilds(places, options),
    recordRun: (run) => keepRun(settings, () => openProcessesFile(places.processes, tell), run),
    forgetRemembered: async () => {
      removeProcessesFile(places.processes);
      await forgetRunsInRedis(settings);
    },
    maintenance: {
      ...inspection.maintenance,
      restore: (backup, progress) => restoreInto(dataFolder, backup, progress),
      compact: () => scrubSqliteReadStore({ file: places.readModels }),
    },
    close: async () => release(),
  };
}

async function openLogToFill({ log, identity }: Places): Promise<EventStore> {
  const events = await openSqliteEventStore({ file: log });
  try {
    // A log that begins here has nobody who could sign in, and is complete all the same. One that has lost them is not.
    if ((await events.head()) === logStart) await (await openIdentityStore({ file: identity })).close();
    return events;
  } catch (error) {
    await events.close();
    throw error;
  }
}

async function divergedBuilds(
  places: Places,
  { refuse: isRefused }: { readonly refuse: boolean },
): Promise<readonly DivergedBuild[]> {
  const log = openLogToRead(places);
  try {
    refuse(await identityMismatch(places, log));
    const diverged = await divergedIn(places, log);
    if (isRefused) refuse(readModelsMismatch(diverged));
    return diverged;
  } finally {
    await log.close();
  }
}
