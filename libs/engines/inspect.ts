import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkCatalog } from '#files/folder';
import { LodeError } from '#kernel';
import type { ReadStore } from '#read-store';
import { openSqliteReadStore } from '#read-store/sqlite';
import { backUpFolder } from './backup.js';
import { openClockRequests, readClockMark } from './clock-marks.js';
import { mismatchesIn } from './consistency.js';
import { serverChecks } from './check-servers.js';
import { fsyncRateOf, roomOn } from './disk.js';
import type { EngineSettings } from './engines.js';
import { openUploads } from './files.js';
import { lookAtFolder } from './folder-state.js';
import { compareHead, type HeadReport } from './heads.js';
import { identityOf, type IdentityEngine } from './identity.js';
import type { Inspection, Maintenance } from './inspection.js';
import { runsInRedis } from './jobs.js';
import { leftBehind } from './left-behind.js';
import { isLocked } from './lock.js';
import { logOf, type LogEngine } from './log.js';
import { modelsOf, type ModelsEngine } from './models.js';
import { movedMismatch, refuseMoved } from './moved.js';
import { notesIn } from './left-notes.js';
import { newerMismatch } from './newer.js';
import { placesIn } from './places.js';
import { readProcesses } from './processes.js';
import { checkSums, refuseUsed } from './restore.js';
import { isAnyOnServers } from './servers.js';
import { shownSettings } from './shown-settings.js';
import { checkQuickly, checkStructureOf } from './structure.js';

/** What commands look at. */
type Looked = {
  readonly log: LogEngine;
  readonly identity: IdentityEngine;
  readonly models: ModelsEngine;
} & Pick<EngineSettings, 'headTolerance'>;

/** How long MongoDB is looked for, in milliseconds: whoever looks waits for an answer, and has other servers to look at. */
const SELECT_MS = 3_000;

/** The engines to be looked at beside whoever has them. Nothing is opened yet, and nothing is made. */
export function inspectEngines(settings: EngineSettings): Inspection {
  const looking = { ...settings, selectMs: SELECT_MS };
  return inspectWith(looking, {
    log: logOf(looking),
    identity: identityOf(looking),
    models: modelsOf(looking),
    headTolerance: settings.headTolerance,
  });
}

/** As `inspectEngines`, on engines that the caller has. */
export function inspectWith(settings: EngineSettings, engines: Looked): Inspection {
  const { log, identity, models } = engines;
  return {
    nextPosition: log.nextPosition,
    openLog: log.openToRead,
    openPersonKeys: identity.openKeys,
    sealKeys: identity.sealKeys,
    openIdentityRows: async () =>
      (await identity.look()) === 'missing' ? undefined : identity.openRows({ completes: false }),
    lostPersonKeys: identity.lostPersonKeys,
    headReport: () => headReport(engines),
    openModels: models.openSnapshot,
    openScratchModels,
    remembered: () => readProcesses(settings, log),
    clockMark: () => readClockMark(settings, log),
    openClockRequests: () => openClockRequests(settings),
    leftNotes: notesIn(placesIn(settings.dataFolder).notes),
    openUploads: () => openUploads(settings),
    serverChecks: serverChecks(settings),
    runsOnServer: runsInRedis(settings, log),
    mismatches: async () => {
      const left = leftBehind(settings);
      return [...(left === undefined ? [] : [left]), ...(await mismatchesBesideLog(engines))];
    },
    newerEvents: () => newerEventsIn(log),
    maintenance: maintenanceOf(settings, log),
    close: async () => undefined,
  };
}

function maintenanceOf(settings: EngineSettings, log: LogEngine): Maintenance {
  const { dataFolder: folder } = settings;
  const places = placesIn(folder);
  return {
    hasLog: log.isThere,
    isRunning: () => isLocked(folder),
    settingsOfProgram: () => shownSettings(folder),
    look: () =>
      lookAtFolder(folder, places, {
        log: settings.eventStoreUrl === undefined,
        identity: settings.mongodbUrl === undefined,
        uploads: settings.s3Url === undefined,
      }),
    disk: () => roomOn(folder),
    fsyncRate: () => fsyncRateOf(folder),
    checkStructure: () => checkStructureOf(places),
    checkQuickly: (part) => checkQuickly(part, places),
    checkUploadsList: () => {
      if (settings.s3Url === undefined) checkCatalog({ folder: places.files });
    },
    backUp: async (options) => {
      refuseServers(settings);
      await refuseHalfCopied(log);
      return backUpFolder(places, options, (dataFolder) => inspectEngines({ dataFolder }));
    },
    checkSums: (files, progress) => checkSums(folder, files, progress),
    refuseUsed: () => {
      refuseServers(settings);
      refuseUsed(folder);
    },
  };
}

async function newerEventsIn(log: LogEngine): Promise<string | undefined> {
  const events = await log.openToRead();
  try {
    return (await newerMismatch(events, log))?.what;
  } finally {
    await events.close();
  }
}

/** Refuses to back up half a log: restored, it would start as if it were whole. */
async function refuseHalfCopied(log: LogEngine): Promise<void> {
  // Why one can't be read at all the backup says.
  const events = await log.openToRead().catch(() => undefined);
  if (events === undefined) return;
  try {
    if ((await events.header())?.filling === true) await refuseMoved(events, log);
  } finally {
    await events.close();
  }
}

/** What is on a server is copied by the server's own ways: a copy of the folder alone would be none of the whole. */
function refuseServers(settings: EngineSettings): void {
  if (!isAnyOnServers(settings)) return;
  throw new LodeError(
    'not_permitted',
    'Lode backs up and restores data folders alone: what is on servers is backed up by their own means, in the order of docs/how-to/run-on-servers.md.',
  );
}

async function mismatchesBesideLog(engines: Looked): ReturnType<typeof mismatchesIn> {
  if (!(await engines.log.isThere())) return mismatchesIn(engines);
  const log = await engines.log.openToRead();
  try {
    const ofLog = [await movedMismatch(log, engines.log), await newerMismatch(log, engines.log)];
    return [...ofLog.filter((one) => one !== undefined), ...(await mismatchesIn(engines, log))];
  } finally {
    await log.close();
  }
}

async function headReport(engines: Looked): Promise<HeadReport> {
  const log = await engines.log.openToRead();
  try {
    return await compareHead(engines, log);
  } finally {
    await log.close();
  }
}

/**
 * Read models in a file that has no name once it is open. What is folded there is personal data in the clear, so the system
 * lets go of it with this program, however that ends.
 */
function openScratchModels(): ReadStore {
  const folder = mkdtempSync(join(tmpdir(), 'lode-verify-'));
  try {
    return openSqliteReadStore({ file: join(folder, 'read-models.sqlite') });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
