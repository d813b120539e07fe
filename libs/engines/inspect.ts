import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nextPosition } from '#event-store/sqlite';
import { checkCatalog, complaintAbout } from '#files/folder';
import { openPersonKeys } from '#identity/sqlite';
import { isLodeError } from '#kernel';
import { openSqliteReadStore, openSqliteReadStoreSnapshot } from '#read-store/sqlite';
import { backUpFolder } from './backup.js';
import { mismatchesIn } from './consistency.js';
import { fsyncRateOf, roomOn } from './disk.js';
import type { EngineSettings } from './engines.js';
import { openLogToRead } from './event-store.js';
import { lookAtFolder } from './folder-state.js';
import type { Inspection, Maintenance } from './inspection.js';
import { runsInRedis } from './jobs.js';
import { lockFolder } from './lock.js';
import { placesIn, type Places } from './places.js';
import { readRemembered } from './processes-file.js';
import { checkSums, refuseUsed } from './restore.js';
import { checkQuickly, checkStructureOf } from './structure.js';

/** The engines of a data folder, to be looked at beside whoever has them. Nothing is opened yet, and nothing is made. */
export function inspectFolder(settings: EngineSettings): Inspection {
  const { dataFolder } = settings;
  const places = placesIn(dataFolder);
  return {
    nextPosition,
    openLog: () => openLogToRead(places),
    openPersonKeys: () => openPersonKeys({ file: places.identity }),
    openModels: () => openSqliteReadStoreSnapshot({ file: places.readModels }),
    openScratchModels,
    remembered: () => readRemembered(places.processes),
    runsOnServer: runsInRedis(settings),
    mismatches: () => mismatchesBesideLog(places),
    maintenance: maintenanceOf(dataFolder, places),
    close: async () => undefined,
  };
}

function maintenanceOf(folder: string, places: Places): Maintenance {
  return {
    hasLog: () => statSync(places.log, { throwIfNoEntry: false }) !== undefined,
    isRunning: () => isRunning(folder),
    look: () => lookAtFolder(folder, places),
    disk: () => roomOn(folder),
    fsyncRate: () => fsyncRateOf(folder),
    checkStructure: () => checkStructureOf(places),
    checkQuickly: (part) => checkQuickly(part, places),
    checkUploadsList: () => checkCatalog({ folder: places.files }),
    complaintAboutUpload: (fileId, mustBe) => complaintAbout({ folder: places.files }, fileId, mustBe),
    backUp: (options) => backUpFolder(places, options, (dataFolder) => inspectFolder({ dataFolder })),
    checkSums: (files, progress) => checkSums(folder, files, progress),
    refuseUsed: () => refuseUsed(folder),
  };
}

function isRunning(folder: string): boolean {
  try {
    lockFolder(folder).release();
    return false;
  } catch (error) {
    if (isLodeError(error) && error.code === 'unavailable') return true;
    throw error;
  }
}

async function mismatchesBesideLog(places: Places): ReturnType<typeof mismatchesIn> {
  if (!existsSync(places.log)) return mismatchesIn(places);
  const log = openLogToRead(places);
  try {
    return await mismatchesIn(places, log);
  } finally {
    await log.close();
  }
}

/** Read models in a folder of their own. What is folded there is personal data in the clear, so it must not stay. */
function openScratchModels(): ReturnType<Inspection['openScratchModels']> {
  const folder = mkdtempSync(join(tmpdir(), 'lode-verify-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    return { store: openSqliteReadStore({ file: join(folder, 'read-models.sqlite') }), remove };
  } catch (error) {
    remove();
    throw error;
  }
}
