import { existsSync } from 'node:fs';
import { atMost, systemTimers } from '#kernel';
import type { Membership } from '#membership';
import { opening, type Closing } from './closing.js';
import { identityMismatch, refuse, refuseMismatch } from './consistency.js';
import type { Engines, EngineSettings, Programs, Stores, Tell } from './engines.js';
import { openFiles } from './files.js';
import { handleFor } from './handle.js';
import { headKeeper } from './heads.js';
import { identityOf, type OpenedAs } from './identity.js';
import { openMail } from './mail.js';
import { logOf, type LogEngine, type OwnLog } from './log.js';
import { LANES, modelsOf } from './models.js';
import { refuseMoved, stillHereOf } from './moved.js';
import { notesIn } from './left-notes.js';
import { keepProgram, refuseNewer } from './newer.js';
import { hasRoomOn, knownRoomOn } from './disk.js';
import { isAllOnServers, mongoAt } from './servers.js';
import { placesIn } from './places.js';
import { openProcesses } from './processes.js';
import { programName } from './program-name.js';
import { holdingBack, joinPrograms, leavesEvents, leavesProjections } from './programs.js';
import { refuseLeftBehind } from './left-behind.js';
import { openInTurn } from './starting.js';
import { projectorSeats, REACTORS } from './turns.js';
import { hideSettings, showSettings, takeFolder } from './shown-settings.js';

/** How long a program that ends waits for its last head, in milliseconds: a server may say nothing. */
const LAST_HEAD_MS = 1_000;

/** How long a program that ends waits until the others know, in milliseconds. */
const LEAVING_MS = 1_000;

/** The leases of those who share the projections. */
const seats: ReadonlySet<string> = new Set(projectorSeats(LANES));

/**
 * Opens the engines for a program that serves, which has the data folder to itself. The folder is locked first; then the
 * log is opened, which refuses stores that don't fit together; then the rest. Closed in reverse, the lock last.
 */
export function serveEngines(settings: EngineSettings, tell: Tell): Promise<Engines> {
  return opening(async (closing) => {
    closing.add((await takeFolder(settings.dataFolder)).release);
    showSettings(settings.dataFolder, settings.sources ?? []);
    closing.add(() => hideSettings(settings.dataFolder));
    refuseLeftBehind(settings);
    const hasNewUploads = settings.s3Url === undefined && !existsSync(placesIn(settings.dataFolder).files);
    const program = programName(settings.dataFolder);
    const log = logOf(settings);
    const { own, logId, ...stores } = await openInTurn(
      settings,
      { holder: program, closing, tell },
      (closingOwn) => openParts(settings, log, { closing: closingOwn, tell, openedAs: { program } }),
    );
    const programs = await joinPrograms({
      name: program,
      projects: settings.projects ?? true,
      log,
      ...stores,
      membership: await openMembership(settings, closing),
      timers: systemTimers,
    });
    // Of one that can't say so any more it is known a few seconds later.
    closing.add(() => atMost(systemTimers, LEAVING_MS, programs.leave()));
    const processes = await openProcesses(settings, logId, { closing, tell });
    return {
      ...stores,
      ...processes,
      leases: holdingBack(processes.leases, (name) => isLeft(name, programs)),
      programs,
      mail: await openMail(settings, closing),
      leftNotes: notesIn(placesIn(settings.dataFolder).notes),
      hasNewUploads,
      diskOfFiles: () => (settings.s3Url === undefined ? knownRoomOn(settings.dataFolder) : undefined),
      hasRoom: () => isAllOnServers(settings) || hasRoomOn(settings.dataFolder),
      share: () => handleFor({ settings, port: own.connect() }),
      close: closing.run,
    };
  });
}

/** Whether the work of a lease is left to other programs: all who share the projections make one version of the read models. */
function isLeft(lease: string, programs: Programs): boolean {
  if (lease === REACTORS) return leavesEvents(programs);
  return seats.has(lease) && leavesProjections(programs);
}

/** Who shares the servers; undefined where log and read models are not both on some. */
async function openMembership(
  { eventStoreUrl, ...settings }: EngineSettings,
  closing: Closing,
): Promise<Membership | undefined> {
  const { mongodbUrl } = settings;
  if (eventStoreUrl === undefined || mongodbUrl === undefined) return undefined;
  const { openMongoMembership } = await import('#membership/mongodb');
  const membership = await openMongoMembership(mongoAt(mongodbUrl, settings));
  closing.add(membership.close);
  return membership;
}

/**
 * Opens the stores for a command; `asTheyAre` also when they don't fit the head that was kept or the read models, and then
 * keeps no head by itself; one that `rewraps` while nobody else's keys are in the way of that.
 */
export function openStores(
  settings: EngineSettings,
  log: LogEngine,
  { asTheyAre = false, rewraps = false }: { readonly asTheyAre?: boolean; readonly rewraps?: boolean } = {},
): Promise<Stores> {
  return opening(async (closing) => {
    const {
      own: _,
      logId: _id,
      ...stores
    } = await openParts(settings, log, {
      closing,
      tell: () => undefined,
      asTheyAre,
      openedAs: { rewraps },
    });
    return { ...stores, close: closing.run };
  });
}

type Parts = Omit<Stores, 'close'> & { readonly own: OwnLog; readonly logId: string };

/** Keeps the head of a program that ends. Without it the next start finds the stores a moment ahead of the last one. */
function keepLast(keepHead: Stores['keepHead']): Promise<void> {
  return atMost(systemTimers, LAST_HEAD_MS, keepHead());
}

type Opening = {
  readonly closing: Closing;
  readonly tell: Tell;
  readonly asTheyAre?: boolean;
  /** Who opens the identity store. */
  readonly openedAs?: OpenedAs;
};

async function openParts(
  settings: EngineSettings,
  log: LogEngine,
  { closing, tell, asTheyAre = false, openedAs = {} }: Opening,
): Promise<Parts> {
  const [identity, models] = [identityOf(settings), modelsOf(settings)];
  const engines = { log, identity, models, headTolerance: settings.headTolerance };
  // A log that is lost leaves its place as it was: its write-ahead log may still be there for somebody to look at.
  if (!(await log.isThere())) await refuseMismatch(engines);
  const own = await log.open();
  closing.add(() => own.events.close());
  await refuseMoved(own.events, log);
  await refuseNewer(own.events, log);
  if (asTheyAre) refuse(await identityMismatch(engines, own.events));
  else await refuseMismatch(engines, own.events);
  // Whoever writes first gives it its id, which all that is remembered of it is kept under.
  const { logId } = await own.events.ensureHeader();
  await keepProgram(own.events, log);
  const identityStore = await identity.open(openedAs);
  closing.add(() => identityStore.close());
  const keepHead = headKeeper(own.events, identityStore);
  if (!asTheyAre) {
    await keepHead();
    closing.add(() => keepLast(keepHead));
  }
  const files = await openFiles(settings, closing, tell);
  const reader = await models.openReader();
  closing.add(() => reader.close());
  const stillHere = stillHereOf(own.events, log);
  return {
    own,
    logId,
    events: own.events,
    identity: identityStore,
    files,
    models: reader,
    lanes: models.lanes,
    stillHere,
    keepHead,
  };
}
